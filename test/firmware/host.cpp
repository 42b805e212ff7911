// Runs the reference controller on a PC. Reads a script from standard input, one step per line, and prints the
// controller's outputs with the time in ms since its start. Time passes only in `wait`, in steps of 1 ms.
//
//   rx <hex>       bytes arrive                    tx <hex>          a frame is sent
//   wait <ms>      time passes                     enable <0|1>      the enable output changes
//   estop <0|1>    1 = circuit closed, healthy     drive <v> <w>     speeds change (mm/s, 0.1 degree/s)
//   faults <bits>  active faults                   crc <hex>         result of `crc`
//   reset <0|1>    1 = the reset button is pressed
//   wheels <0|1>   1 = with encoders
//   motors <mm/s>  motors with this speed at full PWM and a lag of 100 ms, and the speed controller of the wheels
//   lag <ms>       changes the lag of the motors
//   jam <0|1>      1 = the wheels do not turn
//   miswire <0|1>  1 = the left encoder counts in the wrong direction
//   bounce <us>    every edge of the encoders, which have one channel, is followed by another edge
//   sample <us>    a wheel runs steadily, and one sample contains a count that is this much too late: lowest and
//                  highest measured speed
//   range <n>:<mm> distance sensor n, which measures every 40 ms; mm = "silent": the sensor does not measure
//   bump <bits>    pressed bumpers
//   crc <hex>      computes the CRC of the bytes
//   noise <n>      n random bytes arrive
//   loop <ms>      duration of one iteration of the main loop
#include <cstdint>
#include <cstdio>
#include <iostream>
#include <string>
#include <vector>

#include "../../firmware/cgw1/cgw1.h"
#include "../../firmware/cgw1/cgw1_wheel.h"

