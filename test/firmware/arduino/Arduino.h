// Stub of the Arduino core, sufficient to compile the sketch on a PC.
#pragma once
#include <stddef.h>
#include <stdint.h>

constexpr uint8_t HIGH = 1, LOW = 0, OUTPUT = 1, INPUT_PULLUP = 2, A0 = 14;

inline void pinMode(uint8_t, uint8_t) {}
inline void digitalWrite(uint8_t, uint8_t) {}
inline int digitalRead(uint8_t) { return LOW; }
inline void analogWrite(uint8_t, int) {}
inline int analogRead(uint8_t) { return 512; }
inline unsigned long millis() { return 0; }

struct HardwareSerial {
  void begin(long) {}
  int available() { return 0; }
  int availableForWrite() { return 63; }
  int read() { return -1; }
  size_t write(const uint8_t *, size_t length) { return length; }
};
static HardwareSerial Serial;
