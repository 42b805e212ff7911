/** Sabertooth packetized serial: four bytes to the board, and nothing ever comes back. */

/**
 * Older units find the speed of the line by this byte, which must come first after they are switched on; to newer ones it
 * is the address of nobody.
 */
export const BAUDING = Uint8Array.of(0xaa);

/** `address` 128…135, `command` and `value` 0…127; the checksum is their sum in seven bits. */
export function sabertoothPacket(address: number, command: number, value: number): Uint8Array {
  return Uint8Array.of(address, command, value, (address + command + value) & 0x7f);
}
