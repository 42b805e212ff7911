import packets from 'mqtt-packet';

/** Disables a cache of all 65,536 two-byte numbers: it takes 8 MB, and filling it blocks the control loop. */
packets.writeToStream.cacheNumbers = false;
