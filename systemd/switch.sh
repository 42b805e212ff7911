# shellcheck shell=bash
# shellcheck disable=SC2034,SC2154
# Part of install.sh and update.sh: replaces the release on a running system, and rolls back if the new release fails.
# Uses these variables of its caller: id and previous (release names), is_new (true if this run placed the release), opt
# and data (directories), needed (see state.sh); and these functions: activate, version_of, info and die, which ends the
# program with the reason. The variables `result` and `code` classify the reason.
#
# The gateway's user is less privileged than root. Its status, log and files are data: root checks them before
# use, passes none of them as an option, and writes in none of its directories.

# Time within which a release must be ready, in s; increased by tests on an emulated machine.
READY_S=${CARTWRIGHT_READY_S:-60}
STEADY_S=5
PROBE_S=30
needed='' failed=''
# Files that are never rolled back: images, backups and uploaded releases, which are only added; revocations; and the
# E-stop latch, which applies to the cart regardless of the release.
KEEP_OUT=('(' -name photos -o -name backups -o -name gateway-backups -o -name updates -o -name black-box -o -name camera-run -o -name 'estop.json*' -o -name 'revocations.journal*' ')')

# Runs a program as the gateway's user, without a terminal: a process of that user could otherwise type
# commands into root's terminal (TIOCSTI).
as_service() { (cd / && exec 9>&- setsid --wait runuser -u cartwright -- "$@"); }

# Prints the address that the running gateway reports to systemd. Fails if it is not an HTTP origin.
serving_at() {
  local status origin='https?://([0-9A-Za-z.-]+|\[[0-9A-Fa-f:.]+\])(:[0-9]{1,5})?'
  [ "$(systemctl is-active cartwright)" = active ] || return 1
  status=$(systemctl show --property=StatusText --value cartwright)
  [[ $status =~ ^Serving\ at\ ($origin)\  ]] || return 1
  printf '%s\n' "${BASH_REMATCH[1]}"
}

is_stop_only() {
  systemctl show --property=StatusText --value cartwright | grep -q '^Stop-only mode'
}

# Prints the state of the gateway at an address: whether it is ready, its version, whether its cart is parked ("unknown"
# if the gateway does not report this), and the names of the checks that pass, separated by commas. Without `--`, Node
# would parse an address that begins with `-` as its own option. The process belongs to the gateway's user, which can
# hold it, so the time and the length of its answer are limited here.
probe() { # probe URL
  local answer
  # shellcheck disable=SC2016
  answer=$(timeout 10 head -c 512 < <(NODE_TLS_REJECT_UNAUTHORIZED=0 NODE_NO_WARNINGS=1 \
    as_service "$opt/node" --input-type=module --eval '
      const [url] = process.argv.slice(1);
      const { body } = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(3000) });
      let text = "";
      for await (const part of body.pipeThrough(new TextDecoderStream())) {
        text += part;
        if (text.length > 65536) throw new Error("too long");
      }
      const { ready, version, parked, checks } = JSON.parse(text);
      const passed = Object.keys(checks ?? {}).filter((name) => checks[name] === "passed");
      console.log(ready === true, version, typeof parked === "boolean" ? parked : "unknown", passed.join(","));
    ' -- "${1/localhost/127.0.0.1}" < /dev/null 2> /dev/null)) || return 1
  [[ $answer =~ ^(true|false)\ [0-9A-Za-z.+-]{1,64}\ (true|false|unknown)\ [A-Za-z,]{0,256}$ ]] || return 1
  printf '%s\n' "$answer"
}

