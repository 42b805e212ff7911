/** Disables response validation, so that benchmarks run the gateway as the systemd service does. */
process.env.NO_VALIDATION = '1';
