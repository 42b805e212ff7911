import packets from 'mqtt-packet';

/** The cache of all 65,536 two-byte numbers takes 8 MB, and filling it pauses the control loop. */
packets.writeToStream.cacheNumbers = false;
