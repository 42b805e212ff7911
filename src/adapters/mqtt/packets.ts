import packets from 'mqtt-packet';

/**
 * By default mqtt-packet caches all 65,536 two-byte numbers at its first packet: 8 MB, and a pause of the control loop.
 * Without the cache there is no measurable cost per packet.
 */
packets.writeToStream.cacheNumbers = false;
