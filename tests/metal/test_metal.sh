#!/bin/bash
# test_metal.sh - the Metal device's own code, run on the stand-in for macOS.
#
# First the stand-in proves itself: each seeded mistake must be seen, and the
# correct program must pass. Then the Lua suites run through devices/metal: the
# same results as on the host device, and not one message that Metal would
# refuse, no leak, no release too many.
standin=$(dirname "$METTLE")/standin
count=0
result() { count=$((count + 1)); echo "$1 $count - $2"; }

if [ ! -x "$standin/mettle" ]; then
  echo "ok 1 - the Metal device on the stand-in # SKIP metal-cpp could not be had on this machine"
  echo "1..1"
  exit 0
fi

problems=(
  [1]="without a pipeline" [2]="past the end of a buffer" [3]="'out' .* is missing"
  [4]="index 31 is above 30" [5]="setBytes of 5000" [6]="setBytes of 0" [7]="setThreadgroupMemoryLength: 100"
  [8]="threadgroup memory are too much" [9]="'t' .* is missing" [10]="nothing would run"
  [11]="too large" [12]="no threads in x" [13]="without a pool" [14]="NSRangeException" [15]="length 0"
  [16]="a second encoder" [17]="open encoder" [18]="after endEncoding" [19]="committed twice"
  [20]="before the commands are done" [21]="released once too often|which is gone" [22]="MTLBuffer .* leaks" [23]="unrecognized selector"
  [24]="which is gone")

said=$("$standin/seeded" 0 2>&1)
if [ $? = 0 ] && [ -z "$said" ]; then result ok "a correct program passes"
else result "not ok" "a correct program passes"; echo "$said" | sed 's/^/# /'; fi
for bug in "${!problems[@]}"; do
  said=$(timeout 30 "$standin/seeded" "$bug" 2>&1)
  status=$?
  if [ $status != 0 ] && grep -qE "PROBLEM: .*(${problems[bug]})" <<<"$said"; then result ok "mistake $bug is seen: ${problems[bug]}"
  else result "not ok" "mistake $bug is seen: ${problems[bug]} (status $status)"; echo "$said" | head -5 | sed 's/^/# /'; fi
done

# Suites that look at texts, or at the device's name, mean the host device.
for suite in tests/lua/test_*.lua; do
  name=$(basename "$suite" .lua)
  case $name in test_docs|test_show|test_plot) continue ;; esac
  said=$(timeout 200 "$standin/mettle" "$suite" 2>"$HOME/err")
  status=$?
  good=$(grep -c '^ok' <<<"$said")
  if [ $status = 0 ] && ! grep -q PROBLEM "$HOME/err"; then result ok "$name through the Metal device ($good results)"
  else
    result "not ok" "$name through the Metal device (status $status)"
    grep -E '^not ok' -A 4 <<<"$said" | head -20 | sed 's/^/# /'
    grep PROBLEM "$HOME/err" | head -5 | sed 's/^/# /'
  fi
done
echo "1..$count"
