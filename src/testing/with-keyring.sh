#!/bin/sh
# Runs a command with a Secret Service of its own on a bus of its own: no display, nothing of the user's keyring.
# Usage: with-keyring.sh unlocked|locked|silent|none command…
#   unlocked  gnome-keyring with an open login keyring
#   locked    the same, not unlocked: with KEYRING_HOME of an earlier run its keys are there and not readable
#   silent    a service that owns the name and never answers
#   none      no bus at all
# KEYRING_HOME keeps the keyring for a later run; without it everything goes at the end. Needs dbus-daemon,
# gnome-keyring and (silent) dbus-tests. Exits with the command's code, or 125 when the service did not start.
mode=$1
shift
dir=$(mktemp -d) && trap 'rm -rf "$dir"' EXIT INT TERM
mkdir -m 700 "$dir/run" || exit 125
home=${KEYRING_HOME:-$dir}
export XDG_RUNTIME_DIR="$dir/run" XDG_DATA_HOME="$home/data" XDG_CACHE_HOME="$home/cache"
unset DISPLAY WAYLAND_DISPLAY DBUS_SESSION_BUS_ADDRESS
if [ "$mode" = none ]; then
  "$@"
  exit $?
fi
dbus-run-session -- sh -c '
  case $1 in
    unlocked) printf test | gnome-keyring-daemon --unlock --components=secrets >/dev/null 2>&1 || exit 125 ;;
    locked) gnome-keyring-daemon --start --components=secrets >/dev/null 2>&1 || exit 125 ;;
    silent) dbus-test-tool black-hole --name=org.freedesktop.secrets >/dev/null 2>&1 & ;;
    *) exit 125 ;;
  esac
  shift
  tries=0 service=
  while [ -z "$service" ]; do # a service returns before it owns its name
    service=$(dbus-send --session --print-reply=literal --dest=org.freedesktop.DBus / \
      org.freedesktop.DBus.GetConnectionUnixProcessID string:org.freedesktop.secrets 2>/dev/null | sed "s/.* //")
    tries=$((tries + 1))
    [ $tries -gt 200 ] && exit 125
    [ -n "$service" ] || sleep 0.05
  done
  "$@"
  code=$?
  kill "$service" # nearly always it goes with the bus by itself; once in some 35 runs it stayed
  exit $code' sh "$mode" "$@" 2>"$dir/err"
code=$?
grep -v -e 'Failed to set fd limit' -e '^dbus-daemon\[' -e 'gcr-prompter:' -e '^$' "$dir/err" >&2
exit $code
