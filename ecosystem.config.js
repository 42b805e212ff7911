import { fileURLToPath } from 'node:url';

/**
 * Runs Cartwright under pm2 instead of systemd: `npm run build && npx pm2 start ecosystem.config.js`.
 */
export const apps = [
  {
    name: 'cartwright',
    script: 'dist/src/main.js',
    cwd: fileURLToPath(new URL('.', import.meta.url)),
    // Cluster mode is not used, because two gateways cannot share a serial line. A reload stops the gateway and then
    // starts it again.
    exec_mode: 'fork',
    instances: 1,
    // The gateway sends `ready` to pm2 as soon as it accepts requests.
    wait_ready: true,
    listen_timeout: 60_000,
    // The gateway stops the cart and exits within 5 s; otherwise, pm2 kills it after 8 s.
    kill_timeout: 8000,
    // Returns large memory blocks to the system and adds threads for lookups; see systemd/cartwright.service.
    env: { MALLOC_MMAP_THRESHOLD_: '1048576', UV_THREADPOOL_SIZE: '6' },
    max_memory_restart: '512M',
    restart_delay: 2000,
    max_restarts: 10,
    min_uptime: 30_000,
    // Every log line already contains a timestamp, so pm2 does not add one.
    merge_logs: true,
  },
];
