#!/bin/bash
# test_window.sh - window/: a window on a screen in memory, whose pixels and
# keys are those that a person would see and press.
#
# Guards: window/, lua/bind/screen/window.c, base/files/module.c: windows on a
# screen in memory (Xvfb), seen pixel by pixel in a screenshot, keys by xdotool;
# `mettle play` in one: picture, reload, error over it; skipped without Xvfb or
# SDL; window/window.c, window/module/font.c
set -u
# shellcheck source=tests/window/xvfb.sh
. tests/window/xvfb.sh
needs_screen "windows"
"${METTLE:-build/mettle}" tests/window/window.lua
