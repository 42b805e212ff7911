#include "cgw1_wire.h"

namespace cgw1 {

uint16_t crc16(const uint8_t *bytes, uint8_t length) {
  uint16_t crc = 0xFFFF;
  for (uint8_t at = 0; at < length; at++) {
    // Equivalent to eight steps of one bit each, because 0x1021 has only three bits below bit 16.
    uint8_t mixed = static_cast<uint8_t>(crc >> 8) ^ bytes[at];
    mixed ^= static_cast<uint8_t>(mixed >> 4);
    const uint16_t wide = mixed;
    crc = static_cast<uint16_t>((crc << 8) ^ (wide << 12) ^ (wide << 5) ^ wide);
  }
  return crc;
}

uint8_t cobsEncode(const uint8_t *raw, uint8_t length, uint8_t *wire) {
  uint8_t codeAt = 0;
  uint8_t at = 1;
  // A frame is far shorter than 254 bytes, so a block is never full.
  for (uint8_t from = 0; from < length; from++) {
    if (raw[from] != 0) {
      wire[at++] = raw[from];
      continue;
    }
    wire[codeAt] = at - codeAt;
    codeAt = at++;
  }
  wire[codeAt] = at - codeAt;
  wire[at++] = 0;
  return at;
}

uint8_t cobsDecode(uint8_t *bytes, uint8_t length) {
  uint8_t from = 0;
  uint8_t to = 0;
  while (from < length) {
    const uint8_t code = bytes[from++];
    if (code == 0 || code - 1 > length - from) return 0;
    for (uint8_t left = code - 1; left > 0; left--) bytes[to++] = bytes[from++];
    if (from < length) bytes[to++] = 0;
  }
  return to;
}

int8_t hostPayloadBytes(uint8_t type) {
  switch (static_cast<Type>(type)) {
    case Type::Hello: return 8;
    case Type::Heartbeat: return 3;
    case Type::Build:
    case Type::Sensors: return 0;
    case Type::Move: return 16;
    case Type::Jog: return 10;
    case Type::Stop: return 5;
    case Type::Estop: return 1;
    case Type::EstopReset: return 2;
    case Type::Limits: return 8;
    case Type::Field: return 5;
    case Type::Ack:
    case Type::Nack: return 6;
    default: return -1;
  }
}

Outgoing::Outgoing(Type type, uint8_t flags, uint8_t seq, uint8_t session) : length_(0) {
  u8(static_cast<uint8_t>((kVersion << 4) | flags)).u8(static_cast<uint8_t>(type)).u8(seq).u8(session);
}

Outgoing &Outgoing::u8(uint8_t value) {
  if (length_ < kMaxRaw) raw_[length_++] = value;
  return *this;
}

Outgoing &Outgoing::u16(uint16_t value) {
  return u8(static_cast<uint8_t>(value)).u8(static_cast<uint8_t>(value >> 8));
}

Outgoing &Outgoing::u32(uint32_t value) {
  return u16(static_cast<uint16_t>(value)).u16(static_cast<uint16_t>(value >> 16));
}

uint8_t Outgoing::seal(uint8_t *wire) {
  u16(crc16(raw_, length_));
  return cobsEncode(raw_, length_, wire);
}

Deframer::Result Deframer::push(uint8_t byte) {
  if (byte != 0) {
    if (length_ < kMaxStuffed) buffer_[length_++] = byte;
    else overflowed_ = true;
    return Result::None;
  }
  const uint8_t length = length_;
  const bool overflowed = overflowed_;
  length_ = 0;
  overflowed_ = false;
  if (length == 0) return Result::None;
  rawBytes_ = overflowed ? 0 : cobsDecode(buffer_, length);
  if (rawBytes_ < kHeadBytes + kCrcBytes) return Result::Noise;
  const uint8_t crcAt = rawBytes_ - kCrcBytes;
  return crc16(buffer_, crcAt) == readU16(buffer_ + crcAt) ? Result::Frame : Result::Noise;
}

}  // namespace cgw1
