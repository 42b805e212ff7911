// Speed measurement and speed control of one wheel with an encoder, and the rules for its faults. Accesses no hardware.
#pragma once
#include "cgw1_parts.h"

namespace cgw1 {

// Counts from the encoder's interrupt handler.
struct Counts {
  int32_t count;
  // Time of the last count, in microseconds.
  uint32_t edgeUs;
  // Number of simultaneous changes of both channels, which an intact encoder does not produce.
  uint16_t errors;
};

// The shortest time between two counts, in microseconds: half of that at full speed, because a wheel can be faster
// than configured and the slots of an encoder are not exactly equal.
constexpr uint32_t shortestCountUs(int16_t fullSpeedMmps, uint16_t umPerCount) {
  return static_cast<uint32_t>(umPerCount) * 1000 / (2 * static_cast<uint32_t>(fullSpeedMmps));
}

// Counts a change of an encoder with one channel, unless it follows the last count too soon: a bouncing contact or
// interference would otherwise count as movement. With two channels, bounces cancel each other.
inline void countEdge(volatile Counts &counts, int8_t step, uint32_t nowUs, uint32_t shortestUs) {
  if (nowUs - counts.edgeUs < shortestUs) return;
  counts.count += step;
  counts.edgeUs = nowUs;
}

class Wheel {
 public:
  // Stored in flash memory.
  struct Setup {
    int16_t fullSpeedMmps;
    uint16_t umPerCount;
    // Gains of the speed controller, in 1/256 of a PWM step per mm/s and per mm.
    uint16_t proportional, integral;
    // Time constant of the motor with the cart's load.
    uint16_t lagMs;
  };

  explicit Wheel(const Setup &setup) : setup_(setup) {}

  // Called every 10 ms.
  void measure(const Counts &counts, uint32_t nowUs, uint16_t dtMs);
  // Returns the PWM duty, -255 to 255, for a speed. Never drives against the direction of `targetMmps`.
  int16_t control(int16_t targetMmps, uint16_t dtMs);

  int16_t speedMmps() const { return speedMmps_; }
  int32_t distanceMm() const { return distanceMm_; }
  // The wheel has reached less than a quarter of its target speed for 500 ms: it is blocked, or its motor or its encoder
  // does not work.
  bool stalled() const { return slowMs_ >= kStallMs; }
  // The wheel has turned against its target for 300 ms, or its encoder has produced more than 20 impossible changes
  // within a second.
  bool miscounts() const { return wrongMs_ >= kWrongMs || tooManyErrors_; }

 private:
  static constexpr uint16_t kStallMs = 500;
  static constexpr uint16_t kWrongMs = 300;

  void supervise(int16_t targetMmps, uint16_t dtMs);
  void updateSpeed(int32_t movedUm, uint32_t passedUs);

  const Setup &setup_;
  Counts last_ = {};
  int32_t distanceMm_ = 0;
  // In 1/256 of a PWM step.
  int32_t integral_ = 0;
  // The speed that a motor with the expected lag would have, in 1/256 mm/s.
  int32_t expected_ = 0;
  int16_t restUm_ = 0;
  int16_t speedMmps_ = 0;
  uint16_t slowMs_ = 0;
  uint16_t wrongMs_ = 0;
  uint16_t errorsMs_ = 0;
  uint16_t errorsFrom_ = 0;
  // True if the last count is too long ago for the speed to be computed.
  bool rests_ = true;
  bool tooManyErrors_ = false;
};

}  // namespace cgw1
