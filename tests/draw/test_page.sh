#!/bin/bash
# test_page.sh - the page of a drawing in a browser without a window: it is drawn, its
# slider moves, the pointer gets its words, and the browser complains of nothing.
set -u
# shellcheck source=tests/needs.sh
. tests/needs.sh; needs_llvm "the page of a drawing"
mettle=${METTLE:-$PWD/build/mettle}
needs_browser "the page of a drawing"
n=0 failed=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

result() { # result STATUS NAME
  n=$((n + 1))
  if [ "$1" = 0 ]; then echo "ok $n - $2"; else
    echo "not ok $n - $2"; failed=1
    grep -a CONSOLE "$work/err" | sed 's/^/# /'
    grep -aoE '<html[^>]*>|<canvas[^>]*data-name[^>]*>|<div id="now".*' "$work/dom" | sed 's/^/# /'
  fi
}

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
"$mettle" "$work/make.lua" "$work" >"$work/dom" 2>"$work/err"
result $? "the page is written"

# The page at HASH: its DOM after the scripts, and what the browser said.
visit() {
  "$browser" --headless --no-sandbox --disable-gpu --enable-logging=stderr --user-data-dir="$work/profile" \
    --virtual-time-budget=2000 --dump-dom "file://$work/page.html#$1" >"$work/dom" 2>"$work/err"
}
has() { grep -qF -- "$1" "$work/dom"; }
quiet() { ! grep -a CONSOLE "$work/err" | grep -q "source: file:"; } # and not of its own pages
# the attributes of a panel's canvas
panel() { grep -o "<canvas[^>]*data-name=\"$1\"[^>]*>" "$work/dom"; }

visit ""
has 'data-state="20/20 by simdgroup line 0"' && quiet &&
  panel x | grep -q 'data-read="128" data-written="0"' && panel y | grep -q 'data-read="0" data-written="128"'
result $? "it is drawn, everything at first"

visit "step=1"
has 'data-state="1/20' && quiet && panel x | grep -q 'data-read="32"' && panel y | grep -q 'data-written="0"' &&
  panel x | grep -q 'data-now="32"' && panel grid | grep -q 'data-now="32"' && has 'line 6, after 0 barriers'
result $? "the slider goes to the first access"

visit "step=7"
has 'data-state="7/20' && quiet && panel tile | grep -q 'data-read="32" data-written="64"' && has 'line 8, after 1 barrier:'
result $? "and past the barrier"

visit "step=12"
panel tile | grep -q 'data-read="0" data-written="32"' && quiet
result $? "another threadgroup has threadgroup memory of its own"

visit "line=8&by=thread&theme=dark"
has 'data-theme="dark"' && has 'data-state="8/8 by thread line 8"' && quiet && panel y | grep -q 'data-written="128"'
result $? "one line, by lane, in the dark"

visit "hover=y,5"
has 'thread 5, line 8: writes 116' && quiet
result $? "the pointer over a cell names thread, line and value"

visit "walk"
has 'data-state="20/20 by simdgroup line 0"' && quiet
result $? "every moment and colouring, and no complaint"

echo "1..$n"
exit $failed
