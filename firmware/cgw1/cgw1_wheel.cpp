#include "cgw1_wheel.h"

namespace cgw1 {

namespace {

// A wheel without a count for this long counts as stationary.
constexpr uint32_t kRestUs = 250000;
constexpr uint16_t kErrorWindowMs = 1000;
constexpr uint16_t kMostErrors = 20;
// Slower targets and speeds are not supervised. The last millimetres of a motion are covered at 20 mm/s.
constexpr int16_t kSlowestMmps = 15;
constexpr int32_t kFastestMmps = 32767;
constexpr int16_t kWrongMmps = 30;
constexpr int32_t kFullDuty = static_cast<int32_t>(255) * 256;

int16_t size(int16_t value) { return static_cast<int16_t>(value < 0 ? -value : value); }

}  // namespace

void Wheel::measure(const Counts &counts, uint32_t nowUs, uint16_t dtMs) {
  const int32_t moved = counts.count - last_.count;
  const int32_t um = fromFlash(setup_.umPerCount);
  if (moved != 0) {
    const int32_t movedUm = moved * um + restUm_;
    distanceMm_ += movedUm / 1000;
    restUm_ = static_cast<int16_t>(movedUm % 1000);
    last_.count = counts.count;
    const uint32_t passedUs = counts.edgeUs - last_.edgeUs;
    const uint32_t shortestUs = shortestCountUs(fromFlash(setup_.fullSpeedMmps), fromFlash(setup_.umPerCount));
    const uint32_t size = static_cast<uint32_t>(moved < 0 ? -moved : moved);
    // Counts that are closer together than full speed allows are a bounce, whose time must not be used.
    if (rests_ || passedUs / size >= shortestUs) {
      if (!rests_) updateSpeed(moved * um, passedUs);
      rests_ = false;
      last_.edgeUs = counts.edgeUs;
    }
  } else if (!rests_) {
    const uint32_t passedUs = nowUs - last_.edgeUs;
    // The next count is overdue, so the wheel is slower than this.
    const int32_t highest = passedUs > 0 ? um * 1000 / static_cast<int32_t>(passedUs) : 32767;
    rests_ = passedUs > kRestUs;
    if (rests_) speedMmps_ = 0;
    else if (size(speedMmps_) > highest) speedMmps_ = static_cast<int16_t>(speedMmps_ < 0 ? -highest : highest);
  }
  errorsMs_ = static_cast<uint16_t>(errorsMs_ + dtMs);
  if (static_cast<uint16_t>(counts.errors - errorsFrom_) > kMostErrors) tooManyErrors_ = true;
  if (errorsMs_ >= kErrorWindowMs) {
    errorsMs_ = 0;
    errorsFrom_ = counts.errors;
  }
}

void Wheel::updateSpeed(int32_t movedUm, uint32_t passedUs) {
  // After a long pause of the main loop, the product with 1000 would not fit into 32 bits.
  constexpr int32_t kFarthestUm = 2000000;
  const int32_t limitedUm = movedUm > kFarthestUm ? kFarthestUm : movedUm < -kFarthestUm ? -kFarthestUm : movedUm;
  int32_t speed = passedUs > 0 ? limitedUm * 1000 / static_cast<int32_t>(passedUs) : speedMmps_;
  speed = speed > kFastestMmps ? kFastestMmps : speed < -kFastestMmps ? -kFastestMmps : speed;
  speedMmps_ = static_cast<int16_t>((speedMmps_ + speed) / 2);
}

int16_t Wheel::control(int16_t targetMmps, uint16_t dtMs) {
  supervise(targetMmps, dtMs);
  if (targetMmps == 0) {
    integral_ = expected_ = 0;
    return 0;
  }
  const Setup setup = fromFlash(setup_);
  // The motor lags behind a change of speed. Treating the lag as an error would make the wheel overshoot.
  expected_ += (static_cast<int32_t>(targetMmps) * 256 - expected_) * dtMs / (setup.lagMs + dtMs);
  const int32_t error = expected_ / 256 - speedMmps_;
  const int32_t integral = integral_ + setup.integral * error * dtMs / 1000;
  const int32_t ahead = targetMmps * kFullDuty / setup.fullSpeedMmps;
  const int32_t wanted = ahead + setup.proportional * error + integral;
  const int32_t low = targetMmps > 0 ? 0 : -kFullDuty;
  const int32_t duty = wanted < low ? low : wanted > low + kFullDuty ? low + kFullDuty : wanted;
  // The integral must not grow while the duty is at its limit.
  if (duty == wanted || (duty < wanted) == (error < 0)) integral_ = integral;
  return static_cast<int16_t>(duty / 256);
}

void Wheel::supervise(int16_t targetMmps, uint16_t dtMs) {
  const bool turns = size(targetMmps) >= kSlowestMmps;
  const bool along = (speedMmps_ < 0) == (targetMmps < 0);
  const bool slow = turns && (!along || size(speedMmps_) < size(targetMmps) / 4);
  const bool wrong = turns && !along && size(speedMmps_) >= kWrongMmps;
  if (targetMmps == 0) tooManyErrors_ = false;
  slowMs_ = slow ? static_cast<uint16_t>(slowMs_ + dtMs) : 0;
  wrongMs_ = wrong ? static_cast<uint16_t>(wrongMs_ + dtMs) : 0;
}

}  // namespace cgw1