namespace {

uint32_t nowMs = 0;
bool healthy = true;
bool resetting = false;
bool encoders = false;
uint32_t loopMs = 1;
bool jammed = false;
bool enabled = false;
uint16_t faultsNow = 0;
int16_t speedNow = 0;
int16_t omegaNow = 0;
double leftMm = 0;
double rightMm = 0;

uint8_t bumpersNow = 0;
// Two sensors: straight ahead and straight back.
int ranges[2] = {cgw1::kNothing, cgw1::kNothing};

constexpr cgw1::Sensor kSensors[] = {
    {cgw1::SensorKind::Ultrasonic, 0, 0, 0, 30, 250},
    {cgw1::SensorKind::Ultrasonic, 0, 0, 1800, 27, 130},
};
// With `--field`, the controller has a protective field.
cgw1::Config kConfig = {cgw1::kCapEstopInput, 1, 2, 3, 500, 400, 500, 900, 400, 0x1234abcd,
                        {kSensors, 2, false, 100, 100, 400}};

constexpr cgw1::Wheel::Setup kWheel = {800, 300, 160, 400, 100};
// A wheel with its motor, encoder and speed controller.
struct Driven {
  cgw1::Wheel wheel{kWheel};
  double mmps = 0;
  double mm = 0;
  int32_t edges = 0;
  cgw1::Counts counts = {};
  int16_t target = 0;
  int16_t duty = 0;
};
Driven left, right;
double fullMmps = 0;
double lagMs = 100;
bool miswired = false;
uint32_t bounceUs = 0;

std::vector<uint8_t> fromHex(const std::string &hex) {
  std::vector<uint8_t> bytes;
  for (size_t at = 0; at + 1 < hex.size(); at += 2) {
    bytes.push_back(static_cast<uint8_t>(std::stoi(hex.substr(at, 2), nullptr, 16)));
  }
  return bytes;
}

// Moves one wheel for 1 ms and updates its encoder count.
void turn(Driven &one, bool inverted) {
  const double aim = enabled && !jammed ? one.duty * fullMmps / 255 : 0;
  one.mmps += (aim - one.mmps) / (jammed ? 1 : lagMs);
  const double from = one.mm;
  one.mm += one.mmps / 1000;
  const double sign = inverted ? -1 : 1;
  const int32_t count = static_cast<int32_t>(sign * one.mm * 1000 / kWheel.umPerCount);
  const uint32_t shortestUs = cgw1::shortestCountUs(kWheel.fullSpeedMmps, kWheel.umPerCount);
  while (one.edges != count) {
    const int8_t step = one.edges < count ? 1 : -1;
    one.edges += step;
    // The time of the edge within this millisecond.
    const double edge = sign * one.edges * kWheel.umPerCount / 1000.0;
    const double part = one.mm == from ? 1 : (edge - from) / (one.mm - from);
    const uint32_t edgeUs = (nowMs - 1) * 1000 + static_cast<uint32_t>(1000 * (part < 0 ? 0 : part > 1 ? 1 : part));
    cgw1::countEdge(one.counts, step, edgeUs, shortestUs);
    if (bounceUs > 0) cgw1::countEdge(one.counts, step, edgeUs + bounceUs, shortestUs);
  }
}

// A wheel with 5.1 mm per count runs at 150 mm/s. One count comes `lateUs` after the one in the previous sample.
void sampleWheel(uint32_t lateUs) {
  static constexpr cgw1::Wheel::Setup kSetup = {500, 5100, 160, 400, 100};
  cgw1::Wheel wheel(kSetup);
  cgw1::Counts counts = {};
  int32_t edges = 0;
  int16_t lowest = 32767;
  int16_t highest = -32768;
  bool late = false;
  for (uint32_t sample = 1; sample <= 140; sample++) {
    const uint32_t nowUs = sample * 10000;
    const int32_t passed = static_cast<int32_t>(sample * 1500 / 5100);
    if (passed != edges) {
      counts.count++;
      counts.edgeUs = static_cast<uint32_t>(passed) * 34000;
    } else if (sample > 100 && !late) {
      late = true;
      counts.count++;
      counts.edgeUs += lateUs;
    }
    edges = passed;
    wheel.measure(counts, nowUs, 10);
    if (sample <= 100) continue;
    lowest = wheel.speedMmps() < lowest ? wheel.speedMmps() : lowest;
    highest = wheel.speedMmps() > highest ? wheel.speedMmps() : highest;
  }
  std::printf("%u speed %d %d\n", nowMs, lowest, highest);
}

// Moves the wheels at the commanded speeds while enabled.
void roll() {
  if (fullMmps > 0) {
    turn(left, miswired);
    turn(right, false);
    return;
  }
  if (!enabled || jammed) return;
  const double side = omegaNow * static_cast<double>(kConfig.trackMm) / (2 * 573.0);
  leftMm += (speedNow - side) / 1000;
  rightMm += (speedNow + side) / 1000;
}

}  // namespace

