// Reference firmware for a two-wheel cart with CGW1 (docs/protocol.md). Connects the controller in cgw1.h to
// Serial, pins and millis(). Intended for an Uno-class board with an H-bridge (two PWM pins, two direction
// pins, one enable pin) and no encoders: distances are estimated from time and reported as estimates. Before
// the first run, lift the wheels off the ground, set the constants below, and verify that the hard-wired
// emergency stop cuts the motor power independently of this program.
#include "cgw1.h"

// firmware/build.sh sets the commit.
#if !defined(CGW1_REVISION)
#define CGW1_REVISION 0
#endif

#if defined(__AVR__)
#include <EEPROM.h>
#include <avr/wdt.h>
#endif

namespace {

constexpr long kBaud = 115200;
// Limits the bytes that one iteration of the main loop reads, even if they contain no frame.
constexpr uint8_t kBytesPerLoop = 32;

// The enable pin needs a pull-down resistor, which keeps the motors off while the board starts.
constexpr uint8_t kEnablePin = 8;
// Second contact of the emergency-stop button, normally closed, connected to ground. HIGH means that the
// button is pressed or a wire is broken.
constexpr uint8_t kEstopPin = 2;
// Reset button on the cart, normally open, to ground. Mount it where it cannot be reached from the cart's
// path.
constexpr uint8_t kResetPin = 3;
constexpr uint8_t kLeftPwmPin = 5;
constexpr uint8_t kLeftDirPin = 4;
constexpr uint8_t kRightPwmPin = 6;
constexpr uint8_t kRightDirPin = 7;
constexpr uint8_t kBatteryPin = A0;

// Measure these values on the cart.
constexpr int16_t kFullSpeedMmps = 800;      // wheel speed at full PWM
constexpr uint16_t kTrackMm = 400;            // distance between the wheels
constexpr uint16_t kFullScaleMv = 25000;      // battery voltage at an ADC reading of 1023
constexpr uint16_t kLowestMv = 10500;         // a lower battery voltage causes the fault "undervolt"

constexpr cgw1::Config kConfig = {
    /* caps */ cgw1::kCapBattery | cgw1::kCapEstopInput,
    /* version */ 1, 1, 0,
    /* maxSpeedMmps */ 500,
    /* accelMmps2 */ 400,
    /* decelMmps2 */ 500,
    /* omegaMaxDdegps */ 900,
    /* trackMm */ kTrackMm,
    /* revision */ CGW1_REVISION,
};

cgw1::Controller controller(kConfig);

uint16_t batteryMv() {
  return static_cast<uint16_t>(static_cast<uint32_t>(analogRead(kBatteryPin)) * kFullScaleMv / 1023);
}

void driveWheel(uint8_t pwmPin, uint8_t dirPin, int32_t speedMmps) {
  const int32_t duty = (speedMmps < 0 ? -speedMmps : speedMmps) * 255 / kFullSpeedMmps;
  digitalWrite(dirPin, speedMmps < 0 ? LOW : HIGH);
  analogWrite(pwmPin, static_cast<int>(duty > 255 ? 255 : duty));
}

}  // namespace

namespace cgw1 {
namespace board {

void send(const uint8_t *wire, uint8_t length) { Serial.write(wire, length); }

uint8_t room() { return static_cast<uint8_t>(Serial.availableForWrite()); }

void enable(bool on) { digitalWrite(kEnablePin, on ? HIGH : LOW); }

void drive(int16_t speedMmps, int16_t omegaDdegps) {
  // Half the track times the angular speed in rad/s (1 rad = 573 tenths of a degree).
  const int32_t sideMmps = static_cast<int32_t>(omegaDdegps) * kTrackMm / (2 * 573);
  driveWheel(kLeftPwmPin, kLeftDirPin, speedMmps - sideMmps);
  driveWheel(kRightPwmPin, kRightDirPin, speedMmps + sideMmps);
}

bool estopHealthy() { return digitalRead(kEstopPin) == LOW; }

bool resetPressed() { return digitalRead(kResetPin) == LOW; }

uint16_t faults() { return batteryMv() < kLowestMv ? kUndervolt : 0; }

bool odometer(int32_t &, int32_t &) { return false; }

void telemetry(Telemetry &out) { out.batteryMv = batteryMv(); }

}  // namespace board
}  // namespace cgw1

#if defined(__AVR__)
namespace {

// A value that survives a reset but not a loss of power. It shows the cause of the reset if the boot loader
// clears MCUSR, as Optiboot does.
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

// Called at the watchdog's first timeout. At the second one, 125 ms later, the watchdog resets the board; it
// also does so if interrupts are disabled and this function is not called.
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
  pinMode(kLeftPwmPin, OUTPUT);
  pinMode(kLeftDirPin, OUTPUT);
  pinMode(kRightPwmPin, OUTPUT);
  pinMode(kRightDirPin, OUTPUT);
  Serial.begin(kBaud);

  uint16_t bootCount = 0;
  cgw1::Reset cause = cgw1::Reset::PowerOn;
#if defined(__AVR__)
  cause = resetCause(resetFlags);
  EEPROM.get(0, bootCount);
  bootCount++;
  EEPROM.put(0, bootCount);
  // 125 ms to the interrupt, and 250 ms to the reset.
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
