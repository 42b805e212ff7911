// Reference firmware for a two-wheel cart with CGW1 (docs/protocol.md). Connects the controller in cgw1.h to
// Serial, pins and millis(); config.h contains everything that depends on the cart. Before the first run, lift the
// wheels off the ground, set the values in config.h, and verify that the hard-wired emergency stop cuts the motor
// power independently of this program.
#include "board.h"
#include "cgw1.h"
#include "config.h"

// The source commit, which firmware/build.sh defines.
#if !defined(CGW1_REVISION)
#define CGW1_REVISION 0
#endif

#if defined(__AVR__)
#include <EEPROM.h>
#include <avr/wdt.h>
#endif

namespace {

using namespace cgw1::config;

// Limits the bytes that one iteration of the main loop reads, even if they contain no frame.
constexpr uint8_t kBytesPerLoop = 32;

constexpr uint8_t kSensorCount = cgw1::countOf(kSensors);
constexpr bool kHasBumpers = kBumperPins[0] != cgw1::kNone || kBumperPins[1] != cgw1::kNone ||
                             kBumperPins[2] != cgw1::kNone || kBumperPins[3] != cgw1::kNone;
constexpr bool kHasMotorTemps = kLeftTempPin != cgw1::kNone && kRightTempPin != cgw1::kNone;

constexpr uint16_t kCaps = cgw1::kCapEstopInput | (kBatteryPin != cgw1::kNone ? cgw1::kCapBattery : 0) |
                           (cgw1::kHasEncoders ? cgw1::kCapClosedLoop | cgw1::kCapOdometry : 0) |
                           (kHasMotorTemps ? cgw1::kCapMotorTemp : 0) |
                           (kSensorCount > 0 || kHasBumpers ? cgw1::kCapField : 0);

constexpr cgw1::Config kConfig PROGMEM = {
    /* caps */ kCaps,
    /* version */ 1, 3, 0,
    kMaxSpeedMmps,
    kAccelMmps2,
    kDecelMmps2,
    kOmegaMaxDdegps,
    kTrackMm,
    /* revision */ CGW1_REVISION,
    /* field */ {kSensors, kSensorCount, kFieldMayBeOff, kMarginMm, kReactionMs, kTrackMm},
};

// An update of the firmware writes the first page of the flash memory last. While that page is blank, the
// processor runs through it into the next page, which must therefore not contain the middle of a program. These
// instructions follow the interrupt vectors and extend into the second page: 0x80 on an ATmega328P, 0x100 on an
// ATmega2560.
asm(".section .vectors, \"ax\", @progbits\n .rept 8\n cli\n rjmp .-2\n .endr\n .text\n");

cgw1::Controller controller(kConfig);

// Analogue inputs, one of which is read every 10 ms.
constexpr uint8_t kAnaloguePins[] = {kBatteryPin, kBoardTempPin, kLeftTempPin, kRightTempPin};
enum : uint8_t { kBattery, kBoardTemp, kLeftTemp, kRightTemp, kAnalogues };
uint16_t readings[kAnalogues];
uint8_t nextReading = 0;

// Returns 0 if the input is not connected.
void readAnalogue() {
  for (uint8_t tries = 0; tries < kAnalogues; tries++) {
    const uint8_t at = nextReading;
    nextReading = at + 1 == kAnalogues ? 0 : at + 1;
    if (kAnaloguePins[at] == cgw1::kNone) continue;
    readings[at] = static_cast<uint16_t>(analogRead(kAnaloguePins[at]));
    return;
  }
}

uint16_t batteryMv() {
  return static_cast<uint16_t>(static_cast<uint32_t>(readings[kBattery]) * kFullScaleMv / 1023);
}

// A TMP36 at the 5 V reference; -128 = not measured.
int8_t celsius(uint8_t at) {
  if (kAnaloguePins[at] == cgw1::kNone) return -128;
  const int16_t value = static_cast<int16_t>(static_cast<uint32_t>(readings[at]) * 500 / 1023) - 50;
  return static_cast<int8_t>(value > 127 ? 127 : value);
}

void showState(cgw1::State state) {
  if (kLedPin == cgw1::kNone) return;
  const uint16_t now = static_cast<uint16_t>(millis());
  bool on = false;
  switch (state) {
    case cgw1::State::Boot:
    case cgw1::State::LinkLost: on = (now & 2047) < 100; break;
    case cgw1::State::Idle: on = (now & 512) != 0; break;
    case cgw1::State::Running:
    case cgw1::State::Stopping: on = true; break;
    case cgw1::State::Estop:
    case cgw1::State::Fault: on = (now & 128) != 0; break;
  }
  digitalWrite(kLedPin, on ? HIGH : LOW);
}

}  // namespace

