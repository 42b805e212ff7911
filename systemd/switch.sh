# shellcheck shell=bash
# shellcheck disable=SC2154
# Part of install.sh: replaces the release on a running system, and rolls back if the new release fails. Uses
# these variables of install.sh: id and previous (release names), opt and data (directories); and these
# functions: activate, version_of, info and die.
#
# The gateway's user is less privileged than root. Its status, log and files are data: root checks them before
# use, passes none of them as an option, and writes in none of its directories.

# Time within which a release must be ready, in s; increased by tests on an emulated machine.
READY_S=${CARTWRIGHT_READY_S:-60}
STEADY_S=5
# Files that are never rolled back: images and backups, which are only added; revocations; and the E-stop
# latch, which applies to the cart regardless of the release.
KEEP_OUT=('(' -name photos -o -name backups -o -name black-box -o -name camera-run -o -name 'estop.json*' -o -name 'revocations.journal*' ')')

# Runs a program as the gateway's user, without a terminal: a process of that user could otherwise type
# commands into root's terminal (TIOCSTI).
as_service() { (cd / && exec setsid --wait runuser -u cartwright -- "$@"); }

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

# Succeeds if the gateway at address $1 is ready and has version $2. The version is checked because another
# program may use the port. Without `--`, Node would parse an address that begins with `-` as its own option.
answers() {
  # shellcheck disable=SC2016
  NODE_TLS_REJECT_UNAUTHORIZED=0 NODE_NO_WARNINGS=1 as_service "$opt/node" --input-type=module --eval '
    const [url, version] = process.argv.slice(1);
    const answer = await (await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(3000) })).json();
    process.exit(answer.ready === true && answer.version === version ? 0 : 1);
  ' -- "${1/localhost/127.0.0.1}" "$2" < /dev/null > /dev/null 2>&1
}

# A release is ready when it has responded for five consecutive seconds.
wait_ready() {
  local url version steady=0 end=$((SECONDS + READY_S))
  version=$(version_of "$opt/releases/$1")
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

# Copies the data to a new directory beside it, in which only root can write. `cp -a` copies links as links.
save_data() { # save_data TO
  rm -rf "$1"
  mkdir -m 700 "$1"
  find "$data" -mindepth 1 -maxdepth 1 ! "${KEEP_OUT[@]}" -exec cp -a -t "$1" {} +
}

# Starts the previous release with the current data. If the previous release cannot read the data, restores
# the data from before the update.
go_back() {
  info "$id was not ready within $READY_S s. Its last log lines:"
  journalctl --unit=cartwright --lines=15 --no-pager --output=cat | printable || true
  # Reinstalling the same release copies no data, so there is nothing to roll back.
  [ "$id" != "$previous" ] || die "$id is installed again and not ready: journalctl -u cartwright"
  systemctl stop cartwright
  [ -n "$previous" ] || die "$id is installed and not ready, and there is no previous release"
  is_protected "$opt/releases/$previous" ||
    die "$id is not ready, and $previous is not started: users other than root can change its files"
  activate "$previous"
  start
  if ! wait_ready "$previous"; then
    systemctl stop cartwright
    restore_data
    start
    wait_ready "$previous" || die "$previous is not ready either: journalctl -u cartwright"
  fi
  die "$previous runs again"
}

# The gateway's user extracts the copy: root would follow a link that a process of that user puts in the
# directory meanwhile.
restore_data() {
  [ -d "$data.before" ] || return 0
  save_data "$data.failed"
  find "$data" -mindepth 1 -maxdepth 1 ! "${KEEP_OUT[@]}" -exec rm -rf {} +
  tar -C "$data.before" -cf - . | as_service tar -C "$data" --no-overwrite-dir -xpf -
  info "$previous cannot read the data of $id: the data from before $id is restored, the newer data is in $data.failed"
}

# Starts the gateway without waiting; wait_ready checks the result.
start() {
  systemctl reset-failed cartwright 2> /dev/null || true
  systemctl start --no-block cartwright
}

switch() {
  if [ "$id" = "$previous" ] && systemctl is-active --quiet cartwright; then
    activate "$id"
  else
    systemctl stop cartwright 2> /dev/null || true
    rm -rf "$data.before"
    if [ -n "$previous" ] && [ -d "$data" ] && ! save_data "$data.before"; then
      start
      die "the data could not be copied; $previous continues to run"
    fi
    activate "$id"
    start
  fi
  wait_ready "$id" || go_back
}
