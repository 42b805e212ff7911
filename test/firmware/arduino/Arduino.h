// Stub of the Arduino core, sufficient to compile the sketch on a PC.
#pragma once
#include <stddef.h>
#include <stdint.h>

constexpr uint8_t HIGH = 1, LOW = 0, INPUT = 0, OUTPUT = 1, INPUT_PULLUP = 2, LED_BUILTIN = 13;
constexpr uint8_t A0 = 14, A1 = 15, A2 = 16, A3 = 17, A4 = 18, A5 = 19;

inline void pinMode(uint8_t, uint8_t) {}
inline void digitalWrite(uint8_t, uint8_t) {}
inline int digitalRead(uint8_t) { return LOW; }
inline void analogWrite(uint8_t, int) {}
inline int analogRead(uint8_t) { return 512; }
inline unsigned long millis() { return 0; }
inline unsigned long micros() { return 0; }
inline void interrupts() {}
inline void noInterrupts() {}
extern volatile uint8_t inputRegister;
inline uint8_t digitalPinToPort(int pin) { return static_cast<uint8_t>(pin / 8); }
inline uint8_t digitalPinToBitMask(int pin) { return static_cast<uint8_t>(1 << pin % 8); }
inline volatile uint8_t *portInputRegister(uint8_t) { return &inputRegister; }

struct HardwareSerial {
  void begin(long) {}
  int available() { return 0; }
  int availableForWrite() { return 63; }
  int read() { return -1; }
  size_t write(const uint8_t *, size_t length) { return length; }
};
static HardwareSerial Serial;
