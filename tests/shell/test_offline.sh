#!/bin/bash
# test_offline.sh - nothing in Mettle opens a connection to another machine. All
# suites run under tests/offline.c, which refuses and tells it; here is shown
# that it sees what there is to see, and a session that uses much of Mettle.
set -u
offline=${OFFLINE:-}
number=0
ok() { # what status
  number=$((number + 1))
  if [ "$2" = 0 ]; then echo "ok $number - $1"; else echo "not ok $number - $1"; fi
}
if [ -z "$offline" ]; then
  echo "ok 1 - nothing opens a connection # SKIP libseccomp, or a kernel that lets programs watch, is missing"
  echo "1..1"; exit
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tries() { # STATUS COMMAND: a shell's own way to open a connection
  "$offline" bash -c "$2" >"$work/out" 2>&1; [ $? = "$1" ]
}
tries 99 'echo >/dev/tcp/192.0.2.1/80'; ok "a TCP connection is seen" $?
grep -q "bash tried to reach another machine (connect)" "$work/out"; ok "and told" $?
tries 99 'echo >/dev/udp/192.0.2.1/53'; ok "so is a packet of UDP" $?
tries 99 'echo >/dev/tcp/192.0.2.1/80; true'; ok "by a program that goes on" $?
tries 99 '(echo >/dev/tcp/192.0.2.1/80) & wait; exit 3'; ok "or that another started" $?
tries 3 'echo >/dev/tcp/127.0.0.1/9; exit 3'; ok "this machine itself may be asked" $?

# shellcheck source=tests/needs.sh
. tests/needs.sh
if ! has_llvm; then
  number=$((number + 1)); echo "ok $number - a session opens none # SKIP this build has no LLVM"; echo "1..$number"; exit
fi
cat >"$work/session.lua" <<'L'
local k = gpu.kernel [=[kernel void twice(device float *a, uint i [[thread_position_in_grid]]) { a[i] *= 2; }]=]
local a = gpu.buffer(1000):fill(1)
k{a, grid = 1000}
assert(a[999] == 2)
print(check{k, a, grid = 1000})
print(profile{k, a, grid = 1000})
print(help "gpu.buffer", gpu.devices(), lessons())
L
"$offline" "$METTLE" "$work/session.lua" >"$work/out" 2>&1; ok "a session opens none" $?
sed 's/^/# /' "$work/out" | head -20
"$offline" "$METTLE" doctor >"$work/out" 2>&1; ok "nor does the doctor" $?
echo "1..$number"
