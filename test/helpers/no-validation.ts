/** Benchmarks run the gateway without response validation, as the service does. */
process.env.NO_VALIDATION = '1';
