#!/bin/bash
# test_objects.sh - kernels' object files for Apple's processors, made here
# (METTLE_ALSO), can be linked as the JIT of a Mac would link them: llvm-jitlink
# -noexec does all but run them. What they call must be what the engine offers
# (devices/host/*/runtime_symbols.c, devices/host/native), and what LLVM's own
# list of such routines has for half, bfloat, 128-bit integers, integer powers
# and atomics is offered, where LLVM's headers are here.
#
# Guards: kernels' object files for Apple's processors are linked by
# llvm-jitlink, where LLVM has it; what they call is offered by devices/host,
# and so is what LLVM's own list of such routines has
set -u
cd "$(dirname "$0")/../.." || exit 1
mettle=${METTLE:-$PWD/build/mettle}
libraries=$(sed -n 's/^LLVM_LIBS := .*-L\([^ ]*\).*/\1/p' build/config.mk)
jitlink=$libraries/../bin/llvm-jitlink
if [ -z "$libraries" ] || [ ! -x "$jitlink" ]; then
  echo "ok 1 - object files for a Mac # SKIP this LLVM has no llvm-jitlink"
  echo "1..1"
  exit 0
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
n=0
result() { # result STATUS NAME
  n=$((n + 1))
  if [ "$1" = 0 ]; then echo "ok $n - $2"; else
    echo "not ok $n - $2"; tail -n 20 "$work/said" | sed 's/^/# /'
  fi
}

# One of each kind: rows, tiles and barriers, atomics, sines, textures, a
# shuffle, and what runs thread by thread.
cat >"$work/kernels.lua" <<'LUA'
gpu.use "host"
local library = gpu.library [=[
#include <metal_stdlib>
using namespace metal;
kernel void plain(device float *a, uint i [[thread_position_in_grid]]) { a[i] = 2 * a[i] + 1; }
kernel void tile(device float *a, uint i [[thread_position_in_grid]], uint l [[thread_index_in_threadgroup]]) {
  threadgroup float t[64];
  t[l] = precise::sin(a[i]);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  a[i] = t[63 - l] + exp(a[i]);
}
kernel void count(device atomic_uint *a, uint i [[thread_position_in_grid]]) {
  atomic_fetch_add_explicit(&a[i % 7], i, memory_order_relaxed);
}
kernel void lanes(device float *a, uint i [[thread_position_in_grid]], uint l [[thread_index_in_simdgroup]]) {
  float x = a[i];
  for (uint d = 1; d < 32; d *= 2) if (l >= d) x += simd_shuffle_up(x, d);
  a[i] = x + simd_sum(x);
}
kernel void row(device float *a, uint i [[thread_position_in_grid]]) {
  float s = 0;
  for (uint k = 0; k < 32; k++) s += a[i % 2 * 32 + k];
  if (s < 0) a[i] = s;
}
kernel void picture(texture2d<float> t, device float *a, uint i [[thread_position_in_grid]]) {
  constexpr sampler s(filter::linear, address::clamp_to_edge);
  a[i] = t.sample(s, float2(i % 8, i / 8) / 8).x;
}
kernel void halves(device half *a, uint i [[thread_position_in_grid]]) {
  a[i] = fma(a[i], a[i + 1], a[i + 2]);
}
kernel void apart(device float *a, uint i [[thread_position_in_grid]]) {
  if (a[i] > 1e9f) threadgroup_barrier(mem_flags::mem_threadgroup);
  a[i] += 1;
}
]=]
local a = gpu.buffer("float", 64):iota()
for _, name in ipairs { "plain", "tile", "lanes", "row", "apart" } do
  library:kernel(name) { a, grid = 64, group = 64 }
end
library:kernel "halves" { gpu.buffer("half", 66), grid = 64, group = 64 }
library:kernel "count" { gpu.buffer("uint", 64), grid = 64, group = 64 }
library:kernel "picture" { gpu.texture { format = "r32float", width = 8, height = 8 }, a, grid = 64, group = 64 }

-- The object files without what the cache puts before them, each with the name
-- of its function.
local made = 0
for path in io.popen("ls " .. arg[1] .. "/mettle/host/*.o"):lines() do
  local f = assert(io.open(path, "rb"))
  local bytes = f:read "a"
  f:close()
  local at = bytes:find("\xcf\xfa\xed\xfe", 1, true)
  if at then
    made = made + 1
    local out = assert(io.open(("%s/%s.macho"):format(arg[2], path:match "([^/]+)%.o$"), "wb"))
    out:write(bytes:sub(at))
    out:close()
  end
end
assert(made == 8, made .. " object files")
LUA

offered=()
while IFS= read -r helper; do
  offered+=(-abs "_$helper=0x100000")
done <<HELPERS
$(build/tests/test_runtime_calls names)
HELPERS
[ "${#offered[@]}" -gt 8 ]; result $? "the engine offers some helpers"

# Names of LLVM's list: "def __x : RuntimeLibcallImpl<WHAT" from version 21 on,
# before 'HANDLE_LIBCALL(WHAT, "__x"'.
headers=$(sed -n 's/^LLVM_CFLAGS := .*-I\([^ ]*\).*/\1/p' build/config.mk)
listed() { # listed < FILE
  sed -n -e 's/^ *def \(__[a-z_0-9]*\) : RuntimeLibcallImpl<\([A-Z_0-9]*\).*/\2 \1/p' \
    -e 's/^HANDLE_LIBCALL(\([A-Z_0-9]*\), "\(__[a-z_0-9]*\)").*/\1 \2/p' |
    grep -E '(_|B)F16|I128|POWI|ATOMIC' |
    grep -vE 'F80|F128|UNORDERED| __aeabi|kf|ppc' | sed 's/.* //' | sort -u
}
names=$(cat "$headers"/llvm/IR/RuntimeLibcalls.{td,def} 2>/dev/null | listed)
if [ -n "$names" ]; then
  build/tests/test_runtime_calls names | sort >"$work/offered"
  echo "$names" | comm -23 - "$work/offered" >"$work/said"
  [ ! -s "$work/said" ] && [ "$(echo "$names" | wc -l)" -gt 30 ]
  result $? "what LLVM may call by itself is offered"
fi

link_all() { # link_all FOLDER [helpers…]
  local folder=$1 f
  shift
  for f in "$folder"/*.macho; do
    "$jitlink" -noexec -entry "_$(basename "$f" .macho)" "$@" "$f" \
      >>"$work/said" 2>&1 || return 1
  done
}

for machine in arm64-apple-macosx13.0.0,apple-m1 \
  x86_64-apple-macosx13.0.0,haswell; do
  : >"$work/said"
  folder=$work/${machine%%-*}
  mkdir -m 700 "$folder" "$folder/cache"
  METTLE_ALSO=$machine XDG_CACHE_HOME=$folder/cache "$mettle" \
    "$work/kernels.lua" "$folder/cache" "$folder" >"$work/said" 2>&1
  result $? "kernels become Mach-O files for $machine"
  link_all "$folder" "${offered[@]}"
  result $? "and can be linked"
  if link_all "$folder"; then
    status=1
  else
    grep -q "Symbols not found" "$work/said"; status=$?
  fi
  result $status "but not without the helpers that some call"
done
echo "1..$n"
