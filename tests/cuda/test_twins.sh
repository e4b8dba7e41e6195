#!/bin/bash
# test_twins.sh - corrected kernels of the zoo on the cuda device and the
# stand-in for NVIDIA's driver (twins.lua): one in sixteen, all of them with
# METTLE_TESTS=all.
#
# Guards: tests/cuda/twins.lua: corrected kernels of the zoo give on cuda what
# they give on the host, one in sixteen (METTLE_TESTS=all: all)
if [ ! -e "$(dirname "$METTLE")/tests/cuda/libcuda.so.1" ] || [ ! -f "$(dirname "$METTLE")/host.so" ]; then
  echo "ok 1 - twins on cuda # SKIP no stand-in for NVIDIA's driver, or no LLVM"
  echo "1..1"
  exit 0
fi
[ "${METTLE_TESTS:-}" = all ] || export METTLE_ZOO_EVERY=${METTLE_ZOO_EVERY:-16}
exec tests/cuda/lua tests/cuda/twins.lua
