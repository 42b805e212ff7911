// Functions that access the hardware, in addition to those in cgw1.h.
#pragma once
#include <Arduino.h>

#include "cgw1.h"
#include "config.h"

namespace cgw1 {

constexpr bool kHasEncoders = config::kLeftEncoder.aPin != kNone && config::kRightEncoder.aPin != kNone;
constexpr uint8_t kUltrasonics = countOf(config::kSensors, SensorKind::Ultrasonic);
constexpr uint8_t kLasers = countOf(config::kSensors, SensorKind::Laser);
static_assert(kLasers == 0 || CGW1_LASERS, "set CGW1_LASERS to 1");

namespace board {

void startWheels();
void sampleWheels();
uint16_t wheelFaults();
void startSensors();
void startLasers();
void measureLasers(Field &field);

// Called by the pin-change interrupt handler.
void onWheelEdge();
void onEchoEdge();
// Enables the pin-change interrupt of `pin`.
void watchPin(int pin);

inline uint32_t clockUs() { return static_cast<uint32_t>(micros()); }

// A pin that is read by an interrupt handler.
struct FastPin {
  volatile uint8_t *port = nullptr;
  uint8_t mask = 0;

  void set(uint8_t pin) {
    port = portInputRegister(digitalPinToPort(pin));
    mask = digitalPinToBitMask(pin);
  }
  bool isHigh() const { return (*port & mask) != 0; }
};

constexpr bool hasPinChange(uint8_t pin) {
#if defined(__AVR_ATmega2560__)
  return (pin >= 10 && pin <= 13) || (pin >= 50 && pin <= 53) || (pin >= A8 && pin <= A15);
#else
  return pin <= A5;
#endif
}

}  // namespace board
}  // namespace cgw1