namespace cgw1 {
namespace board {
void send(const uint8_t *wire, uint8_t length) {
  std::printf("%u tx ", nowMs);
  for (uint8_t at = 0; at < length; at++) std::printf("%02x", wire[at]);
  std::printf("\n");
}
uint8_t room() { return 255; }
void enable(bool on) {
  if (on != enabled) std::printf("%u enable %d\n", nowMs, on);
  enabled = on;
}
void drive(int16_t speedMmps, int16_t omegaDdegps) {
  if (speedMmps != speedNow || omegaDdegps != omegaNow) std::printf("%u drive %d %d\n", nowMs, speedMmps, omegaDdegps);
  const int16_t side = static_cast<int16_t>(omegaDdegps * kConfig.trackMm / (2 * 573));
  left.target = static_cast<int16_t>(speedMmps - side);
  right.target = static_cast<int16_t>(speedMmps + side);
  speedNow = speedMmps;
  omegaNow = omegaDdegps;
}
void sample(State) {
  if (fullMmps == 0) return;
  for (Driven *one : {&left, &right}) {
    one->wheel.measure(one->counts, nowMs * 1000, 10);
    one->duty = one->wheel.control(one->target, 10);
  }
  std::printf("%u speed %d %d\n", nowMs, static_cast<int>(left.mmps), static_cast<int>(right.mmps));
}
void measure(Field &field) {
  static uint32_t round = 0;
  if (nowMs / 40 == round) return;
  round = nowMs / 40;
  for (uint8_t at = 0; at < 2; at++) {
    if (ranges[at] >= 0) field.report(at, static_cast<uint16_t>(ranges[at]));
  }
}
uint8_t bumpers() { return bumpersNow; }
bool estopHealthy() { return healthy; }
bool resetPressed() { return resetting; }
uint16_t faults() {
  const bool stalled = left.wheel.stalled() || right.wheel.stalled();
  const bool miscounts = left.wheel.miscounts() || right.wheel.miscounts();
  return static_cast<uint16_t>(faultsNow | (stalled ? kStall : 0) | (miscounts ? kEncoder : 0));
}
bool odometer(int32_t &leftOut, int32_t &rightOut) {
  leftOut = fullMmps > 0 ? left.wheel.distanceMm() : static_cast<int32_t>(leftMm);
  rightOut = fullMmps > 0 ? right.wheel.distanceMm() : static_cast<int32_t>(rightMm);
  return encoders || fullMmps > 0;
}
bool wheelSpeeds(int16_t &leftOut, int16_t &rightOut) {
  leftOut = left.wheel.speedMmps();
  rightOut = right.wheel.speedMmps();
  return fullMmps > 0;
}
void telemetry(Telemetry &out) { out.batteryMv = 12000; }
}  // namespace board
}  // namespace cgw1

int main(int count, char **options) {
  if (count > 1 && std::string(options[1]) == "--field") kConfig.caps |= cgw1::kCapField;
  cgw1::Controller controller(kConfig);
  controller.begin(nowMs, 3, cgw1::Reset::External);
  uint32_t random = 1;
  std::string step;
  std::string argument;
  while (std::cin >> step >> argument) {
    if (step == "rx") {
      for (const uint8_t byte : fromHex(argument)) controller.receive(byte, nowMs);
    } else if (step == "wait") {
      for (long left = std::stol(argument); left > 0; left--) {
        nowMs++;
        roll();
        if (nowMs % loopMs == 0) controller.tick(nowMs);
      }
    } else if (step == "loop") {
      loopMs = static_cast<uint32_t>(std::stoul(argument));
    } else if (step == "estop") {
      healthy = argument == "1";
    } else if (step == "reset") {
      resetting = argument == "1";
    } else if (step == "faults") {
      faultsNow = static_cast<uint16_t>(std::stoi(argument));
    } else if (step == "wheels") {
      encoders = argument == "1";
    } else if (step == "motors") {
      fullMmps = std::stod(argument);
    } else if (step == "lag") {
      lagMs = std::stod(argument);
    } else if (step == "miswire") {
      miswired = argument == "1";
    } else if (step == "bounce") {
      bounceUs = static_cast<uint32_t>(std::stoul(argument));
    } else if (step == "sample") {
      sampleWheel(static_cast<uint32_t>(std::stoul(argument)));
    } else if (step == "range") {
      const std::string mm = argument.substr(2);
      ranges[argument[0] - '0'] = mm == "silent" ? -1 : std::stoi(mm);
    } else if (step == "bump") {
      bumpersNow = static_cast<uint8_t>(std::stoi(argument));
    } else if (step == "jam") {
      jammed = argument == "1";
    } else if (step == "crc") {
      const std::vector<uint8_t> bytes = fromHex(argument);
      std::printf("%u crc %04x\n", nowMs, cgw1::crc16(bytes.data(), static_cast<uint8_t>(bytes.size())));
    } else if (step == "noise") {
      for (long left = std::stol(argument); left > 0; left--) {
        random = random * 1664525 + 1013904223;
        // Frequent zero bytes produce many short frames.
        const uint8_t byte = static_cast<uint8_t>(random >> 24);
        controller.receive(byte < 16 ? 0 : byte, nowMs);
      }
    }
  }
}