namespace cgw1 {
namespace board {

void send(const uint8_t *wire, uint8_t length) { Serial.write(wire, length); }

uint8_t room() { return static_cast<uint8_t>(Serial.availableForWrite()); }

void enable(bool on) { digitalWrite(kEnablePin, on ? HIGH : LOW); }

void sample(State state) {
  readAnalogue();
  sampleWheels();
  showState(state);
}

bool estopHealthy() { return digitalRead(kEstopPin) == LOW; }

bool resetPressed() { return digitalRead(kResetPin) == LOW; }

uint8_t bumpers() {
  uint8_t pressed = 0;
  for (uint8_t at = 0; at < kMaxBumpers; at++) {
    if (kBumperPins[at] != kNone && digitalRead(kBumperPins[at]) != LOW) pressed |= static_cast<uint8_t>(1 << at);
  }
  return pressed;
}

uint16_t faults() {
  uint16_t found = wheelFaults();
  if (kBatteryPin != kNone && batteryMv() < kLowestMv) found |= kUndervolt;
  if (celsius(kBoardTemp) > kBoardHottestC) found |= kOvertempBoard;
  if (celsius(kLeftTemp) > kMotorHottestC) found |= kOvertempM1;
  if (celsius(kRightTemp) > kMotorHottestC) found |= kOvertempM2;
  return found;
}

void telemetry(Telemetry &out) {
  out.batteryMv = batteryMv();
  out.tempBoardC = celsius(kBoardTemp);
  out.tempM1C = celsius(kLeftTemp);
  out.tempM2C = celsius(kRightTemp);
}

}  // namespace board
}  // namespace cgw1

#if defined(__AVR__)
namespace {

// A value that survives a reset but not a loss of power. This value shows the cause of the reset if the
// boot loader clears MCUSR, as Optiboot does.
constexpr uint16_t kRunning = 0x52A7, kHung = 0xA81D;
volatile uint16_t trace __attribute__((section(".noinit")));

cgw1::Reset resetCause(uint8_t flags) {
  const uint16_t before = trace;
  trace = kRunning;
  if (flags & _BV(PORF)) return cgw1::Reset::PowerOn;
  if (before == kHung || (flags & _BV(WDRF))) return cgw1::Reset::Watchdog;
  if (flags & _BV(BORF)) return cgw1::Reset::Brownout;
  return before == kRunning || (flags & _BV(EXTRF)) ? cgw1::Reset::External : cgw1::Reset::PowerOn;
}

}  // namespace

// Called at the watchdog's first timeout. At the second timeout, 125 ms later, the watchdog resets the board,
// even if interrupts are disabled and this function is not called.
ISR(WDT_vect) {
  cgw1::board::enable(false);
  trace = kHung;
  for (;;) {
  }
}
#endif

void setup() {
#if defined(__AVR__)
  // After a watchdog reset, the watchdog remains active with a timeout of 15 ms, so it is disabled here.
  const uint8_t resetFlags = MCUSR;
  MCUSR = 0;
  wdt_disable();
#endif
  // Disables the motors before anything else.
  pinMode(kEnablePin, OUTPUT);
  digitalWrite(kEnablePin, LOW);
  pinMode(kEstopPin, INPUT_PULLUP);
  pinMode(kResetPin, INPUT_PULLUP);
  if (kLedPin != cgw1::kNone) pinMode(kLedPin, OUTPUT);
  for (uint8_t at = 0; at < cgw1::kMaxBumpers; at++) {
    if (kBumperPins[at] != cgw1::kNone) pinMode(kBumperPins[at], INPUT_PULLUP);
  }
  cgw1::board::startWheels();
  cgw1::board::startSensors();
  Serial.begin(kBaud);
  for (uint8_t at = 0; at < kAnalogues; at++) readAnalogue();

  uint16_t bootCount = 0;
  cgw1::Reset cause = cgw1::Reset::PowerOn;
#if defined(__AVR__)
  cause = resetCause(resetFlags);
  EEPROM.get(0, bootCount);
  bootCount++;
  EEPROM.put(0, bootCount);
  // The interrupt occurs after 125 ms, and the reset after 250 ms.
  wdt_enable(WDTO_120MS);
  WDTCSR |= _BV(WDIE);
#endif
  controller.begin(static_cast<uint32_t>(millis()), bootCount, cause);
}

void loop() {
#if defined(__AVR__)
  wdt_reset();
#endif
  const uint32_t now = static_cast<uint32_t>(millis());
  for (uint8_t left = kBytesPerLoop; left > 0 && Serial.available() > 0; left--) {
    if (controller.receive(static_cast<uint8_t>(Serial.read()), now)) break;
  }
  controller.tick(now);
}
