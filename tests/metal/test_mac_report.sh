#!/bin/bash
# test_mac_report.sh - the report of a Mac (scripts/mac-report) as the program
# over the stand-in makes it: every step ends well on every GPU and system that
# is played. One of them in each run; all with METTLE_TESTS=all.
#
# Guards: scripts/mac-report with the program over the stand-in: every step ends
# well on the GPUs that are played (all of them with METTLE_TESTS=all)
set -u
build=$(dirname "$METTLE")
program=$build/standin/mettle
cd "$METTLE_DATA" || exit 1
if [ ! -x "$program" ]; then
  echo "ok 1 - the report of a Mac that is played # SKIP the stand-in is built on Linux, with LLVM and metal-cpp"
  echo "1..1"; exit 0
fi
if ! command -v perl >/dev/null; then echo "ok 1 - the report of a Mac that is played # SKIP perl is not installed"; echo "1..1"; exit 0; fi
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
export XDG_STATE_HOME=$work/mac/jane/state
# what one GPU's kernels are compiled to will do for the next
export XDG_CACHE_HOME=${XDG_CACHE_HOME:-$work/cache}
count=0
ok() { # WHAT STATUS
  count=$((count + 1))
  if [ "$2" = 0 ]; then echo "ok $count - $1"
  else
    echo "not ok $count - $1"
    grep -aE "^===|NO |PROBLEM" "$work/mac/report.txt" | sed 's/^/# /'
  fi
}

# The steps that no tool of a Mac's own is needed for.
steps="doctor|devices|a first kernel|wrong launches are refused|a texture|live examples|every twelfth kernel|a kernel that never ends"
# on NAME SWITCH
on() {
  rm -rf "$work/mac"
  for device in metal host; do # peaks are not what is tried
    env "$2" METTLE_DEVICE=$device "$program" -e "dofile('tests/quick.lua').keep()" >/dev/null 2>&1
  done
  tests/metal/mac_report "$work/mac" "$program" QUICK=1 "$2" 2>/dev/null
  ok "$1: the steps end well" "$([ "$(grep -cE "^=== ($steps).*: ok, " "$work/mac/report.txt")" = 8 ]; echo $?)"
  ok "$1: the first kernel is right, wrong launches are not" "$(
    grep -q "^true.*all 1000000 elements are equal" "$work/mac/report.txt" &&
    [ "$(grep -cE "^false.*(4096|is missing)" "$work/mac/report.txt")" = 2 ] &&
    grep -q "7.0	3.0$" "$work/mac/report.txt"; echo $?)"
  ok "$1: live examples and kernels" "$(
    [ "$(grep -c "true	3 frames" "$work/mac/report.txt")" -eq "$(find demos/live -name '*.metal' | wc -l)" ] &&
    [ "$(grep -cE "^  [0-9]+ of [0-9]+ right" "$work/mac/report.txt")" = 2 ] &&
    ! grep -q "^  NO  " "$work/mac/report.txt"; echo $?)"
  ok "$1: the endless kernel is stopped, and the next one runs" "$(
    grep -qE "^false	.*(spin.*stop|given up)" "$work/mac/report.txt" &&
    grep -q "played.*	4.0$" "$work/mac/report.txt"; echo $?)"
  ok "$1: nothing that Metal would refuse, no name" "$(! grep -aqE "PROBLEM|jane" "$work/mac/report.txt"; echo $?)"
}

if [ "${METTLE_TESTS:-}" = all ]; then
  while read -r name switch; do on "$name" "$switch"; done \
    < <(tests/metal/personalities "${build#"$METTLE_DATA"/}" --list)
else
  export METTLE_REPORT_EVERY=150
  on amd STANDIN_GPU=amd
fi
echo "1..$count"
