// Protective field (docs/protocol.md, section 17): decides from distances and bumpers which directions are blocked.
// Not safety-rated. Accesses no hardware.
#pragma once
#include <stdint.h>

#include "cgw1_parts.h"

namespace cgw1 {

// Bits of RANGES.blocked.
constexpr uint8_t kForward = 1, kBackward = 2, kSilent = 4, kTurning = 8;
constexpr uint8_t kDirections = kForward | kBackward | kTurning;

// Bits of FIELD.flags.
constexpr uint8_t kFieldOn = 1;

// Value of RANGES.rangeMm if nothing is within the sensor's range.
constexpr uint16_t kNothing = 0xFFFF;

// The structure and the list of sensors are in flash memory.
struct FieldConfig {
  const Sensor *sensors;
  uint8_t sensorCount;
  bool mayBeOff;
  uint16_t marginMm;
  uint16_t reactionMs;
  uint16_t trackMm;
};

// Returns the speed of the wheels relative to the centre of a turning cart, in mm/s.
inline int32_t rimMmps(int16_t omegaDdegps, uint16_t trackMm) {
  // Half the track width times the angular speed in rad/s (1 rad = 573 tenths of a degree).
  const int32_t rim = static_cast<int32_t>(omegaDdegps) * trackMm / (2 * 573);
  return rim < 0 ? -rim : rim;
}

class Field {
 public:
  explicit Field(const FieldConfig &config) : config_(config) { restore(); }

  // Applies the configuration's values.
  void restore();
  // Applies the host's values that are stricter than the configured ones. Returns false if the field must not
  // be switched off.
  bool set(uint16_t marginMm, uint16_t reactionMs, bool on);

  // Must be called after each measurement of a sensor.
  void report(uint8_t sensor, uint16_t rangeMm);
  // Sets the state of the bumpers, one bit each. Returns true if another bumper has just been pressed.
  bool bump(uint8_t pressed, uint32_t nowMs);
  // Called every 10 ms with the current speed and the deceleration for a stop.
  void update(int16_t speedMmps, int16_t omegaDdegps, uint16_t decelMmps2, uint16_t dtMs);

  // Returns the direction of a motion with these speeds, as a bit of `blocked`.
  uint8_t direction(int16_t speedMmps, int16_t omegaDdegps) const;
  uint8_t blocked() const { return static_cast<uint8_t>(near_ | bumped() | (silent_ ? kSilent : 0)); }
  bool silent() const { return silent_; }
  uint8_t bumpers() const { return bumpers_; }
  uint8_t sensorCount() const { return config().sensorCount; }
  Sensor sensor(uint8_t at) const { return fromFlash(config().sensors[at]); }
  uint16_t rangeMm(uint8_t sensor) const { return readings_[sensor].rangeMm; }
  uint8_t ageCs(uint8_t sensor) const { return readings_[sensor].ageCs; }
  bool isValid(uint8_t sensor) const { return readings_[sensor].ageCs <= kSilentCs; }

 private:
  struct Reading {
    uint16_t rangeMm = kNothing;
    uint8_t ageCs = 255;
  };
  static constexpr uint8_t kSilentCs = 20;

  FieldConfig config() const { return fromFlash(config_); }
  uint8_t bumped() const;
  uint32_t stopMm(uint32_t speedMmps, uint16_t decelMmps2, uint8_t ageCs) const;

  const FieldConfig &config_;
  Reading readings_[kMaxSensors];
  uint16_t marginMm_;
  uint16_t reactionMs_;
  uint16_t pressedMs_ = 0;
  // Time in ms that the ages, which are in steps of 10 ms, do not yet include.
  uint8_t restMs_ = 0;
  uint8_t bumpers_ = 0;
  // Directions that are blocked because of a measured distance.
  uint8_t near_ = 0;
  bool on_ = true;
  bool silent_ = false;
};

}  // namespace cgw1
