#!/bin/bash
# test_patterns.sh - what is in the cuda device's PTX (patterns.lua), on the
# stand-in for NVIDIA's driver.
if [ ! -e "$(dirname "$METTLE")/tests/cuda/libcuda.so.1" ]; then
  echo "ok 1 - patterns of PTX # SKIP there is no stand-in for NVIDIA's driver"
  echo "1..1"
  exit 0
fi
exec tests/cuda/lua tests/cuda/patterns.lua
