// Handles frames from the host and sends the responses.
#include "cgw1.h"

namespace cgw1 {

namespace {

constexpr uint16_t kUsualTimeoutMs = 500;
constexpr uint16_t kShortestTimeoutMs = 100;
constexpr uint16_t kLongestTimeoutMs = 1000;
constexpr uint16_t kLongestLeaseMs = 1000;
constexpr int32_t kFarthestMm = 100000;
constexpr int16_t kWidestDdeg = 3600;
constexpr uint8_t kBurst = 10;
constexpr uint16_t kBurstMs = 1000;
// Longer than any interval between two RANGES frames.
constexpr uint16_t kRangesIdleMs = 1000;
// ACK.code for a duplicate, or if there is nothing to do.
constexpr uint8_t kAlreadyDone = 1;

}  // namespace

void Controller::begin(uint32_t nowMs, uint16_t bootCount, Reset cause) {
  nowMs_ = tickMs_ = lastValidMs_ = statusMs_ = nowMs;
  bootCount_ = bootCount;
  resetCause_ = cause;
  if (cause == Reset::Watchdog) faults_ |= kWatchdogReset;
  if (cause == Reset::Brownout) faults_ |= kBrownout;
  // A nonce from before the restart must not reset a latch that was set after the restart.
  estopNonce_ = static_cast<uint16_t>(bootCount << 8);
  restoreLimits();
  board::enable(false);
}

State Controller::state() const {
  if (latched_) return State::Estop;
  if (linkLost_) return State::LinkLost;
  if (faults_ & kBlocking) return State::Fault;
  if (motion_.stopping) return State::Stopping;
  if (motion_.kind != Motion::Kind::None) return State::Running;
  return open_ ? State::Idle : State::Boot;
}

bool Controller::receive(uint8_t byte, uint32_t nowMs) {
  nowMs_ = nowMs;
  switch (deframer_.push(byte)) {
    case Deframer::Result::None:
      break;
    case Deframer::Result::Frame:
      onFrame(deframer_.raw(), deframer_.rawBytes());
      return true;
    case Deframer::Result::Noise:
      // Sends no response, because the content of the frame cannot be trusted.
      if (nowMs_ - noiseMs_ > kBurstMs) {
        noiseMs_ = nowMs_;
        noise_ = 0;
      }
      if (noise_ < kBurst && ++noise_ == kBurst) faults_ |= kCrcBurst;
      return true;
  }
  return false;
}

void Controller::onFrame(const uint8_t *raw, uint8_t rawBytes) {
  if (raw[0] >> 4 != kVersion) return;
  const Frame frame = {raw[0], raw[1], raw[2], raw[3], raw + kHeadBytes};
  const Type type = static_cast<Type>(frame.type);
  const int8_t payloadBytes = hostPayloadBytes(frame.type);
  const bool rightLength = payloadBytes == rawBytes - kHeadBytes - kCrcBytes;
  const bool isAnswer = type == Type::Ack || type == Type::Nack;
  const bool ours = open_ && frame.session == session_;
  if (isAnswer || (frame.flags & kReply)) {
    // Never respond to a response. This also drops the controller's own frames, echoed by a shorted line,
    // without resetting the watchdog.
    if (isAnswer && rightLength && ours) onAck(frame);
    return;
  }
  // The controller's own reports, echoed by a shorted line.
  if (frame.type >= static_cast<uint8_t>(Type::HelloReply) && frame.type <= static_cast<uint8_t>(Type::SensorsReply)) return;
  if (type == Type::Hello && rightLength) return onHello(frame);
  // A stop is accepted from any session; any other frame from a different session is outdated.
  const bool stops = rightLength && (type == Type::Stop || type == Type::Estop);
  if (!ours && !stops) return nack(frame, Refusal::BadSession);
  if (ours) lastValidMs_ = nowMs_;
  if (payloadBytes < 0) return nack(frame, Refusal::UnknownType);
  if (!rightLength) return nack(frame, Refusal::BadLength);
  dispatch(frame);
}

void Controller::dispatch(const Frame &frame) {
  switch (static_cast<Type>(frame.type)) {
    case Type::Heartbeat: return onHeartbeat(frame);
    case Type::Build: return onBuild(frame);
    case Type::Move: return onMove(frame);
    case Type::Jog: return onJog(frame);
    case Type::Stop: return onStop(frame);
    case Type::Estop: return onEstop(frame);
    case Type::EstopReset: return onEstopReset(frame);
    case Type::Limits: return onLimits(frame);
    case Type::Field: return onField(frame);
    case Type::Sensors: return onSensors(frame);
    default: return;
  }
}

void Controller::onHello(const Frame &frame) {
  const uint8_t protoMin = frame.payload[0];
  const uint8_t protoMax = frame.payload[1];
  const uint32_t hostNonce = readU32(frame.payload + 4);
  const bool repeated = open_ && frame.session == session_ && hostNonce == hostNonce_;
  if (!repeated && protoMin <= kVersion && kVersion <= protoMax) {
    // Stops the previous host's motion without reporting it, because the new host may use the same wireIds.
    motion_.wireId = 0;
    endMotion(Event::Cancelled, Reason::Superseded, true);
    for (uint32_t &wireId : known_) wireId = 0;
    noteCount_ = 0;
    noteTries_ = 0;
    open_ = true;
    armed_ = false;
    linkLost_ = false;
    session_ = frame.session;
    hostNonce_ = hostNonce;
    timeoutMs_ = kUsualTimeoutMs;
    setTimeout(readU16(frame.payload + 2));
    field_.restore();
    rangesWanted_ = false;
    restoreLimits();
  }
  if (open_ && frame.session == session_) lastValidMs_ = nowMs_;
  Outgoing reply(Type::HelloReply, kReply, frame.seq, frame.session);
  const Config own = config();
  reply.u8(kVersion).u16(own.caps).u8(own.major).u8(own.minor).u8(own.patch).u8(kMaxRaw);
  reply.u16(own.maxSpeedMmps).u16(bootCount_).u8(static_cast<uint8_t>(resetCause_)).u32(hostNonce);
  respond(reply);
}

void Controller::onHeartbeat(const Frame &frame) {
  if (frame.payload[0] > 1) return nack(frame, Refusal::Range);
  armed_ = frame.payload[0] == 1;
  setTimeout(readU16(frame.payload + 1));
  if (!armed_) endMotion(Event::Cancelled, Reason::Disarmed, true);
  ack(frame, 0);
}

void Controller::onBuild(const Frame &frame) {
  Outgoing reply(Type::BuildReply, kReply, frame.seq, frame.session);
  reply.u32(config().revision);
  respond(reply);
}

void Controller::setTimeout(uint16_t timeoutMs) {
  if (timeoutMs != 0) timeoutMs_ = clamp(timeoutMs, kShortestTimeoutMs, kLongestTimeoutMs);
}

bool Controller::refusesMotion(const Frame &frame, uint32_t wireId, uint8_t directions) {
  // The inputs may have opened since the last iteration of the main loop.
  watchInput();
  watchBumpers();
  const bool blocked = (field_.blocked() & directions) != 0;
  if (blocked) faults_ |= kObstacle;
  if (latched_) nack(frame, Refusal::EstopActive, wireId);
  else if (blocked || (faults_ & kBlocking)) nack(frame, Refusal::Fault, wireId);
  else if (!armed_) nack(frame, Refusal::Disarmed, wireId);
  else return false;
  return true;
}

void Controller::onMove(const Frame &frame) {
  const uint32_t wireId = readU32(frame.payload);
  const int32_t distanceMm = readI32(frame.payload + 4);
  const int16_t angleDdeg = readI16(frame.payload + 8);
  const uint16_t maxSpeedMmps = readU16(frame.payload + 10);
  const uint16_t ttlMs = readU16(frame.payload + 12);
  const uint16_t maxDurationDs = readU16(frame.payload + 14);
  // The ACK was lost: acknowledge again, but do not move again.
  if (wireId != 0 && known(wireId)) return ack(frame, wireId, kAlreadyDone);
  const bool reachable = distanceMm >= -kFarthestMm && distanceMm <= kFarthestMm && angleDdeg >= -kWidestDdeg &&
                         angleDdeg <= kWidestDdeg;
  if (wireId == 0 || !reachable || maxSpeedMmps == 0) return nack(frame, Refusal::Range, wireId);
  if (ttlMs == 0) return nack(frame, Refusal::Expired, wireId);
  const uint8_t directions = angleDdeg != 0 ? kTurning : distanceMm > 0 ? kForward : distanceMm < 0 ? kBackward : 0;
  if (refusesMotion(frame, wireId, directions)) return;
  if (motion_.kind != Motion::Kind::None) return nack(frame, Refusal::Busy, wireId);
  remember(wireId);
  ack(frame, wireId);
  startMotion(Motion::Kind::Move, wireId);
  motion_.targetMm = distanceMm;
  motion_.targetDdeg = angleDdeg;
  motion_.maxSpeedMmps = maxSpeedMmps;
  motion_.limitMs = maxDurationDs == 0 ? ownBoundMs() : static_cast<uint32_t>(maxDurationDs) * 100;
}

uint32_t Controller::ownBoundMs() const {
  const uint32_t mm = static_cast<uint32_t>(motion_.targetMm < 0 ? -motion_.targetMm : motion_.targetMm);
  const uint32_t ddeg = static_cast<uint32_t>(motion_.targetDdeg < 0 ? -motion_.targetDdeg : motion_.targetDdeg);
  const uint16_t speed = clamp<uint16_t>(motion_.maxSpeedMmps, 1, limits_.maxSpeedMmps);
  return 1500 * mm / speed + 1500 * ddeg / limits_.omegaMaxDdegps + 2000;
}

void Controller::onJog(const Frame &frame) {
  const uint32_t wireId = readU32(frame.payload);
  const int16_t speedMmps = readI16(frame.payload + 4);
  const int16_t omegaDdegps = readI16(frame.payload + 6);
  const uint16_t leaseMs = readU16(frame.payload + 8);
  const bool jogging = motion_.kind == Motion::Kind::Jog && !motion_.stopping;
  if (wireId == 0 || leaseMs == 0) return nack(frame, Refusal::Range, wireId);
  // The jog has already ended, and a JOG frame left in a buffer must not restart it.
  if (known(wireId)) return nack(frame, Refusal::Expired, wireId);
  if (refusesMotion(frame, wireId, field_.direction(speedMmps, omegaDdegps))) return;
  if (motion_.kind != Motion::Kind::None && !jogging) return nack(frame, Refusal::Busy, wireId);
  if (jogging && motion_.wireId != wireId) {
    note(Event::Cancelled, Reason::Superseded);
    remember(motion_.wireId);
    motion_.wireId = wireId;
    note(Event::Started, Reason::None);
  }
  if (!jogging) startMotion(Motion::Kind::Jog, wireId);
  motion_.jogSpeedMmps = speedMmps;
  motion_.jogOmegaDdegps = omegaDdegps;
  motion_.limitMs = leaseMs > kLongestLeaseMs ? kLongestLeaseMs : leaseMs;
  motion_.sinceMs = nowMs_;
  ack(frame, wireId);
}

void Controller::onStop(const Frame &frame) {
  const uint8_t category = frame.payload[0];
  const uint32_t wireId = readU32(frame.payload + 1);
  if (category > 2) return nack(frame, Refusal::Range, wireId);
  const bool moving = motion_.kind != Motion::Kind::None;
  const bool meant = wireId == 0 || (moving && wireId == motion_.wireId);
  if (meant && !moving) faults_ &= static_cast<uint16_t>(~kSticky);
  if (meant && category == 0) cutMotion(Event::Cancelled, Reason::Stop);
  if (meant && category != 0) endMotion(Event::Cancelled, Reason::Stop, category == 1);
  ack(frame, wireId, meant && moving ? 0 : kAlreadyDone);
}

void Controller::onEstop(const Frame &frame) {
  // A retry of an ESTOP frame that was received before is not a new E-stop.
  if (!latched_ || !(frame.flags & kRetry)) latch();
  ack(frame, 0);
}

void Controller::onEstopReset(const Frame &frame) {
  if (!latched_) return ack(frame, 0, kAlreadyDone);
  if (!board::estopHealthy()) return nack(frame, Refusal::EstopActive);
  // The host sent the frame before it knew of the latest E-stop.
  if (readU16(frame.payload) != estopNonce_) return nack(frame, Refusal::Expired);
  unlatch();
  ack(frame, 0);
}

void Controller::onLimits(const Frame &frame) {
  uint16_t given[4];
  for (uint8_t at = 0; at < 4; at++) {
    given[at] = readU16(frame.payload + 2 * at);
    if (given[at] == 0) return nack(frame, Refusal::Range);
  }
  const Config own = config();
  limits_.maxSpeedMmps = clamp<uint16_t>(given[0], 1, own.maxSpeedMmps);
  limits_.accelMmps2 = clamp<uint16_t>(given[1], 1, own.accelMmps2);
  limits_.decelMmps2 = clamp<uint16_t>(given[2], 1, own.decelMmps2);
  limits_.omegaMaxDdegps = clamp<uint16_t>(given[3], 1, own.omegaMaxDdegps);
  keepDeceleration();
  ack(frame, 0);
}

void Controller::restoreLimits() {
  const Config own = config();
  limits_ = {own.maxSpeedMmps, own.accelMmps2, own.decelMmps2, own.omegaMaxDdegps};
  keepDeceleration();
}

void Controller::keepDeceleration() {
  if (motion_.decelMmps2 < limits_.decelMmps2) motion_.decelMmps2 = limits_.decelMmps2;
}

void Controller::onField(const Frame &frame) {
  const uint8_t flags = frame.payload[4];
  if (!hasField()) return nack(frame, Refusal::Unsupported);
  if (flags & ~kFieldOn) return nack(frame, Refusal::Range);
  if (!field_.set(readU16(frame.payload), readU16(frame.payload + 2), flags == kFieldOn)) {
    return nack(frame, Refusal::Unsupported);
  }
  rangesWanted_ = true;
  rangesMs_ = nowMs_ - kRangesIdleMs;
  ack(frame, 0);
}

void Controller::onSensors(const Frame &frame) {
  if (!hasField()) return nack(frame, Refusal::Unsupported);
  Outgoing reply(Type::SensorsReply, kReply, frame.seq, frame.session);
  reply.u8(field_.sensorCount());
  for (uint8_t at = 0; at < field_.sensorCount(); at++) {
    const Sensor sensor = field_.sensor(at);
    reply.u16(static_cast<uint16_t>(sensor.angleDdeg)).u8(sensor.fieldOfViewDeg).u16(sensor.maxRangeCm);
  }
  respond(reply);
}

void Controller::onAck(const Frame &frame) {
  if (frame.payload[0] != static_cast<uint8_t>(Type::Event)) return;
  lastValidMs_ = nowMs_;
  if (noteCount_ == 0 || noteTries_ == 0 || frame.seq != noteSeq_) return;
  dropNote();
}

bool Controller::known(uint32_t wireId) const {
  for (const uint32_t one : known_) {
    if (one == wireId) return true;
  }
  return false;
}

void Controller::remember(uint32_t wireId) {
  if (wireId == 0 || known(wireId)) return;
  known_[knownAt_] = wireId;
  knownAt_ = static_cast<uint8_t>((knownAt_ + 1) % kKnown);
}

void Controller::send(Outgoing &frame) {
  uint8_t wire[kMaxWire];
  board::send(wire, frame.seal(wire));
}

void Controller::respond(Outgoing &frame) {
  if (board::room() < frame.wireBytes() || (reportWaits_ && responded_)) return;
  responded_ = true;
  send(frame);
}

void Controller::ack(const Frame &frame, uint32_t wireId, uint8_t code) {
  if (!(frame.flags & kAckReq)) return;
  Outgoing answer(Type::Ack, kReply, frame.seq, frame.session);
  answer.u8(frame.type).u8(code).u32(wireId);
  respond(answer);
}

void Controller::nack(const Frame &frame, Refusal code, uint32_t wireId) {
  Outgoing answer(Type::Nack, kReply, frame.seq, frame.session);
  answer.u8(hostPayloadBytes(frame.type) < 0 ? static_cast<uint8_t>(Type::Unknown) : frame.type);
  answer.u8(static_cast<uint8_t>(code)).u32(wireId);
  respond(answer);
}

}  // namespace cgw1
