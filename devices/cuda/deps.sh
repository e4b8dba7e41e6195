#!/bin/sh
# deps.sh - read by scripts/deps: what the tests of the cuda device need.
# shellcheck disable=SC2154  # system and the like are scripts/deps's

# NVIDIA's assembler, out of the Python wheel of its compiler (40 MB): one suite
# assembles the PTX that Mettle makes.
ptxas_wheel=nvidia-cuda-nvcc-cu12==12.9.86
ptxas_sum_x86_64='5d6a0d32fdc7ea39917c20065614ae93add6f577d840233237ff08e9a38f58f0'
ptxas_sum_aarch64='44e1eca4d08926193a558d2434b1bf83d57b4d5743e0c431c0c83d51da1df62b'

unpack_ptxas() {
  case $(uname -m) in
    x86_64) sum=$ptxas_sum_x86_64 ;;
    aarch64) sum=$ptxas_sum_aarch64 ;;
    *) echo "NVIDIA has none for $(uname -m)"; return 1 ;;
  esac
  by_pip "$1" "$ptxas_wheel" "$sum" --only-binary=:all: &&
    unzip_into "$1"/*.whl "$1/wheel" && mkdir -p build/ptxas &&
    mv "$1/wheel/nvidia/cuda_nvcc/bin/ptxas" build/ptxas/ptxas &&
    chmod +x build/ptxas/ptxas
}

find_ptxas() { try "PyPI's nvidia-cuda-nvcc-cu12 by pip" unpack_ptxas "$1"; }

get_ptxas() {
  ! have ptxas && [ ! -f build/ptxas/ptxas ] || return 0
  # asked before
  [ ! -f build/ptxas/none ] || [ "$for_what" = ptxas ] || return 0
  say "getting ptxas (NVIDIA's assembler, for a suite of the tests, to build/ptxas)"
  if ! get ptxas build/ptxas; then
    mkdir -p build/ptxas; touch build/ptxas/none
    say "deps: ptxas could not be had; the suite that assembles PTX is skipped; tried were:$tried"
  fi
  rm -rf build/ptxas.tmp
}

get_for_cuda() {
  [ "$system" != Darwin ] || return 0
  case $for_what in test | downloads | ptxas) get_ptxas ;; esac
}
