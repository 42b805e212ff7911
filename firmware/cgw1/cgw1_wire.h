// CGW1 wire format (docs/protocol.md): constants, CRC, COBS and the deframer. Allocates no heap memory and
// accesses no hardware.
#pragma once
#include <stdint.h>

namespace cgw1 {

constexpr uint8_t kVersion = 1;
constexpr uint8_t kHeadBytes = 4;
constexpr uint8_t kCrcBytes = 2;
constexpr uint8_t kMaxRaw = 54;
constexpr uint8_t kMaxStuffed = kMaxRaw + 1;
constexpr uint8_t kMaxWire = kMaxStuffed + 1;
// Encoded size, in bytes, of the frames that the controller sends by itself.
constexpr uint8_t kStatusWire = 45;
constexpr uint8_t kEventWire = 20;

// Frame flags, in the low nibble of the first byte.
constexpr uint8_t kAckReq = 1;
constexpr uint8_t kReply = 2;
constexpr uint8_t kRetry = 4;

enum class Type : uint8_t {
  Unknown = 0x00,  // used only as `ofType` in a NACK
  Hello = 0x01,
  Heartbeat = 0x02,
  Build = 0x03,
  Sensors = 0x04,
  Move = 0x10,
  Jog = 0x11,
  Stop = 0x12,
  Estop = 0x13,
  EstopReset = 0x14,
  Limits = 0x15,
  Field = 0x16,
  HelloReply = 0x81,
  Status = 0x82,
  Event = 0x83,
  BuildReply = 0x85,
  Ranges = 0x86,
  SensorsReply = 0x87,
  Ack = 0x90,
  Nack = 0x91,
};

enum class Refusal : uint8_t {
  BadLength = 2,
  UnknownType,
  BadSession,
  EstopActive,
  Fault,
  Busy,
  Range,
  Expired,
  Unsupported,
  Disarmed,
};

enum class State : uint8_t { Boot, Idle, Running, Stopping, Estop, Fault, LinkLost };

enum class Event : uint8_t { Started = 1, Finished, Failed, Cancelled, Expired, Fault };

// Values of EVENT.code, which states why a motion ended.
enum class Reason : uint8_t {
  None,
  Stop,
  Disarmed,
  Lease,
  Superseded,
  TooLong,
  LinkLost,
  Estop,
  Fault,
  Obstacle,
  SensorSilent,
};

// HELLO_R.resetCause.
enum class Reset : uint8_t { PowerOn, External, Watchdog, Brownout };

// Bits of HELLO_R.caps.
constexpr uint16_t kCapClosedLoop = 1u << 0, kCapHeading = 1u << 1, kCapOdometry = 1u << 2, kCapBattery = 1u << 3,
                   kCapMotorTemp = 1u << 4, kCapEstopInput = 1u << 5, kCapBrake = 1u << 6, kCapField = 1u << 7,
                   kCapSimulated = 1u << 15;

// Bits of STATUS.faults.
constexpr uint16_t kUndervolt = 1u << 0, kOvercurrent = 1u << 1, kOvertempM1 = 1u << 2, kOvertempM2 = 1u << 3,
                   kOvertempBoard = 1u << 4, kEncoder = 1u << 5, kStall = 1u << 6, kWatchdogReset = 1u << 7,
                   kBrownout = 1u << 8, kLinkLost = 1u << 9, kCrcBurst = 1u << 10, kObstacle = 1u << 11,
                   kSensorSilent = 1u << 12, kEstopInput = 1u << 13;

// CRC-16/CCITT-FALSE, computed without a table, which would take 512 bytes. The CRC of "123456789" is 0x29B1.
uint16_t crc16(const uint8_t *bytes, uint8_t length);

// Encodes up to kMaxRaw bytes into `wire` and appends 0x00. Returns the number of bytes written.
uint8_t cobsEncode(const uint8_t *raw, uint8_t length, uint8_t *wire);

// Decodes in place. Returns the decoded length, or 0 if the bytes are invalid.
uint8_t cobsDecode(uint8_t *bytes, uint8_t length);

// Returns the payload length for a frame type that the host sends, or -1 for any other type.
int8_t hostPayloadBytes(uint8_t type);

inline uint16_t readU16(const uint8_t *at) { return static_cast<uint16_t>(at[0] | (static_cast<uint16_t>(at[1]) << 8)); }
inline int16_t readI16(const uint8_t *at) { return static_cast<int16_t>(readU16(at)); }
inline uint32_t readU32(const uint8_t *at) { return readU16(at) | (static_cast<uint32_t>(readU16(at + 2)) << 16); }
inline int32_t readI32(const uint8_t *at) { return static_cast<int32_t>(readU32(at)); }

// Builds a frame. Append the payload fields in wire order, then call `seal`.
class Outgoing {
 public:
  Outgoing(Type type, uint8_t flags, uint8_t seq, uint8_t session);
  Outgoing &u8(uint8_t value);
  Outgoing &u16(uint16_t value);
  Outgoing &u32(uint32_t value);
  // Adds the CRC and writes the encoded frame to `wire`, which must hold kMaxWire bytes.
  uint8_t seal(uint8_t *wire);
  // Number of bytes on the wire, including the CRC, one byte for COBS and the delimiter.
  uint8_t wireBytes() const { return static_cast<uint8_t>(length_ + kCrcBytes + 2); }

 private:
  uint8_t raw_[kMaxRaw];
  uint8_t length_;
};

class Deframer {
 public:
  enum class Result : uint8_t { None, Frame, Noise };
  // If the result is `Frame`, raw() points to rawBytes() bytes with a correct CRC until the next push.
  Result push(uint8_t byte);
  const uint8_t *raw() const { return buffer_; }
  uint8_t rawBytes() const { return rawBytes_; }

 private:
  uint8_t buffer_[kMaxStuffed];
  uint8_t length_ = 0;
  uint8_t rawBytes_ = 0;
  bool overflowed_ = false;
};

}  // namespace cgw1
