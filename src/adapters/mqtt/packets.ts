import packets from 'mqtt-packet';

/** Disables a cache of all 65,536 two-byte numbers, which takes 8 MB and blocks the control loop while it is filled. */
packets.writeToStream.cacheNumbers = false;
