#!/bin/bash
# test_offline.sh - nothing in Mettle opens a connection to another machine. All
# suites run under tests/offline.c, which refuses and tells it; here is shown
# that it sees what there is to see, and a session that uses much of Mettle.
#
# Guards: that nothing opens a connection to another machine: every suite runs
# under tests/offline.c, which refuses and tells it; what that sees; each
# command by itself
set -u
offline=${OFFLINE:-}
number=0
ok() { # what status
  number=$((number + 1))
  if [ "$2" = 0 ]; then
    echo "ok $number - $1"
  else
    echo "not ok $number - $1"
  fi
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
tries 3 'echo >/dev/udp/127.0.0.1/9; exit 3'; ok "by a packet, too" $?
tries 99 'echo >/dev/udp/127.0.0.1/53; exit 3'; ok "but not for names of others" $?
# sends ADDRESS: packets to an address that no connect has named
sends() { "$offline" python3 - "$1" >"$work/out" 2>&1 <<'P'
import socket, sys
for send in "sendto", "sendmsg":
    s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    to = sys.argv[1], 9
    try:
        s.sendto(b"x", to) if send == "sendto" else s.sendmsg([b"x"], [], 0, to)
    except OSError as e:
        print(e)
P
}
sends 192.0.2.1; [ $? = 99 ] && grep -q '(sendto)' "$work/out" &&
  grep -q '(sendmsg)' "$work/out"; ok "packets without a connection are seen" $?
sends 127.0.0.1; ok "and may go to this machine" $?

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
"$offline" "$METTLE" "$work/session.lua" >"$work/out" 2>&1
ok "a session opens none" $?
sed 's/^/# /' "$work/out" | head -20

# Every command of `mettle --help`: a new one has to be tried here, too. (A
# notebook's kernel speaks with Jupyter, by the address that Jupyter gives it:
# c/test_notebook, under the same watch, has it serve one of this machine.)
echo 'kernel void k(device float *x, uint i [[thread_position_in_grid]]) { x[i] = i; }' >"$work/k.metal"
export HOME="$work/home" XDG_STATE_HOME="$work/home/state" \
  XDG_DATA_HOME="$work/home/data"
mkdir -p "$HOME/class"
quietly() { "$offline" "$METTLE" "$@" >"$work/out" 2>&1 </dev/null; }
command_line() { # COMMAND: some of what it can do
  case $1 in
    compile) quietly compile "$work/k.metal" ;;
    check) quietly check "$work/k.metal" --grid 64 --arg "x=float[64]" ;;
    opt) "$METTLE" compile --emit-llvm "$work/k.metal" >"$work/k.ll" &&
      quietly opt prepare,uses "$work/k.ll" ;;
    devices | doctor) quietly "$1" ;;
    bench) quietly bench --only saxpy -o "$work/card.json" ;;
    cards) quietly cards "$work/card.json" "$work/card.json" ;;
    play) quietly play plasma --frames 2 --save "$work/plasma.gif" ;;
    present) quietly present --help ;;
    jupyter) quietly jupyter install --prefix "$work/jupyter" ;;
    lesson) quietly lesson list && quietly lesson notebook 1 -o "$work" &&
      quietly lesson share "$HOME/class" --as ada &&
      quietly lesson class "$HOME/class" ;;
    puzzle | capstone) quietly "$1" list ;;
    *) echo "no line for it in this file" >"$work/out"; return 1 ;;
  esac
}
"$METTLE" --help | sed -n 's/^  mettle \([a-z][a-z-]*\) .*/\1/p' | sort -u >"$work/commands"
while IFS= read -r name; do
  command_line "$name"; status=$?
  ok "mettle $name opens none" $status
  [ $status = 0 ] || sed 's/^/# /' "$work/out" | tail -n 5
done <"$work/commands"
[ "$(wc -l <"$work/commands")" -ge 12 ]; ok "and these are all" $?
echo "1..$number"
