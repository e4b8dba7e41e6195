#!/bin/bash
# test_patterns.sh - what is in the cuda device's PTX (patterns.lua), on the
# stand-in for NVIDIA's driver.
#
# Guards: tests/cuda/patterns.lua: what must be in the PTX of small kernels, and
# must not; products of matrices on tensor cores; devices/cuda/ptx/{matrix,
# matrix_banks, matrix_rows, matrix_sums, copies, high_products, loops, unroll,
# speculate, extremes, conversions, narrow, exponentials}.c;
# devices/compiler/prepare/{unroll_arrays, few_indices}.c: private arrays are
# registers
if [ ! -e "$(dirname "$METTLE")/tests/cuda/libcuda.so.1" ]; then
  echo "ok 1 - patterns of PTX # SKIP there is no stand-in for NVIDIA's driver"
  echo "1..1"
  exit 0
fi
exec tests/cuda/lua tests/cuda/patterns.lua
