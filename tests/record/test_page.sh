#!/bin/bash
# test_page.sh - the page of a recording in a browser without a window: it opens
# at the first line, keys step, runs stop, and the browser complains of nothing.
set -u
# shellcheck source=tests/needs.sh
. tests/needs.sh; needs_llvm "the page of a recording"
mettle=${METTLE:-$PWD/build/mettle}
needs_browser "the page of a recording"
n=0 failed=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

result() { # result STATUS NAME
  n=$((n + 1))
  if [ "$1" = 0 ]; then echo "ok $n - $2"; else
    echo "not ok $n - $2"; failed=1
    grep -a CONSOLE "$work/err" | sed 's/^/# /'
    grep -aoE '<html[^>]*>|<div id="(does|said)".*' "$work/dom" | sed 's/^/# /'
  fi
}

cat >"$work/make.lua" <<'LUA'
local folder = ...
local k = gpu.kernel [=[
#include <metal_stdlib>
using namespace metal;
static float twice(float a, int times) {
  float sum = 0;
  for (int n = 0; n < times; n++)
    sum += a;
  return sum;
}
kernel void turn(device const float *x, device float *y, uint i [[thread_position_in_grid]],
                 uint t [[thread_index_in_threadgroup]]) {
  threadgroup float tile[64];
  float v = x[i];
  if (i % 2 == 1)
    v = twice(v, 2);
  tile[t] = v;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  y[i] = tile[63 - t];
}]=]
record { k, gpu.buffer(128):iota(), gpu.buffer(128), grid = 128, group = 64 }:save(folder .. "/page.html")
local shift = gpu.kernel [=[
#include <metal_stdlib>
using namespace metal;
kernel void shift(device const float *x, device float *y, uint i [[thread_position_in_grid]],
                  uint t [[thread_index_in_threadgroup]]) {
  threadgroup float tile[64];
  simdgroup_float8x8 m(2.5f); tile[t] = x[i];
  float left = t > 0 ? tile[t - 1] : 0;
  y[i] = left;
}]=]
record { shift, gpu.buffer(64):iota(), gpu.buffer(64), grid = 64, group = 64 }:save(folder .. "/race.html")
LUA
"$mettle" "$work/make.lua" "$work" >"$work/dom" 2>"$work/err"
result $? "the page is written"

# The page at HASH: its DOM after the scripts, and what the browser said.
visit() { # visit HASH [PAGE]
  "$browser" --headless --no-sandbox --disable-gpu --enable-logging=stderr --user-data-dir="$work/profile" \
    --virtual-time-budget=2000 --dump-dom "file://$work/${2:-page}.html#$1" >"$work/dom" 2>"$work/err"
}
has() { grep -qF -- "$1" "$work/dom"; }
quiet() { ! grep -a CONSOLE "$work/err" | grep -q "source: file:"; } # and not of its own pages

visit ""
has 'data-state="thread 0 line 12 visit 1/6"' && has 'data-variables="*i=0 *t=0 *v=0"' && quiet && has 'line 12: i = 0; t = 0; x[0] is 0; v = 0' &&
  has 'id="finding" title="check finds nothing here" disabled'
result $? "it opens at the first line, and a clean launch has no finding to go to"

visit "thread=3&keys=→→→→→←"
has 'data-state="thread 3 line 5 ' && has 'data-variables="a=3 times=2 sum=0 *n=0"' && has 'twice:5 ← turn:14' && quiet
result $? "arrows step into a function and back, with its variables and the calls"

visit "thread=3&line=5"
has '16 of 32 come here' && quiet
result $? "lanes that take the other way are told apart"

visit "thread=5&keys=b→"
has 'data-state="thread 5 line 17 ' && has 'tile[58] is 58; y[5] = 58' && has 'class="written" title="y[5] = 58"' && quiet
result $? "past the barrier, with memory as it is there"

visit "thread=5&keys=bb"
has 'no barrier follows in this thread' && quiet
result $? "what cannot be done is said"

visit "stops=15&condition=v%20%3E%20100%20and%20thread%20%25%202%20%3D%3D%200&keys=r"
has 'data-state="thread 102 line 15 ' && quiet
result $? "a run stops where a condition is true, in any thread"

visit "condition=v%20%3E&keys=r"
has 'the condition ends too early' && quiet
result $? "a wrong condition gets a sentence"

visit "keys=↓↓&theme=dark"
has 'data-theme="dark"' && has 'data-state="thread 2 line 12 ' && quiet
result $? "another lane, in the dark"

visit "keys=f" race
has 'finding 1 of 1: tile[' && grep -Eq 'data-state="thread [0-9]+ line 7 ' "$work/dom" &&
  grep -Eq 'the other: thread [0-9]+, line 6: .*x\[[0-9]+\] is [0-9]+; tile' "$work/dom" && quiet
result $? "a finding of check, with the other thread in view"

visit "keys=ft&lanes=m" race
has 'title="row 1, column 1: lane 2">2.5</div>' && has 'title="row 7, column 0: lane 22">0</div>' && has '"own" title="row' && quiet
result $? "a matrix of the SIMD-group is whole"
grep -Eq 'data-state="thread [0-9]+ line 6 ' "$work/dom" && grep -Eq 'the other: thread [0-9]+, line 7' "$work/dom" && quiet
result $? "and that thread takes its place"

visit "walk"
has 'data-walked="' && quiet
result $? "every line of every thread, and no complaint"

echo "1..$n"
exit $failed
