#!/bin/bash
# test_check.sh - mettle check from the shell: arguments, exit statuses, JSON.
#
# Guards: `mettle check`: arguments, exit statuses, JSON; lua/check/command.lua
. tests/console/pty.sh
# shellcheck source=tests/needs.sh
. tests/needs.sh; needs_llvm "mettle check"
dir=$work

ok() { # name, condition's status
  count=$((count + 1))
  if [ "$2" = 0 ]; then echo "ok $count - $1"
  else
    failed=$((failed + 1))
    echo "not ok $count - $1"
    sed 's/^/# /' "$dir/out" "$dir/err" | head -20
  fi
}

# run STATUS ARGUMENTS…: did it end with that status?
run() {
  local want=$1; shift
  "$METTLE" check "$@" >"$dir/out" 2>"$dir/err" </dev/null
  local got=$?
  [ $got = "$want" ] || { echo "# status $got, wanted $want" >>"$dir/err"; return 1; }
}
says() { grep -qF -- "$2" "$dir/$1"; }

cat >"$dir/add.metal" <<'METAL'
#include <metal_stdlib>
using namespace metal;
kernel void add(device const float *a [[buffer(0)]],
                device const float *b [[buffer(1)]],
                device float *c [[buffer(2)]],
                constant uint &n [[buffer(3)]],
                uint i [[thread_position_in_grid]]) {
  if (i <= n) c[i] = a[i] + b[i];
}
METAL
buffers=(--arg a='float[1000]' --arg b='float[1000]' --arg c='float[1000]')

run 1 "$dir/add.metal" --kernel add --grid 1001 --group 256 --arg n=1000 \
  "${buffers[@]}"
ok "a finding: status 1" $?
says out "add.metal:8:"; ok "with file and line in front" $?
says out "out-of-bounds: "; ok "and its kind" $?
run 0 "$dir/add.metal" --grid 1000 "${buffers[@]}" --arg n=1000 --group=256
ok "clean: status 0, whatever the order" $?
says out "clean: add, 1,000 threads in 4 threadgroups"; ok "says what was checked" $?

# What a CPU has no instruction for, LLVM calls (native/compiler_runtime.c).
if [ "$(uname -m)" = x86_64 ]; then
  cat >"$dir/half.lua" <<'LUA'
local k = gpu.kernel [=[
#include <metal_stdlib>
using namespace metal;
kernel void k(device half *a, device bfloat *b, uint i [[thread_position_in_grid]]) {
  a[i] = fma(a[i], half(2049), half(-3.5));
  b[i] = bfloat(fma(b[i], b[i], bfloat(0.25)));
}]=]
gpu.use "host"
local function buffers()
  local a, b = gpu.buffer("half", 64), gpu.buffer("bfloat", 64)
  for i = 0, 63 do a[i], b[i] = i / 8, i / 8 end
  return a, b
end
local function right(a, b)
  for i = 0, 63 do
    local want = gpu.buffer("half", { i / 8 * 2048 - 3.5 })[0]
    assert(a[i] == want, a[i])
    want = gpu.buffer("bfloat", { i / 8 * i / 8 + 0.25 })[0]
    assert(b[i] == want, b[i])
  end
