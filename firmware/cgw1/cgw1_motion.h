// Speed ramps and distances in integer arithmetic: one axis for driving (mm) and one for turning (tenths of a
// degree, positive = left).
#pragma once
#include <math.h>
#include <stdint.h>

#include "cgw1_wire.h"

namespace cgw1 {

struct Limits {
  uint16_t maxSpeedMmps;
  uint16_t accelMmps2;
  uint16_t decelMmps2;
  uint16_t omegaMaxDdegps;
};

// Angular acceleration and deceleration, in tenths of a degree per second squared, with which a turn reaches the
// configured maximum turning speed in 0.5 s.
inline uint16_t turnRate(uint16_t configuredOmegaMaxDdegps) {
  return configuredOmegaMaxDdegps > 32767 ? 65535 : static_cast<uint16_t>(configuredOmegaMaxDdegps * 2);
}

struct Axis {
  // Speed in thousandths of a unit per second, so that an acceleration in units/s2 times a time in ms needs
  // no rounding.
  int32_t speedMilli = 0;
  int32_t done = 0;
  int16_t fraction = 0;

  int16_t speed() const { return static_cast<int16_t>(speedMilli / 1000); }

  void ramp(int32_t targetSpeed, uint16_t rate, uint16_t dtMs) {
    const int32_t step = static_cast<int32_t>(rate) * dtMs;
    const int32_t missing = targetSpeed * 1000 - speedMilli;
    speedMilli += missing > step ? step : missing < -step ? -step : missing;
  }

  // Limits changes towards zero to `decel` and changes away from zero to `accel`.
  void follow(int32_t targetSpeed, uint16_t accel, uint16_t decel, uint16_t dtMs) {
    const int32_t targetMilli = targetSpeed * 1000;
    const bool away = speedMilli >= 0 ? targetMilli > speedMilli : targetMilli < speedMilli;
    ramp(targetSpeed, away ? accel : decel, dtMs);
  }

  // Without a sensor, the distance is the integral of the speed.
  void integrate(uint16_t dtMs) {
    const int32_t moved = speedMilli / 1000 * dtMs + fraction;
    done += moved / 1000;
    fraction = static_cast<int16_t>(moved % 1000);
  }

  // Moves towards `target` at a speed that permits stopping there. Returns true if `target` has been reached.
  bool approach(int32_t target, uint16_t maxSpeed, uint16_t accel, uint16_t decel, uint16_t dtMs) {
    const int32_t left = target - done;
    if (target == 0 || (target > 0 ? left <= 0 : left >= 0)) {
      speedMilli = 0;
      return true;
    }
    // v = sqrt(2 a s), where a is 80 % of the deceleration limit. The last millimetres are covered at creep
    // speed.
    constexpr float kCreep = 20;
    float speed = sqrtf(1.6f * static_cast<float>(decel) * fabsf(static_cast<float>(left)));
    if (speed < kCreep) speed = kCreep;
    if (speed > maxSpeed) speed = maxSpeed;
    follow(static_cast<int32_t>(left > 0 ? speed : -speed), accel, decel, dtMs);
    return false;
  }
};

struct Motion {
  enum class Kind : uint8_t { None, Move, Jog };

  Axis drive;
  Axis turn;
  uint32_t wireId = 0;
  // Time when the motion started, when its lease was last renewed, or when it began to stop.
  uint32_t sinceMs = 0;
  // Time limit, measured from `sinceMs`: the maximum duration of a MOVE, or the lease of a JOG.
  uint32_t limitMs = 0;
  int32_t targetMm = 0;
  // Encoder readings at the start of the motion.
  int32_t fromLeftMm = 0;
  int32_t fromRightMm = 0;
  int16_t targetDdeg = 0;
  int16_t jogSpeedMmps = 0;
  int16_t jogOmegaDdegps = 0;
  uint16_t maxSpeedMmps = 0;
  // The highest deceleration that has been permitted since the motion started.
  uint16_t decelMmps2 = 0;
  Kind kind = Kind::None;
  Event endEvent = Event::Finished;
  Reason endReason = Reason::None;
  bool turned = false;
  bool stopping = false;
  bool thenOff = false;

  bool still() const { return drive.speedMilli == 0 && turn.speedMilli == 0; }
};

}  // namespace cgw1
