#!/bin/bash
# A device that is new: the folder devices/echo and its row in
# devices/devices.mk are put into a copy of the tree, which is built on. It
# opens in the console, and gpu.devices, the rooms and tests/run know it, with
# no other file touched (scripts/deps: test_deps_linux.sh).
#
# Guards: devices/devices.mk: a new device is a folder and its rows
set -u
here=$(cd "$(dirname "$0")/../.." && pwd)
cd "$here" || exit 1
if [ "$METTLE" != "$here/build/mettle" ]; then
  echo "ok 1 - a new device # SKIP only the plain build is built on"
  echo "1..1"
  exit 0
fi
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
number=0
ok() {
  number=$((number + 1))
  if [ "$2" = 0 ]; then echo "ok $number - $1"
  else
    echo "not ok $number - $1"; tail -20 "$work/said" | sed 's/^/# /'
  fi
}

# as old as here: nothing of what is built is made again
copy=$work/copy
mkdir -p "$copy/tests/echo"
cp -Rp Makefile base binder cpu devices docs embed include jupyter kernels lua \
  msl packaging pictures python repl scripts window "$copy"
for f in tests/cuda/suites tests/cuda/tests.mk tests/metal/suites \
  tests/metal/tests.mk tests/tap.lua tests/run tests/limit.c tests/offline.c; do
  mkdir -p "$copy/${f%/*}"; cp -p "$f" "$copy/$f"
done
tar -cf - --exclude=build/tests --exclude=build/standin \
  --exclude=build/obj/tests --exclude=build/obj/standin build |
  tar -xpf - -C "$copy"
cp -Rp "$copy/devices" "$work/before"

mkdir "$copy/devices/echo"
cat >"$copy/devices/echo/echo.c" <<'E'
/*
** echo.c - a device without memory or kernels.
*/
#include "devices/device.h"
#include "devices/doctor.h"

extern const mt_DeviceOps mt_echo_ops;

static mt_Device echo = {&mt_echo_ops, {.name = "echo", .title = "a wall"}};

static mt_Status echo_open(mt_Device **out, mt_Error *err) {
  (void)err;
  *out = &echo;
  return MT_OK;
}

static void echo_close(mt_Device *dev) { (void)dev; }

const mt_DeviceOps mt_echo_ops = {
    .entry = {.name = "echo", .what = "says everything again"},
    .open = echo_open,
    .close = echo_close};
E
cat >"$copy/devices/echo/device.mk" <<'E'
echo.systems := Linux Darwin
echo.program := devices/echo/echo.c
E
echo '# echo: `echo.c` is all of it' >"$copy/devices/echo/README.md"
echo 'only lua-test_wall' >"$copy/tests/echo/suites"
echo 'METTLE_DEVICE=echo "$METTLE" "$1"' >"$copy/tests/echo/lua"
mkdir -p "$copy/tests/lua/bind"
cat >"$copy/tests/lua/bind/test_wall.lua" <<'E'
print("ok 1 - " .. gpu.device.name .. "\n1..1")
E
# the rows
sed 's/^DEVICES := .*/& echo/' devices/devices.mk >"$copy/devices/devices.mk"
echo 'echo:' >>"$copy/devices/rooms.txt"
echo '| `echo` | a wall |' >>"$copy/devices/README.md"
awk '{ print } /^metal:$/ { print "echo:" }' docs/architecture.md \
  >"$copy/docs/architecture.md"

(cd "$copy" && "${MAKE:-make}" -o build/config.mk build/mettle) \
  >"$work/said" 2>&1
ok "it is compiled and linked" $?
said() { grep -qF -- "$1" "$work/said"; }
in_copy() { # COMMAND…
  (cd "$copy" && METTLE=$copy/build/mettle METTLE_DATA=$copy "$@") \
    >"$work/said" 2>&1
}
in_copy build/mettle -e 'gpu.use "echo" print(gpu.device.title)'
said "a wall"; ok "gpu.use takes it" $?
in_copy build/mettle -e 'for _, d in ipairs(gpu.devices()) do print(d.name) end'
said echo && said host; ok "gpu.devices lists it, with the others" $?
in_copy scripts/rooms build; ok "its room is one" $?
mkdir -p "$copy/build/tests"
cp -p build/tests/limit "$copy/build/tests/limit"
in_copy bash tests/run build test_wall
grep -qE '^lua-test_wall +1 passed' "$work/said" &&
  grep -qE '^echo-lua-test_wall +1 passed' "$work/said"
ok "the Lua suites that it names run on it, too" $?

# what was touched
(cd "$copy/devices" && find . -type f | sort | while IFS= read -r f; do
  cmp -s "$f" "$work/before/$f" || echo "$f"
done) >"$work/said"
[ "$(grep -v '^./echo/' "$work/said" | tr '\n' ' ')" = \
  "./README.md ./devices.mk ./rooms.txt " ]
ok "of devices/ no file but the tables and the list" $?
echo "1..$number"
