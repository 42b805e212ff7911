#include "cgw1_field.h"

namespace cgw1 {

namespace {

// A blocked direction is released when the distances exceed the stop distance by this much.
constexpr uint16_t kReleaseMm = 100;
// A bumper's contact may bounce for this long when it is released.
constexpr uint16_t kBounceMs = 100;
constexpr uint8_t kFrontBumpers = 0x3;
constexpr int16_t kSideDdeg = 900;

int32_t size(int16_t value) { return value < 0 ? -static_cast<int32_t>(value) : value; }

// Returns the directions that a sensor can block.
uint8_t directionsOf(const Sensor &sensor) {
  const int32_t angle = size(sensor.angleDdeg);
  return static_cast<uint8_t>(kTurning | (angle < kSideDdeg ? kForward : 0) | (angle > kSideDdeg ? kBackward : 0));
}

}  // namespace

void Field::restore() {
  marginMm_ = config().marginMm;
  reactionMs_ = config().reactionMs;
  on_ = true;
}

bool Field::set(uint16_t marginMm, uint16_t reactionMs, bool on) {
  if (!on && !config().mayBeOff) return false;
  restore();
  if (marginMm > marginMm_) marginMm_ = marginMm;
  if (reactionMs > reactionMs_) reactionMs_ = reactionMs;
  on_ = on;
  return true;
}

void Field::report(uint8_t sensor, uint16_t rangeMm) {
  readings_[sensor].rangeMm = rangeMm;
  readings_[sensor].ageCs = 0;
}

bool Field::bump(uint8_t pressed, uint32_t nowMs) {
  const uint16_t now = static_cast<uint16_t>(nowMs);
  const bool another = (pressed & ~bumpers_) != 0;
  bumpers_ |= pressed;
  if (pressed == bumpers_) pressedMs_ = now;
  else if (static_cast<uint16_t>(now - pressedMs_) >= kBounceMs) bumpers_ = pressed;
  return another;
}

uint8_t Field::bumped() const {
  if (bumpers_ == 0) return 0;
  return static_cast<uint8_t>(kTurning | (bumpers_ & kFrontBumpers ? kForward : 0) |
                              (bumpers_ & ~kFrontBumpers ? kBackward : 0));
}

uint8_t Field::direction(int16_t speedMmps, int16_t omegaDdegps) const {
  if (rimMmps(omegaDdegps, config().trackMm) > size(speedMmps)) return kTurning;
  return speedMmps > 0 ? kForward : speedMmps < 0 ? kBackward : 0;
}

uint32_t Field::stopMm(uint32_t speedMmps, uint16_t decelMmps2, uint8_t ageCs) const {
  const uint32_t delayMs = reactionMs_ + static_cast<uint32_t>(ageCs) * 10;
  return speedMmps * delayMs / 1000 + speedMmps * speedMmps / (static_cast<uint32_t>(decelMmps2) * 2) + marginMm_;
}

void Field::update(int16_t speedMmps, int16_t omegaDdegps, uint16_t decelMmps2, uint16_t dtMs) {
  const uint32_t fasterMmps = static_cast<uint32_t>(size(speedMmps) + rimMmps(omegaDdegps, config().trackMm));
  const uint8_t moving = direction(speedMmps, omegaDdegps);
  uint8_t near = 0;
  uint8_t notFar = 0;
  silent_ = false;
  const uint16_t passedMs = restMs_ + dtMs;
  restMs_ = static_cast<uint8_t>(passedMs % 10);
  const uint8_t count = sensorCount();
  for (uint8_t at = 0; at < count; at++) {
    Reading &reading = readings_[at];
    const uint16_t age = static_cast<uint16_t>(reading.ageCs + passedMs / 10);
    reading.ageCs = age > 255 ? 255 : static_cast<uint8_t>(age);
    if (!on_) continue;
    if (!isValid(at)) silent_ = true;
    if (reading.rangeMm == kNothing) continue;
    const uint8_t directions = directionsOf(sensor(at));
    const uint32_t movingMm = moving & directions ? stopMm(fasterMmps, decelMmps2, reading.ageCs) : marginMm_;
    for (uint8_t bit = kForward; bit <= kTurning; bit = static_cast<uint8_t>(bit << 1)) {
      if (!(directions & bit)) continue;
      const uint32_t stop = bit == moving ? movingMm : marginMm_;
      if (reading.rangeMm < stop) near |= bit;
      if (reading.rangeMm < stop + kReleaseMm) notFar |= bit;
    }
  }
  near_ = static_cast<uint8_t>(near | (near_ & notFar));
}

}  // namespace cgw1
