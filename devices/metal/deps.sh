#!/bin/sh
# deps.sh - read by scripts/deps: what the Metal device is built from on a Mac,
# and its tests elsewhere.
# shellcheck disable=SC2154  # system and the like are scripts/deps's

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

ask_for_metal() {
  [ "$system" != Darwin ] && is_for_tests || return 0
  [ -e /usr/include/Block.h ] ||
    need "tests: the Metal device without a Mac" libblocksruntime-dev ""
}

get_for_metal() {
  if [ "$system" = Darwin ]; then get_metal_cpp; return; fi
  case $for_what in test | downloads | aarch64) get_metal_cpp ;; esac
}