# Succeeds if the gateway is ready, has version $2, because another program may use the port, and passes the checks in
# `needed`. Otherwise sets `failed` to the checks that do not pass, or to an empty string if it is not ready.
answers() { # answers URL VERSION
  local ready version parked passed name
  failed=''
  read -r ready version parked passed < <(probe "$1") || return 1
  [ "$ready" = true ] && [ "$version" = "$2" ] || return 1
  for name in ${needed//,/ }; do
    [[ ,$passed, == *",$name,"* ]] || failed+=${failed:+,}$name
  done
  [ -z "$failed" ]
}

# Sets `needed` to the checks that the running gateway passes, and `is_parked` to true, false or unknown. A gateway that
# does not respond within PROBE_S passes none.
note_checks() {
  local url ready version parked passed end=$((SECONDS + PROBE_S))
  needed='' is_parked=unknown
  while url=$(serving_at); do
    if read -r ready version parked passed < <(probe "$url"); then
      is_parked=$parked
      [ "$ready" != true ] || needed=$passed
      return
    fi
    [ "$SECONDS" -lt "$end" ] || return 0
    sleep 1
  done
}

# A release is ready when it has responded for five consecutive seconds.
wait_ready() { # wait_ready RELEASE
  local url version steady=0 end=$((SECONDS + READY_S))
  version=$(version_of "$opt/releases/$1")
  failed=''
  while [ "$SECONDS" -lt "$end" ]; do
    if url=$(serving_at) && answers "$url" "$version"; then
      steady=$((steady + 1))
      [ "$steady" -lt "$STEADY_S" ] || return 0
    else
      steady=0
    fi
    # After three crashes in a row, the gateway enters stop-only mode.
    ! is_stop_only || return 1
    sleep 1
  done
  return 1
}

# Removes control characters, so that a log line cannot control root's terminal.
printable() { LC_ALL=C tr -cd '\11\12\40-\176'; }

# Prints the names of the entries that are rolled back, each followed by a NUL.
entries() { # entries DIR
  find -H "$1" -mindepth 1 -maxdepth 1 ! "${KEEP_OUT[@]}" -printf '%f\0'
}

# Copies the data to a new directory beside it, in which only root can write. `cp -a` copies links as links. Is used in
# conditions, where `set -e` has no effect.
save_data() { # save_data TO
  end_processes && rm -rf "$1" && mkdir -m 700 "$1" &&
    find -H "$data" -mindepth 1 -maxdepth 1 ! "${KEEP_OUT[@]}" -exec cp -a -t "$1" {} + && sync -f "$1"
}

# Moves the data to another directory and can be repeated after a power cut. Needs no space if both are on one file
# system. Is used in conditions, where `set -e` has no effect.
move_data() { # move_data FROM TO
  local name names move=(mv -f) is_copied=false
  mapfile -d '' names < <(entries "$1") && wait "$!" || return
  [ "$(stat -L -c %d "$1")" = "$(stat -L -c %d "$2")" ] || move=(cp -a) is_copied=true
  for name in "${names[@]}"; do
    rm -rf -- "${2:?}/$name" && "${move[@]}" -T -- "$1/$name" "$2/$name" || return
  done
  sync -f "$2" || return
  if $is_copied; then
    for name in "${names[@]}"; do rm -rf -- "${1:?}/$name" || return; done
    sync -f "$1"
  fi
}

# Prints the processes of a user in this PID namespace; a container may have another user with the same number.
processes_of() { # processes_of UID
  local pid
  while read -r pid; do
    [ "/proc/$pid/ns/pid" -ef /proc/self/ns/pid ] || continue
    grep -qsE '^State:[[:space:]][ZX]' "/proc/$pid/status" || printf '%s\n' "$pid"
  done < <(grep -lsE "^Uid:.*[[:space:]]$1([[:space:]]|\$)" /proc/[0-9]*/status | cut -d / -f 3)
}

# Ends the processes of the gateway's user that are not part of the stopped unit, such as `cartwright user`: only root may
# change the data while root copies or moves it. Fails if a process does not end.
end_processes() {
  local uid left end=$((SECONDS + 10))
  uid=$(id -u cartwright 2> /dev/null) && [ "$uid" -gt 0 ] || return 0
  while mapfile -t left < <(processes_of "$uid") && [ ${#left[@]} -gt 0 ]; do
    [ "$SECONDS" -lt "$end" ] || { info "processes of the gateway's user do not end: ${left[*]}" && return 1; }
    as_service sh -c 'kill -KILL "$@"' sh "${left[@]}" || true
    sleep 0.1
  done
}

# Reports why the release is not used, and starts the previous one.
go_back() {
  if [ -n "$failed" ]; then
    code=CHECKS why="these checks of $id failed, which passed before: ${failed//,/, }"
  else
    code=NOT_READY why="$id was not ready within $READY_S s"
  fi
  info "$why. Its last log lines:"
  journalctl --unit=cartwright --lines=15 --no-pager --output=cat | printable || true
  # Reinstalling the same release copies no data, so there is nothing to roll back.
  [ "$id" != "$previous" ] || result=failed die "$id is installed again and not ready: journalctl -u cartwright"
  systemctl stop cartwright
  [ -n "$previous" ] || result=failed die "$id is installed and not ready, and there is no previous release"
  is_protected "$opt/releases/$previous" ||
    result=failed die "$id is not ready, and $previous is not started: users other than root can change its files"
  # On a full disk, the release is replaced all the same.
  record returning || true
  progress returning || true
  use_previous
}

# Starts the previous release with the current data. If the previous release cannot read the data, restores the data
# from before the update. `why` and `code` are the reason.
use_previous() {
  local new_checks=$failed
  needed=''
  activate "$previous" || info "$previous was not activated completely"
  start
  if ! wait_ready "$previous"; then
    systemctl stop cartwright
    restore_data
    start
    wait_ready "$previous" || result=failed die "$why, and $previous is not ready either: journalctl -u cartwright"
  fi
  failed=$new_checks
  result=returned die "$why; $previous runs again"
}

restore_data() {
  [ -d "$data.before" ] || return 0
  rm -rf "$data.failed" "$state/reserve"
  { record clearing && put_data_back; } || keep_stopped
  info "$previous cannot read the data of $id: the data from before $id is restored, the newer data is in $data.failed"
}

# Can be repeated after a power cut: each of the two steps only moves files away from where the next one puts others. Is
# used in conditions, where `set -e` has no effect.
put_data_back() {
  end_processes || return
  if [ "$phase" = clearing ]; then
    install -d -m 700 "$data.failed" && move_data "$data" "$data.failed" && record restoring || return
  fi
  move_data "$data.before" "$data" && record restored
}

# Ends the program while the data is incomplete. The gateway must not start with it.
keep_stopped() {
  printf '%s\n' "the data from before $id could not be put back; is the disk full?" \
    'The gateway stays stopped until cartwright-update, which tries again and again, has put the data back' >&2
  systemctl stop --no-block cartwright
  systemctl start --no-block cartwright-update.service
  exit 1
}

# Starts the gateway without waiting; wait_ready checks the result.
start() {
  systemctl reset-failed cartwright 2> /dev/null || true
  systemctl start --no-block cartwright
}

# Replaces the running release. Between `placed` and the end, a power cut is handled by update.sh at the next boot.
switch() {
  local was_active=false
  if systemctl is-active --quiet cartwright; then was_active=true; fi
  if [ "$id" = "$previous" ] && $was_active; then
    activate "$id"
    wait_ready "$id" || go_back
    return
  fi
  record placed
  head -c 65536 /dev/zero > "$state/reserve" || code=DISK_FULL die 'the disk is full'
  progress stopping
  systemctl stop cartwright 2> /dev/null || true
  rm -rf "$data.before"
  if [ -n "$previous" ] && [ -d "$data" ] && ! save_data "$data.before"; then
    [ "$(free_kb "${data%/*}")" -ge 1024 ] || code=DISK_FULL
    rm -rf "$data.before"
    start
    die "the data could not be copied; $previous continues to run"
  fi
  record switched
  progress starting
  { activate "$id" && start && progress testing && wait_ready "$id"; } || go_back
  forget
}
