#!/bin/sh
# downloads.sh - read by scripts/deps: what only a Mac or the tests need, and no
# package of the system has. Where it cannot be had the suites that need it are
# skipped, by name.
# shellcheck disable=SC2154  # system and the like are scripts/deps's

# get WHAT FOLDER: its ways, find_WHAT, with a fresh FOLDER.tmp
get() {
  tried=
  rm -rf "$2.tmp"; mkdir -p "$2.tmp"
  "find_$1" "$2.tmp"
}

# ----------------------------------------------------------------- metal-cpp

# Apple's C++ headers for Metal: on a Mac the device is built with them; for the
# tests elsewhere they may also come out of the wheel of mlx-metal, which
# carries them.
zip_sum=4df3c078b9aadcb516212e9cb03004cbc5ce9a3e9c068fa3144d021db585a3a4
wheel=mlx-metal==0.32.4
wheel_sum=8019b2db622599267d66cc168b2f0dbf5af929790a6c3b3913e00eabc42a7947

# apple_zip TOOL FOLDER
apple_zip() {
  "by_$1" "https://developer.apple.com/metal/cpp/files/metal-cpp_26.zip" \
    "$2/metal-cpp.zip" && is_sum "$2/metal-cpp.zip" "$zip_sum" &&
    unzip_into "$2/metal-cpp.zip" "$2"
}

metal_wheel() {
  by_pip "$1" "$wheel" "$wheel_sum" --only-binary=:all: \
    --platform macosx_14_0_arm64 --python-version 3.11 &&
    unzip_into "$1"/*.whl "$1/wheel" &&
    mv "$1/wheel/mlx/include/metal_cpp" "$1/metal-cpp"
}

find_metal_cpp() {
  for tool in $web_tools; do
    ! try "Apple's archive by $tool" apple_zip "$tool" "$1" || return 0
  done
  try "PyPI's mlx-metal by pip" metal_wheel "$1"
}

get_metal_cpp() {
  [ -f build/metal-cpp/Metal/Metal.hpp ] && return
  [ ! -f build/metal-cpp/none ] || return 0 # asked before: not to be had here
  rm -rf build/metal-cpp
  say "getting metal-cpp (Apple's headers for Metal)"
  if get metal_cpp build/metal-cpp; then
    mv build/metal-cpp.tmp/metal-cpp build/metal-cpp
  elif [ "$system" = Darwin ]; then
    say "deps: metal-cpp (https://developer.apple.com/metal/cpp) could not be had; tried were:$tried"; exit 1
  else
    mkdir -p build/metal-cpp; touch build/metal-cpp/none
    say "deps: metal-cpp could not be had; the tests of the Metal device are skipped; tried were:$tried"
  fi
  rm -rf build/metal-cpp.tmp
}

# --------------------------------------------------------------------- ptxas

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

# -------------------------------------------------------------------- cmocka

# The one that Homebrew has is newer than Debian's: a suite compiles the others
# with it, too.
get_cmocka() {
  [ ! -f build/cmocka/none ] || return 0
  get_source cmocka "a suite compiles the others with it" || {
    mkdir -p build/cmocka; touch build/cmocka/none
    say "deps: the suite that needs cmocka 2 is skipped"
  }
}
