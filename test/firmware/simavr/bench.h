/*
 * Bench for the CGW1 sketch: an ATmega in libsimavr with the cart's wiring, and a serial line to the host.
 * One thread; all times are CPU cycles at 16 MHz. Events are printed as JSON lines.
 */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include <simavr/avr_ioport.h>
#include <simavr/avr_uart.h>
#include <simavr/sim_avr.h>

#define CYCLES_PER_US 16
#define NEVER UINT64_MAX

extern avr_t *avr;

/* Prints one event; `...` is the format and the values of further JSON members, each preceded by a comma. */
#define EVENT(name, ...) \
  (printf("{\"cycle\":%llu,\"event\":\"%s\"", (unsigned long long)avr->cycle, name), printf(__VA_ARGS__), puts("}"))

/* board.c: the microcontroller, its pins and its resets. */
void board_start(const char *name);
void board_load(const char *hex_file);
/* Completes a reset that has just occurred. Must be called after each step of the simulator. */
void board_settle(void);
void board_reset(const char *cause);
void board_press(const char *input, bool pressed);
void board_battery(uint32_t millivolts);
/* Makes the main loop hang at its `wdr` instruction until the board is reset. */
void board_hang(void);
int board_enable(void);
/* Returns a motor's duty, -255 to 255. */
int board_duty(int motor);
struct pin {
  char port;
  uint8_t bit;
};
avr_irq_t *irq_of(struct pin pin);
/* True if the sketch drives this pin low. */
bool board_is_low(struct pin pin);
/* Drives an input from outside, or pulls down an output that the sketch has not yet configured. */
void drive(struct pin pin, bool level);
void board_report(void);

/* line.c: the serial line and the microcontroller's USART 0. */
void line_start(void);
void line_reset(void);
void line_baud(double baud);
/* Appends a byte to the bytes that the host transmits back to back. */
void line_push(uint8_t byte);
/* Unplugs the host's cable; the byte on the line and the bytes after it do not arrive. */
void line_cut(void);
bool line_idle(void);
/* Returns the cycle of the line's next change, and applies all changes that are due. */
uint64_t line_next(void);
void line_step(void);
/* Sets the function that receives each byte from the controller when its stop bit ends. */
void line_output(void (*receive)(uint8_t byte));
void line_show_frames(bool shown);
void line_report(void);

/* cart.c: motors with encoders, distance sensors and bumpers of the cart in test/firmware/cart, on an Uno. */
void cart_start(double full_mmps, double lag_ms);
void cart_block(bool blocked);
/* A negative range means that the sensor does not respond; 65535 means that nothing is within range. */
void cart_range(int sensor, int mm);
/* Places a fixed obstacle at this distance ahead of the cart. */
void cart_wall(int mm);
void cart_bump(int bumper, bool pressed);
int cart_range_of(int sensor);

/* laser.c: distance sensors on the I2C bus, instead of the cart's ultrasonic sensors. */
void lasers_start(void);

/* script.c: commands. */
void script_open(const char *file);
/* Executes the commands that are due. Returns false at the end of the script. */
bool script_step(void);
uint64_t script_next(void);
bool command_execute(char *line);

/* live.c: a pseudo-terminal in real time. */
void live_run(const char *link, bool reset_on_open);

/* main.c */
void run_until(uint64_t cycle);
