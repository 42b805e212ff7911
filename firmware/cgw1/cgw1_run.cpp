// Timed behaviour: inputs, link, protective field, motion, and the reports to the host.
#include "cgw1.h"

namespace cgw1 {

namespace {

constexpr uint16_t kTickMs = 10;
// Limits the time step after a stalled loop.
constexpr uint16_t kLongestTickMs = 100;
constexpr uint16_t kStatusMovingMs = 100;
constexpr uint16_t kStatusIdleMs = 500;
constexpr uint16_t kNoteEveryMs = 60;
constexpr uint8_t kNoteTries = 3;
// A stop that ends with the motors off cuts the power after this time, even if the cart is still moving.
constexpr uint16_t kRampMs = 1500;
// A shorter press of the reset button may be a disturbance on its wire.
constexpr uint8_t kResetMs = 100;
// Two reads of the reset button do not show what happened between them, so a longer interval counts only as this.
constexpr uint8_t kLongestReadMs = 10;

int16_t clampSigned(int16_t value, uint16_t limit) {
  const int16_t high = limit > 32767 ? 32767 : static_cast<int16_t>(limit);
  return clamp<int16_t>(value, static_cast<int16_t>(-high), high);
}

}  // namespace

void Controller::tick(uint32_t nowMs) {
  nowMs_ = nowMs;
  // Runs in every loop iteration, not every 10 ms, so that short presses count.
  watchInput();
  watchBumpers();
  watchReset();
  if (hasField()) board::measure(field_);
  const uint32_t passed = nowMs - tickMs_;
  if (passed < kTickMs) {
    if (reportWaits_) sendReports();
    return;
  }
  tickMs_ = nowMs;
  const uint16_t dtMs = passed > kLongestTickMs ? kLongestTickMs : static_cast<uint16_t>(passed);
  board::sample(state());
  if (hasField()) watchField(dtMs);
  watchFaults();
  watchLink();
  watchInput();
  runMotion(dtMs);
  watchInput();
  sendReports();
}

void Controller::watchInput() {
  const bool healthy = board::estopHealthy();
  // Every press gets a new nonce, so that a reset sent before the press is rejected.
  if (!healthy && (inputWasHealthy_ || !latched_)) {
    latch();
    faults_ |= kEstopInput;
  }
  inputWasHealthy_ = healthy;
}

void Controller::watchBumpers() {
  if (!hasField() || !field_.bump(board::bumpers(), nowMs_)) return;
  if (motion_.kind != Motion::Kind::None) faults_ |= kObstacle;
  cutMotion(Event::Failed, Reason::Obstacle);
}

void Controller::watchField(uint16_t dtMs) {
  int16_t speed;
  int16_t omega;
  speeds(speed, omega);
  field_.update(speed, omega, wheelDecel(field_.direction(speed, omega)), dtMs);
  if (field_.blocked() & directions()) {
    faults_ |= kObstacle;
    endMotion(Event::Failed, Reason::Obstacle, true);
  }
  if (!(field_.blocked() & kDirections)) faults_ &= static_cast<uint16_t>(~kObstacle);
  if (field_.silent()) endMotion(Event::Failed, Reason::SensorSilent, true);
}

uint8_t Controller::directions() const {
  uint8_t next = 0;
  if (motion_.kind == Motion::Kind::None) return 0;
  if (motion_.kind == Motion::Kind::Jog) next = field_.direction(motion_.jogSpeedMmps, motion_.jogOmegaDdegps);
  else if (!motion_.turned && motion_.targetDdeg != 0) next = kTurning;
  else if (motion_.targetMm != 0) next = motion_.targetMm > 0 ? kForward : kBackward;
  return static_cast<uint8_t>(next | field_.direction(motion_.drive.speed(), motion_.turn.speed()));
}

void Controller::speeds(int16_t &speedMmps, int16_t &omegaDdegps) const {
  int16_t left;
  int16_t right;
  if (!board::wheelSpeeds(left, right)) {
    speedMmps = motion_.drive.speed();
    omegaDdegps = motion_.turn.speed();
    return;
  }
  speedMmps = static_cast<int16_t>((left + right) / 2);
  omegaDdegps = static_cast<int16_t>((static_cast<int32_t>(right) - left) * 573 / config().trackMm);
}

uint16_t Controller::wheelDecel(uint8_t direction) const {
  const uint16_t decel = motion_.kind == Motion::Kind::None ? limits_.decelMmps2 : motion_.decelMmps2;
  if (direction != kTurning) return decel;
  const Config own = config();
  const uint32_t turning = static_cast<uint32_t>(turnRate(own.omegaMaxDdegps)) * own.trackMm / (2 * 573);
  return turning < decel ? static_cast<uint16_t>(turning > 0 ? turning : 1) : decel;
}

void Controller::watchReset() {
  const bool pressed = board::resetPressed();
  const uint16_t now = static_cast<uint16_t>(nowMs_);
  const uint16_t passedMs = static_cast<uint16_t>(now - resetReadMs_);
  resetReadMs_ = now;
  if (pressed && resetPressed_) {
    // Both times are rounded down to 1 ms, so only more than `kResetMs` is at least `kResetMs`.
    const uint16_t heldMs = static_cast<uint16_t>(resetHeldMs_ + clamp<uint16_t>(passedMs, 0, kLongestReadMs));
    resetHeldMs_ = static_cast<uint8_t>(clamp<uint16_t>(heldMs, 0, 255));
  }
  // The press must begin and end while the E-stop input is closed.
  if (!board::estopHealthy()) resetIgnored_ = true;
  // A reset only permits motion: the motors stay off until the next accepted motion.
  if (!pressed && !resetIgnored_ && resetHeldMs_ > kResetMs) unlatch();
  if (!pressed) {
    resetHeldMs_ = 0;
    resetIgnored_ = false;
  }
  resetPressed_ = pressed;
}

void Controller::watchFaults() {
  const uint16_t silent = field_.silent() ? kSensorSilent : 0;
  const uint16_t kept = faults_ & (kSticky | kHistory | kObstacle | kWhileLatched);
  faults_ = static_cast<uint16_t>(kept | silent | (board::faults() & kBlocking));
  noteFaults();
  if (faults_ & kCutting) cutMotion(Event::Failed, Reason::Fault);
  else if (faults_ & kBlocking) endMotion(Event::Failed, Reason::Fault, true);
}

void Controller::watchLink() {
  if (!open_ || nowMs_ - lastValidMs_ <= timeoutMs_) return;
  // The session has ended: the next one starts with HELLO.
  linkLost_ = true;
  open_ = false;
  session_ = 0;
  armed_ = false;
  faults_ |= kLinkLost;
  endMotion(Event::Failed, Reason::LinkLost, true);
}

void Controller::runMotion(uint16_t dtMs) {
  if (motion_.kind == Motion::Kind::None) return;
  measure(dtMs);
  const uint32_t since = nowMs_ - motion_.sinceMs;
  const uint16_t maxSpeed =
      motion_.kind == Motion::Kind::Move ? clamp<uint16_t>(motion_.maxSpeedMmps, 1, limits_.maxSpeedMmps) : 0;
  // The limits do not apply, so that a cart whose speed has been limited stops as quickly as any other cart.
  const uint16_t omegaRate = turnRate(fromFlash(config_.omegaMaxDdegps));
  bool arrived = false;
  if (!motion_.stopping && since >= motion_.limitMs) {
    if (motion_.kind == Motion::Kind::Move) endMotion(Event::Failed, Reason::TooLong, false);
    else endMotion(Event::Cancelled, Reason::Lease, false);
  }
  if (motion_.stopping) {
    motion_.drive.ramp(0, motion_.decelMmps2, dtMs);
    motion_.turn.ramp(0, omegaRate, dtMs);
    arrived = motion_.still() || (motion_.thenOff && nowMs_ - motion_.sinceMs >= kRampMs);
  } else if (motion_.kind == Motion::Kind::Jog) {
    const int16_t speed = clampSigned(motion_.jogSpeedMmps, limits_.maxSpeedMmps);
    motion_.drive.follow(speed, limits_.accelMmps2, motion_.decelMmps2, dtMs);
    motion_.turn.ramp(clampSigned(motion_.jogOmegaDdegps, limits_.omegaMaxDdegps), omegaRate, dtMs);
    arrived = motion_.jogSpeedMmps == 0 && motion_.jogOmegaDdegps == 0 && motion_.still();
  } else if (!motion_.turned) {
    motion_.turned = motion_.turn.approach(motion_.targetDdeg, limits_.omegaMaxDdegps, omegaRate, omegaRate, dtMs);
  } else {
    arrived =
        motion_.drive.approach(motion_.targetMm, maxSpeed, limits_.accelMmps2, motion_.decelMmps2, dtMs);
  }
  if (arrived) return finishMotion();
  board::drive(motion_.drive.speed(), motion_.turn.speed());
}

void Controller::measure(uint16_t dtMs) {
  int32_t left;
  int32_t right;
  if (!board::odometer(left, right)) {
    motion_.drive.integrate(dtMs);
    motion_.turn.integrate(dtMs);
    return;
  }
  left -= motion_.fromLeftMm;
  right -= motion_.fromRightMm;
  motion_.drive.done = (left + right) / 2;
  // One radian is 573 tenths of a degree.
  motion_.turn.done = (right - left) * 573 / config().trackMm;
}

void Controller::startMotion(Motion::Kind kind, uint32_t wireId) {
  motion_ = Motion();
  motion_.kind = kind;
  motion_.wireId = wireId;
  motion_.sinceMs = nowMs_;
  motion_.decelMmps2 = limits_.decelMmps2;
  board::odometer(motion_.fromLeftMm, motion_.fromRightMm);
  faults_ &= static_cast<uint16_t>(~kHistory);
  board::enable(true);
  note(Event::Started, Reason::None);
}

void Controller::endMotion(Event event, Reason reason, bool thenOff) {
  if (motion_.kind == Motion::Kind::None) {
    if (thenOff) board::enable(false);
    return;
  }
  if (thenOff && !motion_.thenOff) {
    motion_.thenOff = true;
    motion_.sinceMs = nowMs_;
  }
  if (motion_.stopping) return;
  motion_.stopping = true;
  motion_.sinceMs = nowMs_;
  motion_.endEvent = event;
  motion_.endReason = reason;
}

void Controller::finishMotion() {
  if (motion_.thenOff) board::enable(false);
  board::drive(0, 0);
  motion_.drive.speedMilli = motion_.turn.speedMilli = 0;
  if (motion_.stopping) note(motion_.endEvent, motion_.endReason);
  else note(Event::Finished, Reason::None);
  if (motion_.kind == Motion::Kind::Jog) remember(motion_.wireId);
  motion_.kind = Motion::Kind::None;
  motion_.stopping = false;
}

void Controller::cutMotion(Event event, Reason reason) {
  board::enable(false);
  if (motion_.kind == Motion::Kind::None) return;
  endMotion(event, reason, true);
  finishMotion();
}

void Controller::latch() {
  board::enable(false);
  latched_ = true;
  // 0 is reported while no stop is latched, so it is never a nonce.
  if (++estopNonce_ == 0) estopNonce_ = 1;
  // The host needs the new nonce: report it in the next tick.
  statusMs_ = nowMs_ - kStatusIdleMs;
  cutMotion(Event::Failed, Reason::Estop);
  // A reset button that was pressed before this stop must not reset it.
  resetIgnored_ = true;
}

void Controller::unlatch() {
  latched_ = false;
  faults_ &= static_cast<uint16_t>(~kWhileLatched);
}

void Controller::note(Event event, Reason reason) {
  // The previous host's motion is not reported.
  if (motion_.wireId == 0) return;
  const int16_t finalDdeg = static_cast<int16_t>(clamp<int32_t>(motion_.turn.done, -32768, 32767));
  queue({motion_.wireId, motion_.drive.done, finalDdeg, event, static_cast<uint8_t>(reason)});
}

void Controller::noteFaults() {
  // The STATUS that follows every press reports the input, so that no event about it displaces the end of a motion.
  const uint16_t risen = static_cast<uint16_t>(faults_ & ~notedFaults_ & ~kWhileLatched);
  notedFaults_ = faults_;
  if (!open_) return;
  for (uint8_t bit = 0; bit < 16; bit++) {
    if (risen & (1u << bit)) queue({0, 0, 0, Event::Fault, bit});
  }
}

void Controller::queue(const Note &note) {
  if (noteCount_ == kNotes) {
    // Drops the oldest entry: the end of a motion matters more than its start.
    dropNote();
  }
  notes_[noteCount_++] = note;
}

void Controller::sendReports() {
  const bool waited = !sendNotes();
  watchInput();
  reportWaits_ = waited || !sendStatus() || !sendRanges();
  if (!reportWaits_) responded_ = false;
}

bool Controller::sendNotes() {
  if (noteCount_ == 0 || (noteTries_ > 0 && nowMs_ - noteMs_ < kNoteEveryMs)) return true;
  if (noteTries_ == kNoteTries) {
    // Drops an event that was never acknowledged; the host has its own time limit for every motion.
    dropNote();
    return true;
  }
  if (board::room() < kEventWire) return false;
  if (noteTries_ == 0) noteSeq_ = seq_++;
  noteMs_ = nowMs_;
  const Note &oldest = notes_[0];
  Outgoing frame(Type::Event, noteTries_ == 0 ? kAckReq : kAckReq | kRetry, noteSeq_, session_);
  frame.u32(oldest.wireId).u8(static_cast<uint8_t>(oldest.event)).u8(oldest.code);
  frame.u32(static_cast<uint32_t>(oldest.finalMm)).u16(static_cast<uint16_t>(oldest.finalDdeg));
  noteTries_++;
  send(frame);
  return true;
}

bool Controller::sendStatus() {
  const bool moving = motion_.kind != Motion::Kind::None;
  if (state() == told_ && nowMs_ - statusMs_ < (moving ? kStatusMovingMs : kStatusIdleMs)) return true;
  if (board::room() < kStatusWire) return false;
  Telemetry measured;
  board::telemetry(measured);
  int32_t left = 0;
  int32_t right = 0;
  if (!board::odometer(left, right)) left = right = 0;
  int16_t speed;
  int16_t omega;
  speeds(speed, omega);
  told_ = state();
  statusMs_ = nowMs_;
  Outgoing frame(Type::Status, 0, seq_++, session_);
  frame.u32(nowMs_).u8(static_cast<uint8_t>(told_)).u16(faults_).u16(latched_ ? estopNonce_ : 0);
  frame.u32(motion_.kind == Motion::Kind::None ? 0 : motion_.wireId);
  frame.u32(static_cast<uint32_t>(motion_.drive.done));
  frame.u32(static_cast<uint32_t>(left)).u32(static_cast<uint32_t>(right));
  frame.u16(static_cast<uint16_t>(speed)).u16(static_cast<uint16_t>(omega));
  frame.u16(measured.batteryMv).u16(static_cast<uint16_t>(measured.batteryCa));
  frame.u8(static_cast<uint8_t>(measured.tempBoardC)).u8(static_cast<uint8_t>(measured.tempM1C));
  frame.u8(static_cast<uint8_t>(measured.tempM2C)).u8(measured.soc);
  send(frame);
  return true;
}

bool Controller::sendRanges() {
  if (!rangesWanted_ || !open_) return true;
  const uint8_t blocked = field_.blocked();
  const bool changed = blocked != toldBlocked_ || field_.bumpers() != toldBumpers_;
  const bool moving = motion_.kind != Motion::Kind::None;
  if (!changed && nowMs_ - rangesMs_ < (moving ? kStatusMovingMs : kStatusIdleMs)) return true;
  Outgoing frame(Type::Ranges, 0, seq_, session_);
  frame.u8(field_.bumpers()).u8(blocked).u8(field_.sensorCount());
  for (uint8_t at = 0; at < field_.sensorCount(); at++) {
    frame.u8(at).u16(field_.rangeMm(at)).u8(field_.ageCs(at)).u8(field_.isValid(at) ? 1 : 0);
  }
  if (board::room() < frame.wireBytes()) return false;
  seq_++;
  toldBlocked_ = blocked;
  toldBumpers_ = field_.bumpers();
  rangesMs_ = nowMs_;
  send(frame);
  return true;
}

void Controller::dropNote() {
  for (uint8_t at = 1; at < noteCount_; at++) notes_[at - 1] = notes_[at];
  noteCount_--;
  noteTries_ = 0;
}

}  // namespace cgw1
