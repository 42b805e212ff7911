// Runs the reference controller on a PC. Reads a script from standard input, one step per line, and prints the
// controller's outputs with the time in ms since its start. Time passes only in `wait`, in steps of 1 ms.
//
//   rx <hex>       bytes arrive                    tx <hex>          a frame is sent
//   wait <ms>      time passes                     enable <0|1>      the enable output changes
//   estop <0|1>    1 = circuit closed, healthy     drive <v> <w>     speeds change (mm/s, 0.1 degree/s)
//   faults <bits>  active faults                   crc <hex>         answer to `crc`
//   reset <0|1>    1 = the reset button is pressed
//   wheels <0|1>   1 = with encoders
//   jam <0|1>      1 = the wheels do not turn
//   crc <hex>      the CRC of some bytes
//   noise <n>      n random bytes arrive
#include <cstdint>
#include <cstdio>
#include <iostream>
#include <string>
#include <vector>

#include "../../firmware/cgw1/cgw1.h"

namespace {

uint32_t nowMs = 0;
bool healthy = true;
bool resetting = false;
bool encoders = false;
bool jammed = false;
bool enabled = false;
uint16_t faultsNow = 0;
int16_t speedNow = 0;
int16_t omegaNow = 0;
double leftMm = 0;
double rightMm = 0;

constexpr cgw1::Config kConfig = {cgw1::kCapEstopInput, 1, 2, 3, 500, 400, 500, 900, 400, 0x1234abcd};

std::vector<uint8_t> fromHex(const std::string &hex) {
  std::vector<uint8_t> bytes;
  for (size_t at = 0; at + 1 < hex.size(); at += 2) {
    bytes.push_back(static_cast<uint8_t>(std::stoi(hex.substr(at, 2), nullptr, 16)));
  }
  return bytes;
}

// Moves the wheels at the commanded speeds while enabled.
void roll() {
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
  speedNow = speedMmps;
  omegaNow = omegaDdegps;
}
bool estopHealthy() { return healthy; }
bool resetPressed() { return resetting; }
uint16_t faults() { return faultsNow; }
bool odometer(int32_t &left, int32_t &right) {
  left = static_cast<int32_t>(leftMm);
  right = static_cast<int32_t>(rightMm);
  return encoders;
}
void telemetry(Telemetry &out) { out.batteryMv = 12000; }
}  // namespace board
}  // namespace cgw1

int main() {
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
        controller.tick(nowMs);
      }
    } else if (step == "estop") {
      healthy = argument == "1";
    } else if (step == "reset") {
      resetting = argument == "1";
    } else if (step == "faults") {
      faultsNow = static_cast<uint16_t>(std::stoi(argument));
    } else if (step == "wheels") {
      encoders = argument == "1";
    } else if (step == "jam") {
      jammed = argument == "1";
    } else if (step == "crc") {
      const std::vector<uint8_t> bytes = fromHex(argument);
      std::printf("%u crc %04x\n", nowMs, cgw1::crc16(bytes.data(), static_cast<uint8_t>(bytes.size())));
    } else if (step == "noise") {
      for (long left = std::stol(argument); left > 0; left--) {
        random = random * 1664525 + 1013904223;
        // Frequent zeros give many short frames.
        const uint8_t byte = static_cast<uint8_t>(random >> 24);
        controller.receive(byte < 16 ? 0 : byte, nowMs);
      }
    }
  }
}
