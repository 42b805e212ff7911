// Types for config.h: the parts that can be connected to the board.
#pragma once
#include <stdint.h>

// The configuration stays in flash memory.
#if defined(__AVR__)
#include <avr/pgmspace.h>
#else
#include <string.h>
#define PROGMEM
#define memcpy_P memcpy
#endif

namespace cgw1 {

template <typename T>
T fromFlash(const T &value) {
  T copy;
  memcpy_P(&copy, &value, sizeof copy);
  return copy;
}

// A pin that is not connected.
constexpr uint8_t kNone = 255;

// A motor driver with a PWM pin and a direction pin (high = forward).
struct Motor {
  uint8_t pwmPin, dirPin;
  // Reverses the direction of a motor that turns backwards when the direction pin is high.
  bool inverted;
};

// A wheel encoder. Every change of channel A is counted; with two channels, so is every change of channel B.
// With one channel (bPin = kNone), the direction is that of the motor.
struct Encoder {
  uint8_t aPin, bPin;
  bool inverted;
  // Distance that the wheel travels per count, in micrometres.
  uint16_t umPerCount;
};

// Ultrasonic: HC-SR04 or similar; `pin` is the trigger, `echoPin` the echo. Laser: VL53L1X; `pin` is XSHUT.
enum class SensorKind : uint8_t { None, Ultrasonic, Laser };

struct Sensor {
  SensorKind kind;
  uint8_t pin, echoPin;
  // Direction in tenths of a degree: 0 = straight ahead, positive = to the left, 1800 = straight back.
  int16_t angleDdeg;
  uint8_t fieldOfViewDeg;
  uint16_t maxRangeCm;
};

constexpr Sensor kNoSensor = {SensorKind::None, kNone, kNone, 0, 0, 0};

constexpr uint8_t kMaxSensors = 8;
constexpr uint8_t kMaxBumpers = 4;

template <uint8_t kCount>
constexpr uint8_t countOf(const Sensor (&sensors)[kCount], SensorKind kind, uint8_t at = 0) {
  return at == kCount
             ? 0
             : static_cast<uint8_t>((sensors[at].kind == kind ? 1 : 0) + countOf(sensors, kind, at + 1));
}

template <uint8_t kCount>
constexpr uint8_t countOf(const Sensor (&sensors)[kCount]) {
  static_assert(kCount <= kMaxSensors, "too many sensors");
  return static_cast<uint8_t>(kCount - countOf(sensors, SensorKind::None));
}

}  // namespace cgw1
