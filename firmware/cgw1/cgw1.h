// Reference controller for CGW1 (docs/protocol.md): session, link watchdog, E-stop latch and motion. This
// code is independent of the hardware and the clock: the sketch passes the received bytes and the time in ms,
// and implements `board`.
#pragma once
#include <stdint.h>

#include "cgw1_field.h"
#include "cgw1_motion.h"
#include "cgw1_wire.h"

namespace cgw1 {

// Faults that end a motion and prevent the next one.
constexpr uint16_t kBlocking =
    kUndervolt | kOvercurrent | kOvertempM1 | kOvertempM2 | kOvertempBoard | kEncoder | kStall | kSensorSilent;
// Faults that switch motor enable off immediately, because the wheels do not follow the controller.
constexpr uint16_t kCutting = kEncoder | kStall;
// Faults cleared only by a STOP at standstill.
constexpr uint16_t kSticky = kOvercurrent | kEncoder | kStall;
// Faults that remain while the emergency stop is latched.
constexpr uint16_t kWhileLatched = kEstopInput;
// Faults that record past events; the next accepted motion clears them.
constexpr uint16_t kHistory = kWatchdogReset | kBrownout | kLinkLost | kCrcBurst;

template <typename T>
T clamp(T value, T low, T high) {
  return value < low ? low : value > high ? high : value;
}

// The cart's properties and limits, in flash memory. A LIMITS frame from the host can only lower the limits.
struct Config {
  uint16_t caps;
  uint8_t major, minor, patch;
  uint16_t maxSpeedMmps;
  uint16_t accelMmps2;
  uint16_t decelMmps2;
  uint16_t omegaMaxDdegps;
  // Distance between the wheels.
  uint16_t trackMm;
  // The first eight hexadecimal digits of the source commit; 0 = unknown.
  uint32_t revision;
  // The protective field, which has no effect if the cart has neither sensors nor bumpers.
  FieldConfig field;
};

// Measured values; the defaults mean "not measured".
struct Telemetry {
  uint16_t batteryMv = 0;
  int16_t batteryCa = 0;
  int8_t tempBoardC = -128;
  int8_t tempM1C = -128;
  int8_t tempM2C = -128;
  uint8_t soc = 255;
};

// The sketch implements these functions, none of which may block.
namespace board {
void send(const uint8_t *wire, uint8_t length);
// Returns the number of bytes that `send` accepts without waiting.
uint8_t room();
// Sets the enable input of the motor driver. Disabling must take effect immediately.
void enable(bool on);
// Called every 10 ms, before the motion is computed.
void sample(State state);
// Operates the distance sensors and passes their measurements to the protective field. Called in every
// iteration of the main loop.
void measure(Field &field);
// Returns the bumpers that are pressed, as in RANGES.
uint8_t bumpers();
// Called every 10 ms during a motion, and once with zeros when the motion ends.
void drive(int16_t speedMmps, int16_t omegaDdegps);
// Returns false while the E-stop circuit is open or cannot be read.
bool estopHealthy();
// Returns true while the reset button is pressed; always false if the cart has no reset button.
bool resetPressed();
uint16_t faults();
// Outputs the distance that each wheel has travelled since power-on, in mm. Returns false if there are no
// encoders.
bool odometer(int32_t &leftMm, int32_t &rightMm);
// Outputs the measured speeds of the wheels. Returns false if there are no encoders.
bool wheelSpeeds(int16_t &leftMmps, int16_t &rightMmps);
void telemetry(Telemetry &out);
}  // namespace board

class Controller {
 public:
  explicit Controller(const Config &config) : config_(config), field_(config.field) {}

  void begin(uint32_t nowMs, uint16_t bootCount, Reset cause);
  // Returns true if the byte completed a frame. After each frame, call `tick` before the next byte, so that
  // the E-stop input is read often even if frames arrive without a gap.
  bool receive(uint8_t byte, uint32_t nowMs);
  // Must be called in every iteration of the main loop; acts every 10 ms.
  void tick(uint32_t nowMs);
  State state() const;

 private:
  struct Frame {
    uint8_t flags, type, seq, session;
    const uint8_t *payload;
  };
  struct Note {
    uint32_t wireId;
    int32_t finalMm;
    int16_t finalDdeg;
    Event event;
    // The Reason or, for Event::Fault, the number of the fault bit.
    uint8_t code;
  };

