# shellcheck shell=bash
# shellcheck disable=SC2034,SC2154
# Part of install.sh and update.sh: what survives a power cut during an update. The journal contains the steps that have
# been made, so that they can be continued or reverted at the next boot. The progress is for the gateway's pages. Both
# are in the directory `state`, which belongs to root.

# The variables in the journal. `phase` is one of these:
#   preparing   nothing has been changed
#   placed      the release is on the disk (if is_new), and the gateway may have been stopped
#   switched    the release is the current one, or is about to be
#   returning   the previous release is the current one, or is about to be, with the current data
#   clearing    the current data is being moved aside
#   restoring   the data from before the update is being moved back
#   restored    the data from before the update has been moved back
# `needed` lists the checks that have to pass again, `failed` those that did not, and `why` and `code` are the reason for
# a return. `recovered` is the ID of the boot in which the journal was last
# read, and `boots` counts them. The others describe the run for the progress; `run` is empty if install.sh started it.
JOURNAL=(phase id previous previous_node is_new node chosen_node needed failed code why recovered boots run file version from sha256 started)

# Replaces the file with the standard input. After a power cut, the file has its old or its new contents.
write_durably() { # write_durably FILE
  cat > "$1.new" && sync "$1.new" && mv -T "$1.new" "$1" && sync "${1%/*}"
}

phase=''

# Sets the phase and writes the journal. On a full disk, uses the space of the file `reserve`.
record() { # record PHASE
  phase=$1
  install -d -m 755 "$state"
  write_journal || { rm "$state/reserve" 2> /dev/null && write_journal; }
}

write_journal() {
  local name
  for name in "${JOURNAL[@]}"; do printf '%s=%s\n' "$name" "${!name:-}"; done | write_durably "$state/journal"
}

# Reads the journal into its variables. Fails if there is no journal.
read_journal() {
  local name value
  [ -f "$state/journal" ] || return 1
  for name in "${JOURNAL[@]}"; do [ -n "${!name+set}" ] || printf -v "$name" ''; done
  while IFS='=' read -r name value; do
    [[ " ${JOURNAL[*]} " != *" $name "* ]] || printf -v "$name" %s "$value"
  done < "$state/journal"
}

# Ends the run: nothing is left to be continued.
forget() {
  rm -f "$state"/{journal,reserve}
  sync "$state"
}

# Writes the step and, at the end of a run, its result. Does nothing for a run that install.sh started.
progress() { # progress STEP [RESULT CODE REASON]
  [ -n "${run:-}" ] || return 0
  local checks=''
  [ -z "${failed:-}" ] || checks=\"${failed//,/\",\"}\"
  install -d -m 755 "$state"
  printf '{"id":%s,"file":%s,"version":%s,"from":%s,"sha256":%s,"step":%s,"result":%s,"code":%s,"reason":%s,"failedChecks":[%s],"startedAt":%s,"updatedAt":%s}\n' \
    "$(json "$run")" "$(json "${file:-}")" "$(json "${version:-}")" "$(json "${from:-}")" "$(json "${sha256:-}")" "$(json "$1")" \
    "$(json "${2:-}")" "$(json "${3:-}")" "$(json "${4:-}")" "$checks" "${started:-0}" "$(date +%s%3N)" |
    write_durably "$state/progress.json"
}

# Prints the text as a JSON string of at most 300 printable ASCII characters, or null if it is empty.
json() { # json TEXT
  local text
  text=$(printf %s "$1" | LC_ALL=C tr -cd '\40-\176' | cut -c 1-300 | sed 's/["\\]/\\&/g')
  if [ -n "$text" ]; then printf '"%s"' "$text"; else printf null; fi
}
