// VL53L1X distance sensors on the I2C bus. SparkFun's library sets them up before the main loop starts. In
// the main loop, each call performs at most one step of a bus transfer, so that the call never waits.
#include "board.h"

#if CGW1_LASERS
#include <SparkFun_VL53L1X.h>
#include <Wire.h>

namespace cgw1 {
namespace board {

namespace {

using namespace config;

constexpr uint8_t kEntries = sizeof kSensors / sizeof *kSensors;
static_assert(kLasers > 0, "set CGW1_LASERS to 0");

// All sensors have the same address after power-on, so each gets a new address while the others are off.
constexpr uint8_t kFirstAddress = 0x30;
constexpr uint8_t kStartMs = 5;
constexpr uint16_t kBudgetMs = 33;
constexpr uint16_t kPeriodMs = 40;
// The bus is reset if a transfer makes no progress for this long.
constexpr uint16_t kTimeoutUs = 5000;

// Sensor registers.
constexpr uint16_t kReady = 0x0031, kClear = 0x0086, kStatus = 0x0089, kRange = 0x0096;

enum class Step : uint8_t { Ready, Status, Range, Clear };

struct Transfer {
  uint8_t out[3];
  uint8_t outBytes, outDone, inBytes, inDone;
  uint8_t in[2];
};

Transfer transfer;
Step step = Step::Ready;
uint8_t active = 0;
uint8_t status;
bool busy = false;
uint32_t stepUs;

constexpr uint8_t kContinue = _BV(TWINT) | _BV(TWEN);

void begin(uint16_t reg, uint8_t inBytes) {
  transfer = Transfer();
  transfer.out[0] = static_cast<uint8_t>(reg >> 8);
  transfer.out[1] = static_cast<uint8_t>(reg);
  transfer.outBytes = 2;
  transfer.inBytes = inBytes;
  stepUs = clockUs();
  busy = true;
  TWCR = kContinue | _BV(TWSTA);
}

void beginWrite(uint16_t reg, uint8_t value) {
  begin(reg, 0);
  transfer.out[2] = value;
  transfer.outBytes = 3;
}

enum class Bus : uint8_t { Busy, Done, Failed };

// Executes the next step of the transfer if the bus has completed the last one.
Bus advance(uint8_t address) {
  if (!(TWCR & _BV(TWINT))) {
    if (clockUs() - stepUs < kTimeoutUs) return Bus::Busy;
    TWCR = 0;
    return Bus::Failed;
  }
  stepUs = clockUs();
  Transfer &now = transfer;
  switch (TWSR & 0xF8) {
    case 0x08:  // start
      TWDR = static_cast<uint8_t>(address << 1);
      TWCR = kContinue;
      return Bus::Busy;
    case 0x10:  // repeated start
      TWDR = static_cast<uint8_t>(address << 1 | 1);
      TWCR = kContinue;
      return Bus::Busy;
    case 0x18:  // address acknowledged
    case 0x28:  // byte acknowledged
      if (now.outDone < now.outBytes) {
        TWDR = now.out[now.outDone++];
        TWCR = kContinue;
        return Bus::Busy;
      }
      if (now.inBytes == 0) break;
      TWCR = kContinue | _BV(TWSTA);
      return Bus::Busy;
    case 0x50:  // byte received; more bytes follow
      now.in[now.inDone++] = TWDR;
      // fall through
    case 0x40:  // address acknowledged for reading
      TWCR = kContinue | (now.inDone + 1 < now.inBytes ? _BV(TWEA) : 0);
      return Bus::Busy;
    case 0x58:  // last byte received
      now.in[now.inDone++] = TWDR;
      break;
    default:
      TWCR = kContinue | _BV(TWSTO);
      return Bus::Failed;
  }
  TWCR = kContinue | _BV(TWSTO);
  return Bus::Done;
}

void report(Field &field, uint16_t rangeMm) {
  const uint16_t longestMm = static_cast<uint16_t>(fromFlash(kSensors[active].maxRangeCm) * 10);
  switch (status & 0x1F) {
    case 9:  // measured
    case 6:  // measured with a large deviation
    case 3:  // below the minimum range
      return field.report(active, rangeMm <= longestMm ? rangeMm : kNothing);
    case 4:  // too little reflected light
    case 5:
    case 7:  // beyond the maximum range
      return field.report(active, kNothing);
    default:  // no measurement; the sensor soon counts as silent
      return;
  }
}

void next() {
  step = Step::Ready;
  do {
    active = active + 1 >= kEntries ? 0 : active + 1;
  } while (fromFlash(kSensors[active].kind) != SensorKind::Laser);
}

void beginStep() {
  switch (step) {
    case Step::Ready: return begin(kReady, 1);
    case Step::Status: return begin(kStatus, 1);
    case Step::Range: return begin(kRange, 2);
    case Step::Clear: return beginWrite(kClear, 1);
  }
}

void finishStep(Field &field) {
  const uint8_t *in = transfer.in;
  switch (step) {
    case Step::Ready:
      if (!(in[0] & 1)) return next();
      step = Step::Status;
      return;
    case Step::Status:
      status = in[0];
      step = Step::Range;
      return;
    case Step::Range:
      report(field, static_cast<uint16_t>(in[0] << 8 | in[1]));
      step = Step::Clear;
      return;
    case Step::Clear: return next();
  }
}

}  // namespace

void startLasers() {
  for (uint8_t at = 0; at < kEntries; at++) {
    const Sensor sensor = fromFlash(kSensors[at]);
    if (sensor.kind != SensorKind::Laser) continue;
    pinMode(sensor.pin, OUTPUT);
    digitalWrite(sensor.pin, LOW);
  }
  Wire.begin();
  for (uint8_t at = 0; at < kEntries; at++) {
    const Sensor sensor = fromFlash(kSensors[at]);
    if (sensor.kind != SensorKind::Laser) continue;
    // The module pulls the pin up to its own supply voltage, so the pin must not be driven to 5 V.
    pinMode(sensor.pin, INPUT);
    delay(kStartMs);
    SFEVL53L1X laser(Wire);
    // `begin` returns true if the sensor does not respond; the sensor then counts as silent.
    if (laser.begin()) continue;
    laser.setI2CAddress(static_cast<uint8_t>((kFirstAddress + at) << 1));
    laser.setDistanceModeLong();
    laser.setTimingBudgetInMs(kBudgetMs);
    laser.setIntermeasurementPeriod(kPeriodMs);
    laser.startRanging();
  }
  // From here on, the bus is polled and its interrupt is off.
  TWCR = 0;
}

void measureLasers(Field &field) {
  if (!busy) {
    if (fromFlash(kSensors[active].kind) != SensorKind::Laser) next();
    return beginStep();
  }
  const Bus result = advance(static_cast<uint8_t>(kFirstAddress + active));
  if (result == Bus::Busy) return;
  busy = false;
  if (result == Bus::Failed) next();
  else finishStep(field);
}

}  // namespace board
}  // namespace cgw1
#endif
