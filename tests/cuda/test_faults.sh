#!/bin/bash
# test_faults.sh - kernels that go wrong on a GPU (faults.lua), and one in a
# lesson that is checked, where NVIDIA's driver could not be started any more.
# On the stand-in for that driver; on a GPU with CUDA_LIBRARY=libcuda.so.1.
#
# Guards: tests/cuda/faults.lua: a stray or misaligned address, a trap, an
# endless kernel are a sentence each, and buffers and console go on;
# devices/cuda/driver/process.c: the driver's process is replaced inside a
# lesson's check
if [ ! -f "$(dirname "$METTLE")/host.so" ] || { [ -z "${CUDA_LIBRARY:-}" ] && [ ! -e "$(dirname "$METTLE")/tests/cuda/libcuda.so.1" ]; }; then
  echo "ok 1 - faults on cuda # SKIP no stand-in for NVIDIA's driver, or no LLVM"
  echo "1..1"
  exit 0
fi
export METTLE_DEVICE=cuda
[ -n "${CUDA_LIBRARY:-}" ] ||
  { METTLE_CUDA_DRIVER=$(dirname "$METTLE")/tests/cuda/libcuda.so.1
  export METTLE_CUDA_DRIVER; }
"$METTLE" tests/cuda/faults.lua || exit 1

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -r lessons/04-first-kernel "$work/04-endless"
{
  cat <<'END'
local ok, why = pcall(function()
  local k = gpu.kernel "kernel void endless(device float *x [[buffer(0)]]) { while (true) x[0] += 1; }"
  k { gpu.buffer(1), grid = 1, limit = 0.3 }
end)
if ok or not tostring(why):find "limit" then error(tostring(why)) end
END
  cat lessons/04-first-kernel/lesson.lua
} >"$work/04-endless/lesson.lua"
if (cd "$work" && METTLE_LINT=text "$METTLE" lesson check 04-endless) \
  >"$work/out" 2>&1; then
  echo "ok 1 - the driver is started anew where a lesson is checked"
else
  echo "not ok 1 - the driver is started anew where a lesson is checked"
  sed 's/^/# /' "$work/out"
fi
echo "1..1"
