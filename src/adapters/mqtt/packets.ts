import packets from 'mqtt-packet';

/**
 * Disables the cache of all 65,536 two-byte numbers. It takes 8 MB, and filling it blocks the control loop.
 */
packets.writeToStream.cacheNumbers = false;
