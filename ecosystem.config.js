import { fileURLToPath } from 'node:url';

/** Cartwright under pm2: `npm run build && npx pm2 start ecosystem.config.js`. Under systemd it is not needed. */
export const apps = [
  {
    name: 'cartwright',
    script: 'dist/src/main.js',
    cwd: fileURLToPath(new URL('.', import.meta.url)),
    // Two gateways cannot share a serial line: no cluster, and a reload is a stop and a start.
    exec_mode: 'fork',
    instances: 1,
    // The gateway sends `ready` when it serves.
    wait_ready: true,
    listen_timeout: 60_000,
    // The gateway stops the cart and closes within 5 s; after 8 s it is killed.
    kill_timeout: 8000,
    // Returns large blocks of memory to the system: see systemd/cartwright.service.
    env: { MALLOC_MMAP_THRESHOLD_: '1048576' },
    max_memory_restart: '512M',
    restart_delay: 2000,
    max_restarts: 10,
    min_uptime: 30_000,
    // Every line contains a time.
    merge_logs: true,
  },
];
