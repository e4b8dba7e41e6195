#!/bin/bash
# test_on_devices.sh - tests/lua/measure/test_on_devices.lua with a GPU: the
# stand-in for NVIDIA's driver, with so little memory that not everything fits.
#
# Guards: lua/bind/gpu/migrate.c: buffers, views, textures and what structs
# point at move to the device of a launch; lua/workload/on_devices.lua: compare
# and sweep on several devices, with Metal's stand-in and CUDA's; what is said
# where a device is missing
driver=$(dirname "$METTLE")/tests/cuda/libcuda.so.1
if [ ! -e "$driver" ]; then
  echo "ok 1 - on CUDA # SKIP there is no stand-in for NVIDIA's driver"
  echo "1..1"
  exit 0
fi
METTLE_CUDA_DRIVER=$driver CUDA_STANDIN=memory=64M "$METTLE" \
  tests/lua/measure/test_on_devices.lua 2>"$HOME/err"
status=$?
cat "$HOME/err" >&2
if grep -q PROBLEM "$HOME/err"; then
  grep PROBLEM "$HOME/err" | head -5 | sed 's/^/# /'
  echo "not ok 0 - no call that CUDA's driver would refuse"
  exit 1
fi
exit $status
