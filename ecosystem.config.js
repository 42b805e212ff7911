import { fileURLToPath } from 'node:url';

/** Cartwright under pm2: `npm run build && npx pm2 start ecosystem.config.js`. Under systemd it is not needed. */
export const apps = [
  {
    name: 'cartwright',
    script: 'dist/src/main.js',
    cwd: fileURLToPath(new URL('.', import.meta.url)),
    // Two gateways would fight for one serial line: never a cluster, and a reload is a stop and a start.
    exec_mode: 'fork',
    instances: 1,
    // It says `ready` when it serves.
    wait_ready: true,
    listen_timeout: 60_000,
    // It gives itself 5 s to stop the cart and close; after 8 s it is killed.
    kill_timeout: 8000,
    // Large pieces of memory go back to the system: see systemd/cartwright.service.
    env: { MALLOC_MMAP_THRESHOLD_: '1048576' },
    max_memory_restart: '512M',
    restart_delay: 2000,
    max_restarts: 10,
    min_uptime: 30_000,
    // Every line has its time already.
    merge_logs: true,
  },
];
