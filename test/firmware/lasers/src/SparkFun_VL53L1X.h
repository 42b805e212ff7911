// Replaces SparkFun's library, which configures a VL53L1X. The simulated sensor needs only its address.
#pragma once
#include <Wire.h>

class SFEVL53L1X {
 public:
  explicit SFEVL53L1X(TwoWire &bus) : bus_(bus) {}

  bool begin() {
    bus_.beginTransmission(0x29);
    return bus_.endTransmission() != 0;
  }
  void setI2CAddress(uint8_t address) {
    const uint8_t bytes[] = {0x00, 0x01, static_cast<uint8_t>(address >> 1)};
    bus_.beginTransmission(0x29);
    bus_.write(bytes, sizeof bytes);
    bus_.endTransmission();
  }
  void setDistanceModeLong() {}
  void setTimingBudgetInMs(uint16_t) {}
  void setIntermeasurementPeriod(uint16_t) {}
  void startRanging() {}

 private:
  TwoWire &bus_;
};