end
local a, b = buffers()
k { a, b, grid = 64 }
right(a, b)
assert(#check { k, a, b, grid = 64 } == 0)
profile { k, a, b, grid = 64 }
a, b = buffers()
local r = record { k, a, b, grid = 64 }
LUA
  for cpu in x86-64-v2 x86-64-v3 x86-64-v4; do
    METTLE_CPU=$cpu "$METTLE" "$dir/half.lua" >"$dir/out" 2>"$dir/err"
    ok "half and bfloat on $cpu" $?
  done
fi

# ------------------------------------------------------------------- JSON
run 1 "$dir/add.metal" --grid 1001 --group 256 --arg n=1000 \
  "${buffers[@]}" --json
ok "JSON: status 1" $?
cat >"$dir/judge.lua" <<'LUA'
local f = io.open(arg[1])
local list = require "mettle.json".decode(f:read "a")
local one = list[1]
assert(#list >= 1 and one.kind == "out-of-bounds" and one.kernel == "add" and one.line == 8)
assert(one.column > 0 and one.index == 1000 and one.count >= 1 and #one.message > 10)
assert(one.buffer == "a" or one.buffer == "b" or one.buffer == "c")
assert(#one.threads >= 1 and one.threads[1][1] == 1000)
LUA
"$METTLE" "$dir/judge.lua" "$dir/out" 2>"$dir/err"
ok "a list with kind, kernel, line, column, buffer, index, threads, count, message" $?
odd=$dir/$(printf 'add\377.metal')
cp "$dir/add.metal" "$odd"
run 1 "$odd" --grid 1001 --group 256 --arg n=1000 "${buffers[@]}" --json &&
  "$METTLE" -e "assert(utf8.len(io.open('$dir/out'):read 'a'), 'not UTF-8')" 2>"$dir/err" &&
  "$METTLE" "$dir/judge.lua" "$dir/out" 2>"$dir/err"
ok "JSON is UTF-8 when the file's name is not" $?
run 0 "$dir/add.metal" --grid 1000 --group 256 --arg n=1000 \
  "${buffers[@]}" --json
[ "$(tr -d ' \n' <"$dir/out")" = "[]" ]; ok "clean: an empty list" $?

# -------------------------------------------------------- could not be run
run 2 "$dir/nothing.metal" --grid 1; ok "no such file: status 2" $?
run 2; ok "no file: status 2" $?
run 2 "$dir/add.metal" --grid 1000 "${buffers[@]}"; ok "an argument is missing: status 2" $?
says err "--arg n=1000"; ok "and what to add" $?
[ ! -s "$dir/out" ]; ok "nothing on standard output" $?
run 2 "$dir/add.metal" "${buffers[@]}" --arg n=1000; ok "no grid: status 2" $?
says err "--grid"; ok "and how to say it" $?
run 2 "$dir/add.metal" --grid 10 --arg n=1000 "${buffers[@]}" --arg m=3; ok "an argument too many: status 2" $?
says err "has no parameter 'm'; it has: a, b, c, n"; ok "with the names there are" $?
run 2 "$dir/add.metal" --grid 10 --arg n=1000 "${buffers[@]:0:4}" --arg c='int[1000]'; ok "a wrong type: status 2" $?
run 2 "$dir/add.metal" --grid 10 --arg n=lots "${buffers[@]}"; ok "an unclear value: status 2" $?
run 2 "$dir/add.metal" --grid 10 --arg n=10 --arg a='float[ten]'; ok "an unclear length: status 2" $?
run 2 "$dir/add.metal" --grid 0 --arg n=10 "${buffers[@]}"; ok "an empty grid: status 2" $?
run 2 "$dir/add.metal" --grid 10 --group 5000 --arg n=10 "${buffers[@]}"; ok "a group too large: status 2" $?
run 2 "$dir/add.metal" --kernel sub --grid 10; ok "no such kernel: status 2" $?
run 2 "$dir/add.metal" --frobnicate; ok "an unknown option: status 2" $?
says err "unknown option --frobnicate"; ok "is named" $?
echo 'kernel void f(device float *a) { a[0] = b; }' >"$dir/bad.metal"
run 2 "$dir/bad.metal" --grid 1 --arg a='float[1]'; ok "does not compile: status 2" $?
says err "bad.metal:1:"; ok "with the diagnostic" $?
run 0 --help; ok "--help: status 0" $?
says out "--arg NAME=VALUE"; ok "explains the arguments" $?

# ---------------------------------------------------------------- arguments
cat >"$dir/many.metal" <<'METAL'
#include <metal_stdlib>
using namespace metal;
constant bool twice [[function_constant(0)]];
struct Params { float scale; uint n; packed_float2 shift; };
kernel void other(device float *x [[buffer(0)]]) { x[0] = 1; }
kernel void many(device const float4 *v [[buffer(0)]],
                 constant Params &p [[buffer(1)]],
                 constant uint2 &size [[buffer(2)]],
                 device atomic_uint *count [[buffer(3)]],
                 device float *out [[buffer(4)]],
                 device const int *order [[buffer(5)]],
                 threadgroup float *scratch [[threadgroup(0)]],
                 texture2d<float> image [[texture(0)]],
                 sampler s [[sampler(0)]],
                 uint i [[thread_position_in_grid]],
                 uint t [[thread_position_in_threadgroup]]) {
  if (i >= p.n) return;
  scratch[t] = v[order[i]].x * p.scale + image.sample(s, float2(0.5)).x;
  if (size.x == 4 && size.y == EXTRA && (!twice || p.shift.y == 2.5f))
    atomic_fetch_add_explicit(count, 1u, memory_order_relaxed);
  out[i] = scratch[t];
}
METAL
# shellcheck disable=SC2054  # commas belong to the words
many=("$dir/many.metal" --kernel many -D EXTRA=5 --constant twice=true
  --grid 32 --group 32
  --arg v='float4[32]' --arg size=4,5 --arg count='atomic_uint[1]:zero' --arg \
    out='float[32]' --arg order='int[32]:iota'
  --arg scratch='threadgroup[128]' --arg image='rgba8unorm[8,8]' --arg \
    s=sampler:linear)
run 0 "${many[@]}" --arg 'p={scale:2,n:32,shift:{1,2.5}}'; ok "structs, vectors, textures, threadgroup memory, constants" $?
run 0 "${many[@]}" --arg p.scale=2 --arg p.n=32 --arg 'p.shift={1,2.5}'; ok "a struct field by field" $?
run 1 "${many[@]/order=int\[32\]:iota/order=int[32]:40}" --arg 'p={scale:2,n:32,shift:{1,2.5}}'
ok "contents are what was asked for" $?
run 1 "${many[@]/threadgroup\[128\]/threadgroup:float[16]}" --arg 'p={scale:2,n:32,shift:{1,2.5}}'
ok "threadgroup memory by type" $?
run 1 "${many[@]/threadgroup\[128\]/float[16]}" --arg 'p={scale:2,n:32,shift:{1,2.5}}'
ok "threadgroup memory as its parameter is declared" $?

cat >"$dir/kinds.metal" <<'METAL'
#include <metal_stdlib>
using namespace metal;
struct Best { float value; uint index; };
kernel void kinds(texture2d_array<float, access::read> t [[texture(0)]],
                  device const float3x4 *m [[buffer(0)]],
                  device const uchar *bytes [[buffer(1)]],
                  device const short4 *vectors [[buffer(2)]],
                  device float *out [[buffer(3)]],
                  threadgroup Best *best [[threadgroup(0)]],
                  uint i [[thread_index_in_threadgroup]]) {
  best[i].value = m[i][2][3] + t.read(uint2(i, 0), SLICE).x;
  best[i].index = i;
  bool counted = bytes[i + 256] == i && vectors[i].w == short(4 * i + 3);
  out[i] = counted ? best[i].value : 1 / (i - i);
}
METAL
kinds=("$dir/kinds.metal" --grid 8 --group 8 --arg t='r32float[8,4,3]'
  --arg m='float3x4[8]'
  --arg bytes='uchar[264]:iota' --arg vectors='short4[8]:iota' --arg \
    out='float[8]' --arg best='Best[8]')
run 0 "${kinds[@]}" -D SLICE=2; ok "slices, matrices, structs in threadgroup memory, bytes that count on" $?
run 1 "${kinds[@]}" -D SLICE=3 && says out "out-of-bounds"; ok "a slice that is not there" $?
run 2 "$dir/many.metal" -D EXTRA=5 --grid 1; ok "which of two kernels? status 2" $?
says err "other, many"; ok "both are named" $?

"$METTLE" -e "gpu.buffer('int', {1, 2, 3, 99}):save '$dir/order.npy'" >/dev/null
cat >"$dir/gather.metal" <<'METAL'
kernel void gather(device const int *order, device const float *x, device float *y,
                   uint i [[thread_position_in_grid]]) {
  y[i] = x[order[i]];
}
METAL
run 1 "$dir/gather.metal" --grid 4 --arg order="@$dir/order.npy" --arg \
  x='float[50]' --arg y='float[4]'
ok "contents of a file" $?
says out "x[99] is read"; ok "were used" $?
run 2 "$dir/gather.metal" --grid 4 --arg order='int[4]' --arg \
  x="@$dir/order.npy" --arg y='float[4]'
ok "a file of another type" $?
says err "holds int, not float: convert it with .astype('float32')"; ok "is to be converted" $?
run 0 "$dir/gather.metal" --grid 4 --arg order='int[4]:0..50' --arg \
  x='float[50]' --arg y='float[4]'
ok "random numbers in a range" $?
run 1 "$dir/gather.metal" --grid 4 --arg order='int[4]:60..70' --arg \
  x='float[50]' --arg y='float[4]' --seed 7 --json
ok "of a seed" $?
cp "$dir/out" "$dir/first"
run 1 "$dir/gather.metal" --grid 4 --arg y='float[4]' --arg x='float[50]' \
  --arg order='int[4]:60..70' --seed 7 --json
cmp -s "$dir/out" "$dir/first"; ok "the same seed finds the same, in any order of the arguments" $?

cat >"$dir/spin.metal" <<'METAL'
kernel void spin(device uint *a, uint i [[thread_position_in_grid]]) {
  while (a[0] < 4000000000u) a[i] += 0;
}
METAL
"$LIMIT" -s 2 5 "$METTLE" check "$dir/spin.metal" --grid 64 --arg \
  'a=uint[64]:zero' >"$dir/out" 2>"$dir/err"
says out "race: a[0]"; ok "after Ctrl-C, what was found until then" $?
says out "was interrupted"; ok "and that it was stopped" $?

# --------------------------------------------- structs, and the shell's words
cat >"$dir/cells.metal" <<'METAL'
#include <metal_stdlib>
using namespace metal;
constant int STEP [[function_constant(0)]];
struct Cell { half weight; half rest; uchar kind; };
struct Link { float length; int to; };
struct Size { uint n; float2 scale; int mode[2]; };
kernel void weigh(device Cell *cells, constant Size &size, uint i [[thread_position_in_grid]]) {
  if (i < size.n) cells[i].weight *= half(size.scale.y) * half(size.mode[1]);
}
kernel void follow(device const Link *links, device float *y, uint i [[thread_position_in_grid]]) {
  y[i] = links[links[i].to].length;
}
kernel void stepped(device float *y, uint i [[thread_position_in_grid]]) { y[int(i) * STEP] = 1; }
METAL
cells=("$dir/cells.metal" --kernel weigh --grid 32 --arg cells='Cell[32]')
run 0 "${cells[@]}" --arg size='{32,{1,2},{3,4}}'; ok "a struct of 6 bytes has as many elements as asked for" $?
run 1 "${cells[@]}" --arg size='{33,{1,2},{3,4}}' --grid 33; ok "fields in their order" $?
says out "cells[32]"; ok "are taken" $?
run 2 "${cells[@]}" --arg size='{32,{1,2},{3,4},5}'; ok "a field too many: status 2" $?
run 0 "$dir/cells.metal" --kernel follow --grid 32 --arg links='Link[100]' \
  --arg y='float[32]'
ok "whole numbers beside floats are whole numbers below 100" $?
run 2 "$dir/cells.metal" --grid 32; ok "several kernels: status 2" $?
says err "as in --kernel weigh"; ok "and how to say which" $?
run 2 "$dir/cells.metal" --kernel stepped --grid 4 --arg y='float[4]'; ok "a function constant without a value: status 2" $?
says err "--constant STEP="; ok "and how to give it" $?
run 0 "$dir/cells.metal" --constant STEP=1 --kernel stepped --grid 4 --arg \
  y='float[4]'
ok "with one it runs" $?
run 2 "$dir/cells.metal" --constant STEP=1 --kernel stepped --grid 4 --arg y='int[4]'; ok "another type: status 2" $?
says err "give --arg y=float["; ok "and which to give" $?
run 1 "$dir/cells.metal" --constant STEP=2 --kernel stepped --grid 32 --arg \
  y='float[64]' --outputs y --json
ok "a finding by no thread" $?
says out '"threads":	[]'; ok "has an empty list of threads" $?

cat >"$dir/endless.metal" <<'METAL'
kernel void endless(device volatile float *x, uint i [[thread_position_in_grid]]) {
  while (x[i] >= 0) x[i] = 1;
}
METAL
run 2 "$dir/endless.metal" --grid 4 --arg x='float[4]' --time-limit 0.5
ok "stopped by its time limit: status 2" $?

# ------------------------------------------------------ a person who waits
tm new-session -d -x 80 -y 24 "exec '$METTLE' check $dir/endless.metal --grid 64 --group 32 --arg x=float[64]"
see "checking endless: 0 % of 2 threadgroups"; ok "at a terminal it says how far it is" $?
keys C-c
gone; ok "and Ctrl-C stops it" $?

open
prompt
enter "k = gpu.kernel(io.open('$dir/spin.metal'):read 'a') a = gpu.buffer('uint', 64)"; prompt
enter 'for _ = 1, 9 do pcall(check, {k, a, grid = 64}) end print "went on"'
see "checking spin"; ok "at the prompt it says so too" $?
keys C-c
see "race: a[0]"; ok "Ctrl-C shows what was found until then" $?
see_line "interrupted"; ok "and ends all that runs" $?
prompt
! shows_line "went on"; ok "the loop around it too" $?
keys C-d
gone

echo "1..$count"
[ $failed = 0 ]
