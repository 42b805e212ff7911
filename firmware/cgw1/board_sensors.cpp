// Distance sensors, and the pin-change interrupt.
#include "board.h"

namespace cgw1 {
namespace board {

namespace {

using namespace config;

// Time that sound takes to travel 1 cm to an obstacle and back.
constexpr uint32_t kUsPerCm = 58;
// Maximum time from the trigger to the start of the echo pulse.
constexpr uint32_t kStartUs = 2000;
constexpr uint32_t kTriggerUs = 12;
constexpr uint8_t kEntries = sizeof kSensors / sizeof *kSensors;
static_assert(kEntries == 1 || countOf(kSensors) == kEntries, "remove kNoSensor");

constexpr bool isUltrasonic(const Sensor &sensor) { return sensor.kind == SensorKind::Ultrasonic; }
constexpr uint32_t slotUs(const Sensor &sensor) { return sensor.maxRangeCm * kUsPerCm + kStartUs; }

constexpr uint32_t roundUs(uint8_t at = 0) {
  return at == kEntries ? 0 : (isUltrasonic(kSensors[at]) ? slotUs(kSensors[at]) : 0) + roundUs(at + 1);
}
// The sensors measure one after another, and each sensor must measure once within 200 ms.
static_assert(roundUs() <= 150000, "too many ultrasonic sensors, or too long a range");

constexpr bool hasEchoPin(uint8_t at = 0) {
  return at == kEntries || ((!isUltrasonic(kSensors[at]) || hasPinChange(kSensors[at].echoPin)) && hasEchoPin(at + 1));
}
static_assert(hasEchoPin(), "this echo pin has no pin-change interrupt");

enum class Phase : uint8_t { Idle, Trigger, Listen };

// The sensor that is measuring or that will measure next.
Sensor sensor;
uint8_t active = 0;
Phase phase = Phase::Idle;
uint32_t slotStartUs;
volatile uint32_t echoFromUs;
volatile uint32_t echoUs;
volatile bool rose, fell;
bool reported;
// The active sensor's echo pin.
FastPin echo;

void nextSensor() {
  phase = Phase::Idle;
  active = active + 1 >= kEntries ? 0 : active + 1;
}

void trigger(uint32_t nowUs) {
  sensor = fromFlash(kSensors[active]);
  if (!isUltrasonic(sensor)) return nextSensor();
  noInterrupts();
  echo.set(sensor.echoPin);
  rose = fell = reported = false;
  interrupts();
  // If the echo pin is still high, the echo belongs to the previous measurement.
  if (echo.isHigh()) return nextSensor();
  digitalWrite(sensor.pin, HIGH);
  slotStartUs = nowUs;
  phase = Phase::Trigger;
}

void listen(Field &field, uint32_t nowUs) {
  noInterrupts();
  const bool started = rose;
  const bool ended = fell;
  const uint32_t lengthUs = echoUs;
  interrupts();
  const bool isNear = ended && lengthUs <= sensor.maxRangeCm * kUsPerCm;
  // A sensor that sends no echo pulse at all is not connected.
  const bool isFar = started && nowUs - slotStartUs >= slotUs(sensor);
  if (reported || (!isNear && !isFar)) return;
  reported = true;
  field.report(active, isNear ? static_cast<uint16_t>(lengthUs * 10 / kUsPerCm) : kNothing);
}

void measureUltrasonic(Field &field) {
  const uint32_t nowUs = clockUs();
  switch (phase) {
    case Phase::Idle: return trigger(nowUs);
    case Phase::Trigger:
      if (nowUs - slotStartUs < kTriggerUs) return;
      digitalWrite(sensor.pin, LOW);
      phase = Phase::Listen;
      return;
    case Phase::Listen:
      listen(field, nowUs);
      // The echoes of this measurement must not reach the next sensor.
      if (nowUs - slotStartUs >= slotUs(sensor)) nextSensor();
  }
}

}  // namespace

void startSensors() {
  for (uint8_t at = 0; at < kEntries; at++) {
    sensor = fromFlash(kSensors[at]);
    if (!isUltrasonic(sensor)) continue;
    pinMode(sensor.pin, OUTPUT);
    digitalWrite(sensor.pin, LOW);
    // The pull-up keeps the pin high if no sensor is connected; the sensor then counts as silent.
    pinMode(sensor.echoPin, INPUT_PULLUP);
    echo.set(sensor.echoPin);
    watchPin(sensor.echoPin);
  }
  if (kLasers > 0) startLasers();
}

void measure(Field &field) {
  if (kUltrasonics > 0) measureUltrasonic(field);
  if (kLasers > 0) measureLasers(field);
}

void onEchoEdge() {
  const bool high = echo.isHigh();
  if (high && !rose) {
    echoFromUs = clockUs();
    rose = true;
  } else if (!high && rose && !fell) {
    echoUs = clockUs() - echoFromUs;
    fell = true;
  }
}

#if defined(__AVR__)
void watchPin(int pin) {
  *digitalPinToPCMSK(pin) |= static_cast<uint8_t>(_BV(digitalPinToPCMSKbit(pin)));
  *digitalPinToPCICR(pin) |= static_cast<uint8_t>(_BV(digitalPinToPCICRbit(pin)));
}
#endif

}  // namespace board
}  // namespace cgw1

#if defined(__AVR__)
ISR(PCINT0_vect) {
  if (cgw1::kHasEncoders) cgw1::board::onWheelEdge();
  if (cgw1::kUltrasonics > 0) cgw1::board::onEchoEdge();
}
ISR(PCINT1_vect, ISR_ALIASOF(PCINT0_vect));
ISR(PCINT2_vect, ISR_ALIASOF(PCINT0_vect));
#endif
