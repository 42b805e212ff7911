// A fully equipped test cart: encoders, two ultrasonic sensors and two bumpers, on an Uno or a Mega 2560.
#pragma once
#include <Arduino.h>

#include "cgw1_parts.h"

// 1 = kSensors contains lasers, which need the library "SparkFun VL53L1X 4m Laser Distance Sensor".
#define CGW1_LASERS 0

namespace cgw1 {
namespace config {

constexpr long kBaud = 115200;

// The enable pin needs a pull-down resistor, which keeps the motors off while the board starts.
constexpr uint8_t kEnablePin = 8;
// Second contact of the emergency-stop button, normally closed, connected to ground. HIGH means that the
// button is pressed or a wire is broken.
constexpr uint8_t kEstopPin = 2;
// Reset button on the cart, normally open, to ground. Mount the reset button where it cannot be reached from
// the cart's path.
constexpr uint8_t kResetPin = 3;
// Status LED: on while the cart moves; flashes at 1 Hz when ready, at 4 Hz during an emergency stop or a
// fault, and briefly every 2 s while disconnected. kNone = no LED.
constexpr uint8_t kLedPin = kNone;

constexpr Motor kLeftMotor = {/* PWM */ 5, /* DIR */ 4, /* inverted */ false};
constexpr Motor kRightMotor = {/* PWM */ 6, /* DIR */ 7, /* inverted */ false};

// Measure these values on the cart.
constexpr int16_t kFullSpeedMmps = 800;  // wheel speed at full PWM
constexpr uint16_t kTrackMm = 400;       // distance between the wheels

// The cart's limits, which a LIMITS frame from the host can only lower.
constexpr uint16_t kMaxSpeedMmps = 500;
constexpr uint16_t kAccelMmps2 = 400;
constexpr uint16_t kDecelMmps2 = 500;
constexpr uint16_t kOmegaMaxDdegps = 900;

// Without encoders (kNone), distances are estimated from time. With encoders on both wheels, the speeds are
// controlled and the distances are measured. Pins with pin-change interrupts: all pins of an Uno or Nano; pins
// 10 to 13, 50 to 53 and A8 to A15 of a Mega.
constexpr Encoder kLeftEncoder = {/* A */ 10, /* B */ 11, /* inverted */ false, /* umPerCount */ 300};
constexpr Encoder kRightEncoder = {/* A */ 12, /* B */ 13, /* inverted */ false, /* umPerCount */ 300};
// Speed controller, in 1/256 of a PWM step: per mm/s of the speed error, and per mm of its integral.
constexpr uint16_t kProportional = 160;
constexpr uint16_t kIntegral = 400;
constexpr uint16_t kLagMs = 100;  // time in which a wheel reaches 63 % of a new speed

// Battery voltage through a divider. kNone = not measured.
constexpr uint8_t kBatteryPin = A0;
constexpr uint16_t kFullScaleMv = 25000;  // battery voltage at an ADC reading of 1023
constexpr uint16_t kLowestMv = 10500;     // a lower battery voltage causes the fault "undervolt"

// TMP36 temperature sensors (10 mV/K, 500 mV at 0 °C). kNone = not measured.
constexpr uint8_t kBoardTempPin = kNone;
constexpr uint8_t kLeftTempPin = kNone;
constexpr uint8_t kRightTempPin = kNone;
constexpr int8_t kBoardHottestC = 70;  // a higher temperature causes the fault "overtemp"
constexpr int8_t kMotorHottestC = 80;

// Bumpers: normally closed contacts to ground. Front left, front right, rear left, rear right.
constexpr uint8_t kBumperPins[kMaxBumpers] = {A5, kNone, 9, kNone};

// Distance sensors of the protective field, which is not safety-rated. Up to eight, for example:
//   {SensorKind::Ultrasonic, /* trigger */ A1, /* echo */ A2, /* angleDdeg */ 0, /* degrees */ 30, /* cm */ 250},
//   {SensorKind::Laser, /* XSHUT */ 9, kNone, /* angleDdeg */ 1800, /* degrees */ 27, /* cm */ 300},
// Echo pins need pin-change interrupts. Lasers use the I2C pins (A4 and A5 on an Uno, 20 and 21 on a Mega).
#if defined(__AVR_ATmega2560__)
constexpr uint8_t kFrontEcho = A8, kRearEcho = A9;
#else
constexpr uint8_t kFrontEcho = A2, kRearEcho = A4;
#endif
constexpr Sensor kSensors[] PROGMEM = {
    {SensorKind::Ultrasonic, A1, kFrontEcho, 0, 30, 250},
    {SensorKind::Ultrasonic, A3, kRearEcho, 1800, 30, 250},
};
// The host can only make the field stricter.
constexpr uint16_t kMarginMm = 100;
constexpr uint16_t kReactionMs = 100;
// True if the host is permitted to switch the field off.
constexpr bool kFieldMayBeOff = false;

}  // namespace config
}  // namespace cgw1
