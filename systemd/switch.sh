# shellcheck shell=bash
# shellcheck disable=SC2154
# Part of install.sh: a release takes the place of another on a system that runs, or gives it back. Uses its variables
# (id and previous, names of releases; opt and data, directories) and its functions (activate, version_of, say, die).

# A machine that is emulated takes longer than a Pi.
READY_S=${CARTWRIGHT_READY_S:-60}
STEADY_S=5
# What no release takes away from another. Pictures and copies are added to, and stay. The latch of the emergency stop is of
# the cart: whoever pressed or reset it while a release was on trial does not know that there was one.
KEEP_OUT=('(' -name photos -o -name backups -o -name black-box -o -name camera-run -o -name 'estop.json*' -o -name 'revocations.journal*' ')')

# The address that the running gateway says it serves at.
serving_at() {
  [ "$(systemctl is-active cartwright)" = active ] || return 1
  systemctl show --property=StatusText --value cartwright | sed -n 's/^Serving at \([^ ]*\) .*/\1/p'
}

is_stop_only() {
  systemctl show --property=StatusText --value cartwright | grep -q '^Stop-only mode'
}

# Whether the address is answered by this version. Whoever else holds the port is not the new release.
answers() {
  # shellcheck disable=SC2016
  NODE_TLS_REJECT_UNAUTHORIZED=0 NODE_NO_WARNINGS=1 "$opt/node" --input-type=module --eval '
    const [url, version] = process.argv.slice(1);
    const answer = await (await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(3000) })).json();
    process.exit(answer.ready === true && answer.version === version ? 0 : 1);
  ' "${1/localhost/127.0.0.1}" "$2" 2> /dev/null
}

# Ready is who has answered for five seconds on end.
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
    # It ended three times: it is not ready any more.
    ! is_stop_only || return 1
    sleep 1
  done
  return 1
}

copy_data() { # copy_data FROM TO
  [ -d "$2" ] || mkdir -m 700 "$2"
  find "$1" -mindepth 1 -maxdepth 1 ! "${KEEP_OUT[@]}" -exec cp -a -t "$2" {} +
}

# The release before, on the data as they are now; only when it cannot read those, on the data as they were.
go_back() {
  say "$id was not ready in $READY_S s. What it said last:"
  journalctl --unit=cartwright --lines=15 --no-pager --output=cat || true
  # The same one again. No copy of the data is of its own beginning.
  [ "$id" != "$previous" ] || die "$id is installed again and not ready: journalctl -u cartwright"
  systemctl stop cartwright
  [ -n "$previous" ] || die "$id is installed and not ready, and there is nothing to go back to"
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
  say "$previous cannot use what $id left: the data are those of before $id, and the later ones are in $data.failed"
}

# Without waiting, and whatever was before: what comes of it is looked at from outside.
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
      die "the data could not be copied; $previous goes on"
    fi
    activate "$id"
    start
  fi
  wait_ready "$id" || go_back
}