  void onFrame(const uint8_t *raw, uint8_t rawBytes);
  void dispatch(const Frame &frame);
  void onHello(const Frame &frame);
  void onHeartbeat(const Frame &frame);
  void onBuild(const Frame &frame);
  void onMove(const Frame &frame);
  void onJog(const Frame &frame);
  void onStop(const Frame &frame);
  void onEstop(const Frame &frame);
  void onEstopReset(const Frame &frame);
  void onLimits(const Frame &frame);
  void restoreLimits();
  // New limits do not reduce the deceleration of the current motion.
  void keepDeceleration();
  void onField(const Frame &frame);
  void onSensors(const Frame &frame);
  void onAck(const Frame &frame);
  // A timeout of 0 ms keeps the current timeout.
  void setTimeout(uint16_t timeoutMs);
  // Returns the time limit for a MOVE that has no maxDurationDs: 1.5 times the expected duration plus 2 s.
  uint32_t ownBoundMs() const;
  // `directions` are those in which the motion would begin, as in RANGES.blocked.
  bool refusesMotion(const Frame &frame, uint32_t wireId, uint8_t directions);
  Config config() const { return fromFlash(config_); }
  bool hasField() const { return (fromFlash(config_.caps) & kCapField) != 0; }

  void watchInput();
  void watchBumpers();
  void watchField(uint16_t dtMs);
  // The directions in which the current motion moves the cart now, or will move it next.
  uint8_t directions() const;
  // Outputs the current speeds, which are measured if there are encoders.
  void speeds(int16_t &speedMmps, int16_t &omegaDdegps) const;
  // The deceleration of the wheels when a motion in this direction is stopped.
  uint16_t wheelDecel(uint8_t direction) const;
  void watchReset();
  void watchFaults();
  void watchLink();
  void runMotion(uint16_t dtMs);
  void measure(uint16_t dtMs);

  void startMotion(Motion::Kind kind, uint32_t wireId);
  // Decelerates to a standstill and then reports `event`. If a stop is already in progress, its reason is
  // retained.
  void endMotion(Event event, Reason reason, bool thenOff);
  // Called when the cart has come to a standstill.
  void finishMotion();
  // Disables the motors immediately, at any speed.
  void cutMotion(Event event, Reason reason);
  void latch();
  void unlatch();

  bool known(uint32_t wireId) const;
  void remember(uint32_t wireId);
  void note(Event event, Reason reason);
  void noteFaults();
  void queue(const Note &note);
  // Sends the reports that are due. A report that does not fit into the transmit buffer is sent in a later
  // iteration of the main loop.
  void sendReports();
  // Return false if a frame is due but does not fit.
  bool sendNotes();
  bool sendStatus();
  bool sendRanges();
  void dropNote();
  void send(Outgoing &frame);
  // Drops a response that does not fit, because the host repeats its frame.
  void respond(Outgoing &frame);
  void ack(const Frame &frame, uint32_t wireId, uint8_t code = 0);
  void nack(const Frame &frame, Refusal code, uint32_t wireId = 0);

  static constexpr uint8_t kKnown = 8;
  static constexpr uint8_t kNotes = 3;

  const Config &config_;
  Deframer deframer_;
  Motion motion_;
  Limits limits_;
  Field field_;
  uint32_t known_[kKnown] = {};
  Note notes_[kNotes];
  uint32_t nowMs_ = 0;
  uint32_t tickMs_ = 0;
  uint32_t lastValidMs_ = 0;
  uint32_t statusMs_ = 0;
  uint32_t rangesMs_ = 0;
  uint32_t noteMs_ = 0;
  uint32_t noiseMs_ = 0;
  uint32_t hostNonce_ = 0;
  uint16_t resetReadMs_ = 0;
  uint16_t timeoutMs_ = 500;
  uint16_t bootCount_ = 0;
  uint16_t estopNonce_ = 0;
  uint16_t faults_ = 0;
  uint16_t notedFaults_ = 0;
  Reset resetCause_ = Reset::PowerOn;
  uint8_t session_ = 0;
  uint8_t seq_ = 0;
  uint8_t noteSeq_ = 0;
  uint8_t noteTries_ = 0;
  uint8_t noteCount_ = 0;
  uint8_t knownAt_ = 0;
  uint8_t noise_ = 0;
  // Time for which the reset button has been pressed without interruption; 255 = longer.
  uint8_t resetHeldMs_ = 0;
  State told_ = State::Boot;
  bool open_ = false;
  bool armed_ = false;
  bool latched_ = false;
  bool inputWasHealthy_ = true;
  bool resetPressed_ = false;
  // The reset button must be released before a press counts. Initially true, so that a button that is held down or
  // stuck at startup does not count as a reset.
  bool resetIgnored_ = true;
  bool linkLost_ = false;
  bool reportWaits_ = false;
  // The host has sent a FIELD frame in this session, so it understands RANGES frames.
  bool rangesWanted_ = false;
  // The state of the protective field in the last RANGES frame.
  uint8_t toldBlocked_ = 0;
  uint8_t toldBumpers_ = 0;
  // A response was sent while a report was waiting. The next response must wait for the report, so that a
  // flood of frames cannot block the reports.
  bool responded_ = false;
};

// Uses about 300 bytes of an Uno's 2 KB; more on a PC because of padding and wider pointers.
static_assert(sizeof(Controller) <= 344, "Controller is too large for the memory of an Uno");

}  // namespace cgw1
