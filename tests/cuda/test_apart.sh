#!/bin/bash
# test_apart.sh - kernels with known answers that use the lanes of a SIMD-group,
# on the cuda device and a GPU that promises no more than PTX does: lanes that
# went different ways meet again only at instructions that wait for them. Then
# kernels whose lanes part (lanes.lua), and random ones, beside the host.
#
# Guards: devices/cuda/ptx, builtins: kernels that use lanes, on a GPU whose
# lanes meet again only where PTX promises it; lanes that part, beside the host
# (tests/cuda/lanes.lua)
METTLE_CUDA_DRIVER=$(dirname "$METTLE")/tests/cuda/libcuda.so.1
if [ ! -f "$METTLE_CUDA_DRIVER" ] ||
  [ ! -f "$(dirname "$METTLE")/host.so" ]; then
  echo "ok 1 - lanes apart # SKIP no stand-in for NVIDIA's driver, or no LLVM"
  echo "1..1"
  exit 0
fi
export METTLE_CUDA_DRIVER METTLE_DEVICE=cuda CUDA_STANDIN=apart
status=0
for word in simd quad; do
  METTLE_MSL=$word "$METTLE" tests/lua/msl/test_msl.lua 2>"$HOME/err" ||
    status=1
  cat "$HOME/err" >&2
  if grep -q PROBLEM "$HOME/err"; then
    echo "not ok 0 - no call that NVIDIA's driver would refuse"
    status=1
  fi
done
"$METTLE" tests/cuda/lanes.lua || status=1
# kernels that a GPU once answered otherwise: its lanes leave loops one by one
for seed in 446 742 12727; do
  if "$(dirname "$METTLE")/tests/test_cuda_random" $seed 1 >"$HOME/out" 2>&1; then
    echo "ok - random kernel $seed"
  else
    echo "not ok - random kernel $seed"
    sed 's/^/# /' "$HOME/out"
    status=1
  fi
done
exit $status
