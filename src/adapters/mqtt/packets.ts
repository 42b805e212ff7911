import packets from 'mqtt-packet';

/**
 * What writes the packets of the client and of the embedded broker would make all 65,536 numbers of two bytes at its first
 * packet: 8 MB for good, and a pause in which nobody steers. Made when they are needed they cost nothing that shows.
 */
packets.writeToStream.cacheNumbers = false;
