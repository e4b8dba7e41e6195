#!/bin/bash
# test_page.sh - the page of a recording in a browser without a window: it opens
# at the first line, keys step, runs stop, and the browser complains of nothing.
#
# Guards: lua/text/pages/record.html, lua/record/html.lua: the page of a
# recording in a browser without a window; all visits in one start of it
# (tests/visits.sh), as those of tests/draw/test_page.sh; lua/text/page.lua
set -u
# shellcheck source=tests/needs.sh
. tests/needs.sh; needs_llvm "the page of a recording"
mettle=${METTLE:-$PWD/build/mettle}
needs_browser "the page of a recording"
# shellcheck source=tests/visits.sh
. tests/visits.sh
n=0 failed=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

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
"$mettle" "$work/make.lua" "$work" 2>&1 | sed 's/^/# /'

visit "it opens at the first line, and a clean launch has no finding to go to" page.html \
  'data-state="thread 0 line 12 visit 1/6"' 'data-variables="*i=0 *t=0 *v=0"' 'line 12: i = 0; t = 0; x[0] is 0; v = 0' \
  'id="finding" title="check finds nothing here" disabled'
visit "arrows step into a function and back, with its variables and the calls" "page.html#thread=3&keys=→→→→→←" \
  'data-state="thread 3 line 5 ' 'data-variables="a=3 times=2 sum=0 *n=0"' 'twice:5 ← turn:14'
visit "lanes that take the other way are told apart" "page.html#thread=3&line=5" '16 of 32 come here'
visit "past the barrier, with memory as it is there" "page.html#thread=5&keys=b→" \
  'data-state="thread 5 line 17 ' 'tile[58] is 58; y[5] = 58' 'class="written" title="y[5] = 58"'
visit "what cannot be done is said" "page.html#thread=5&keys=bb" 'no barrier follows in this thread'
visit "a run stops where a condition is true, in any thread" \
  "page.html#stops=15&condition=v%20%3E%20100%20and%20thread%20%25%202%20%3D%3D%200&keys=r" 'data-state="thread 102 line 15 '
visit "a wrong condition gets a sentence" "page.html#condition=v%20%3E&keys=r" 'the condition ends too early'
visit "another lane, in the dark" "page.html#keys=↓↓&theme=dark" 'data-theme="dark"' 'data-state="thread 2 line 12 '
visit "a finding of check, with the other thread in view" "race.html#keys=f" 'finding 1 of 1: tile[' \
  '~data-state="thread [0-9]+ line 7 ' '~the other: thread [0-9]+, line 6: .*x\[[0-9]+\] is [0-9]+; tile'
visit "a matrix of the SIMD-group is whole; that thread takes its place" "race.html#keys=ft&lanes=m" \
  'title="row 1, column 1: lane 2">2.5</div>' 'title="row 7, column 0: lane 22">0</div>' '"own" title="row' \
  '~data-state="thread [0-9]+ line 6 ' '~the other: thread [0-9]+, line 7'
by=11; [ "${METTLE_TESTS:-}" != all ] || by=1 # each is drawn in 10 ms
visit "lines of every thread" "page.html#walk=$by" '~data-walked="[0-9]{3,}"'
visits "$work"

echo "1..$n"
exit $failed
