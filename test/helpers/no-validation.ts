/** Benchmarks measure the gateway as a service starts it, without the validation of its responses. */
process.env.NO_VALIDATION = '1';
