#!/usr/bin/env bash
# Runs a program from the installed release as the gateway's user, with the gateway's data, for example: sudo
# cartwright tls init
set -euo pipefail

usage='usage: sudo cartwright tls init|status|ca|redirect
       sudo cartwright user list|add|role|disable|enable|password|reset-totp ...'
program=${1:-}
case $program in
  tls | user) shift ;;
  *) printf '%s\n' "$usage" >&2 && exit 2 ;;
esac
[ "$(id -u)" -eq 0 ] || { printf 'cartwright: needs root: sudo cartwright %s\n' "$program" >&2 && exit 1; }

export CARTWRIGHT_CONFIG=/etc/cartwright/config.json CARTWRIGHT_DATA_DIR=/var/lib/cartwright
# The gateway's user may not have access to the current directory.
cd /
umask 077
# Without its own terminal, a process of the gateway's user could type commands into root's (TIOCSTI).
pty=()
[ ! -t 0 ] || pty=(--pty)
exec runuser -u cartwright "${pty[@]}" -- /opt/cartwright/node "/opt/cartwright/current/dist/src/cli/$program.js" "$@"
