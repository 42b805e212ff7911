// Motors and encoders.
#include "board.h"
#include "cgw1_wheel.h"

namespace cgw1 {
namespace board {

namespace {

using namespace config;

constexpr uint16_t kSampleMs = 10;

constexpr bool isValid(const Encoder &encoder) {
  return encoder.aPin == kNone || (hasPinChange(encoder.aPin) && (encoder.bPin == kNone || hasPinChange(encoder.bPin)));
}
static_assert(isValid(kLeftEncoder) && isValid(kRightEncoder), "this encoder pin has no pin-change interrupt");
static_assert((kLeftEncoder.aPin == kNone) == (kRightEncoder.aPin == kNone), "one wheel has no encoder");
static_assert(kLeftEncoder.umPerCount > 0 && kRightEncoder.umPerCount > 0, "umPerCount must not be 0");

// Count for each combination of the previous and current levels of a quadrature encoder's channels; 2 = both
// have changed.
constexpr int8_t kSteps[16] PROGMEM = {0, -1, 1, 2, 1, 0, 2, -1, -1, 2, 0, 1, 2, 1, -1, 0};

struct Channel {
  FastPin a, b;
  volatile Counts counts;
  uint8_t levels;
  // Direction of the motor, for an encoder with one channel.
  volatile bool backward;
};

Channel left, right;

constexpr Wheel::Setup kLeftSetup PROGMEM = {kFullSpeedMmps, kLeftEncoder.umPerCount, kProportional, kIntegral, kLagMs};
constexpr Wheel::Setup kRightSetup PROGMEM = {kFullSpeedMmps, kRightEncoder.umPerCount, kProportional, kIntegral, kLagMs};
Wheel leftWheel(kLeftSetup);
Wheel rightWheel(kRightSetup);

uint8_t levelsOf(const Channel &channel, bool quadrature) {
  const uint8_t a = channel.a.isHigh() ? 2 : 0;
  return quadrature ? static_cast<uint8_t>(a | (channel.b.isHigh() ? 1 : 0)) : a;
}

constexpr uint32_t shortestUs(const Encoder &encoder) { return shortestCountUs(kFullSpeedMmps, encoder.umPerCount); }
constexpr uint32_t kLeftShortestUs = shortestUs(kLeftEncoder);
constexpr uint32_t kRightShortestUs = shortestUs(kRightEncoder);

void count(Channel &channel, const Encoder &encoder, uint32_t shortest, uint32_t nowUs) {
  const bool quadrature = encoder.bPin != kNone;
  const uint8_t levels = levelsOf(channel, quadrature);
  if (levels == channel.levels) return;
  const uint8_t before = channel.levels;
  channel.levels = levels;
  if (!quadrature) return countEdge(channel.counts, channel.backward ? -1 : 1, nowUs, shortest);
  int8_t step = fromFlash(kSteps[before << 2 | levels]);
  if (step == 2) {
    channel.counts.errors++;
    return;
  }
  if (encoder.inverted) step = static_cast<int8_t>(-step);
  channel.counts.count += step;
  channel.counts.edgeUs = nowUs;
}

void start(const Motor &motor) {
  pinMode(motor.pwmPin, OUTPUT);
  pinMode(motor.dirPin, OUTPUT);
}

void start(Channel &channel, const Encoder &encoder) {
  pinMode(encoder.aPin, INPUT_PULLUP);
  channel.a.set(encoder.aPin);
  if (encoder.bPin != kNone) {
    pinMode(encoder.bPin, INPUT_PULLUP);
    channel.b.set(encoder.bPin);
  }
  channel.levels = levelsOf(channel, encoder.bPin != kNone);
  watchPin(encoder.aPin);
  if (encoder.bPin != kNone) watchPin(encoder.bPin);
}

Counts read(const Channel &channel) {
  noInterrupts();
  const Counts counts = {channel.counts.count, channel.counts.edgeUs, channel.counts.errors};
  interrupts();
  return counts;
}

void output(const Motor &motor, Channel &channel, int16_t duty) {
  if (duty != 0) channel.backward = duty < 0;
  digitalWrite(motor.dirPin, (duty < 0) != motor.inverted ? LOW : HIGH);
  analogWrite(motor.pwmPin, duty < 0 ? -duty : duty);
}

// Returns the duty at which an unloaded wheel has this speed, for wheels without an encoder.
int16_t expectedDuty(int32_t speedMmps) {
  const int32_t duty = speedMmps * 255 / kFullSpeedMmps;
  return static_cast<int16_t>(duty > 255 ? 255 : duty < -255 ? -255 : duty);
}

}  // namespace

void startWheels() {
  start(kLeftMotor);
  start(kRightMotor);
  if (!kHasEncoders) return;
  start(left, kLeftEncoder);
  start(right, kRightEncoder);
}

void onWheelEdge() {
  const uint32_t nowUs = clockUs();
  count(left, kLeftEncoder, kLeftShortestUs, nowUs);
  count(right, kRightEncoder, kRightShortestUs, nowUs);
}

void sampleWheels() {
  if (!kHasEncoders) return;
  leftWheel.measure(read(left), clockUs(), kSampleMs);
  rightWheel.measure(read(right), clockUs(), kSampleMs);
}

void drive(int16_t speedMmps, int16_t omegaDdegps) {
  // Half the track width times the angular speed in rad/s (1 rad = 573 tenths of a degree).
  const int32_t sideMmps = static_cast<int32_t>(omegaDdegps) * kTrackMm / (2 * 573);
  const int32_t leftMmps = speedMmps - sideMmps;
  const int32_t rightMmps = speedMmps + sideMmps;
  if (!kHasEncoders) {
    output(kLeftMotor, left, expectedDuty(leftMmps));
    output(kRightMotor, right, expectedDuty(rightMmps));
    return;
  }
  output(kLeftMotor, left, leftWheel.control(static_cast<int16_t>(leftMmps), kSampleMs));
  output(kRightMotor, right, rightWheel.control(static_cast<int16_t>(rightMmps), kSampleMs));
}

uint16_t wheelFaults() {
  if (!kHasEncoders) return 0;
  const bool stalled = leftWheel.stalled() || rightWheel.stalled();
  const bool miscounts = leftWheel.miscounts() || rightWheel.miscounts();
  return static_cast<uint16_t>((stalled ? kStall : 0) | (miscounts ? kEncoder : 0));
}

bool odometer(int32_t &leftMm, int32_t &rightMm) {
  if (!kHasEncoders) return false;
  leftMm = leftWheel.distanceMm();
  rightMm = rightWheel.distanceMm();
  return true;
}

bool wheelSpeeds(int16_t &leftMmps, int16_t &rightMmps) {
  if (!kHasEncoders) return false;
  leftMmps = leftWheel.speedMmps();
  rightMmps = rightWheel.speedMmps();
  return true;
}

}  // namespace board
}  // namespace cgw1
