# shellcheck shell=bash
# shellcheck disable=SC2154
# Part of install.sh: replaces the release on a running system, and rolls back if the new release fails. Uses
# these variables of install.sh: id and previous (release names), opt and data (directories); and these
# functions: activate, version_of, info and die.

# Time within which a release must be ready, in s; increased by tests on an emulated machine.
READY_S=${CARTWRIGHT_READY_S:-60}
STEADY_S=5
# Files that are never rolled back: images and backups, which are only added; revocations; and the E-stop
# latch, which applies to the cart regardless of the release.
KEEP_OUT=('(' -name photos -o -name backups -o -name black-box -o -name camera-run -o -name 'estop.json*' -o -name 'revocations.journal*' ')')

# Prints the address that the running gateway reports to systemd.
serving_at() {
  [ "$(systemctl is-active cartwright)" = active ] || return 1
  systemctl show --property=StatusText --value cartwright | sed -n 's/^Serving at \([^ ]*\) .*/\1/p'
}

is_stop_only() {
  systemctl show --property=StatusText --value cartwright | grep -q '^Stop-only mode'
}

# Succeeds if the gateway at address $1 is ready and has version $2. The version is checked because another
# program may use the port.
answers() {
  # shellcheck disable=SC2016
  NODE_TLS_REJECT_UNAUTHORIZED=0 NODE_NO_WARNINGS=1 "$opt/node" --input-type=module --eval '
    const [url, version] = process.argv.slice(1);
    const answer = await (await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(3000) })).json();
    process.exit(answer.ready === true && answer.version === version ? 0 : 1);
  ' "${1/localhost/127.0.0.1}" "$2" 2> /dev/null
}

# A release is ready when it has responded for five consecutive seconds.
wait_ready() {
  local url version steady=0 end=$((SECONDS + READY_S))
  version=$(version_of "$opt/releases/$1")
  while [ "$SECONDS" -lt "$end" ]; do
    if url=$(serving_at) && [ -n "$url" ] && answers "$url" "$version"; then
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

copy_data() { # copy_data FROM TO
  [ -d "$2" ] || mkdir -m 700 "$2"
  find "$1" -mindepth 1 -maxdepth 1 ! "${KEEP_OUT[@]}" -exec cp -a -t "$2" {} +
}

# Starts the previous release with the current data. If the previous release cannot read the data, restores
# the data from before the update.
go_back() {
  info "$id was not ready within $READY_S s. Its last log lines:"
  journalctl --unit=cartwright --lines=15 --no-pager --output=cat || true
  # Reinstalling the same release copies no data, so there is nothing to roll back.
  [ "$id" != "$previous" ] || die "$id is installed again and not ready: journalctl -u cartwright"
  systemctl stop cartwright
  [ -n "$previous" ] || die "$id is installed and not ready, and there is no previous release"
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

restore_data() {
  [ -d "$data.before" ] || return 0
  rm -rf "$data.failed"
  copy_data "$data" "$data.failed"
  find "$data" -mindepth 1 -maxdepth 1 ! "${KEEP_OUT[@]}" -exec rm -rf {} +
  copy_data "$data.before" "$data"
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
    if [ -n "$previous" ] && [ -d "$data" ] && ! copy_data "$data" "$data.before"; then
      start
      die "the data could not be copied; $previous continues to run"
    fi
    activate "$id"
    start
  fi
  wait_ready "$id" || go_back
}
