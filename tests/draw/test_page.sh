#!/bin/bash
# test_page.sh - the page of a drawing in a browser without a window: it is
# drawn, its slider moves, the pointer gets its words, and the browser complains
# of nothing.
#
# Guards: lua/text/pages/draw.html in Chromium without a window: drawn, slider,
# pointer, no complaint; skipped without Chromium; lua/text/page.lua
set -u
# shellcheck source=tests/needs.sh
. tests/needs.sh; needs_llvm "the page of a drawing"
mettle=${METTLE:-$PWD/build/mettle}
needs_browser "the page of a drawing"
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
kernel void turn(device const float *x, device float *y, uint i [[thread_position_in_grid]],
                 uint t [[thread_index_in_threadgroup]]) {
  threadgroup float tile[64];
  tile[t] = x[i] * 2;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  y[i] = tile[63 - t];
}]=]
draw { k, gpu.buffer(128):iota(), gpu.buffer(128), grid = 128, group = 64 }:save(folder .. "/page.html")
LUA
"$mettle" "$work/make.lua" "$work" 2>&1 | sed 's/^/# /'

# the canvas of a panel, with these attributes
panel() { printf '~<canvas[^>]*data-name="%s"[^>]*%s' "$1" "$2"; }
visit "it is drawn, everything at first" page.html 'data-state="20/20 by simdgroup line 0"' \
  "$(panel x 'data-read="128" data-written="0"')" "$(panel y 'data-read="0" data-written="128"')"
visit "the slider goes to the first access" page.html#step=1 'data-state="1/20' "$(panel x 'data-read="32"')" \
  "$(panel y 'data-written="0"')" "$(panel x 'data-now="32"')" "$(panel grid 'data-now="32"')" 'line 6, after 0 barriers'
visit "and past the barrier" page.html#step=7 'data-state="7/20' "$(panel tile 'data-read="32" data-written="64"')" \
  'line 8, after 1 barrier:'
visit "another threadgroup has threadgroup memory of its own" page.html#step=12 \
  "$(panel tile 'data-read="0" data-written="32"')"
visit "one line, by lane, in the dark" "page.html#line=8&by=thread&theme=dark" 'data-theme="dark"' \
  'data-state="8/8 by thread line 8"' "$(panel y 'data-written="128"')"
visit "the pointer over a cell names thread, line and value" page.html#hover=y,5 'thread 5, line 8: writes 116'
visit "every moment and colouring" page.html#walk 'data-state="20/20 by simdgroup line 0"'
visits "$work"

echo "1..$n"
exit $failed
