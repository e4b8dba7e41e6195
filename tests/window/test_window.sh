#!/bin/bash
# test_window.sh - window/: a window on a screen in memory, whose pixels and
# keys are those that a person would see and press.
set -u
# shellcheck source=tests/window/xvfb.sh
. tests/window/xvfb.sh
needs_screen "windows"
"${METTLE:-build/mettle}" tests/window/window.lua
