#!/bin/bash
# xvfb.sh - read by suites that need a screen: starts one in memory.
#
#   . tests/window/xvfb.sh; needs_screen WHAT   $DISPLAY; $screen, its pixels
#
# Skips the suite, by name, where there is no Xvfb or this build has no SDL, and
# on a Mac, whose SDL knows no X.
skip_window() { echo "ok 1 - $1 # SKIP $2"; echo "1..1"; exit 0; }

needs_screen() {
  [ -e "$(dirname "${METTLE:-build/mettle}")/window.so" ] || skip_window "$1" "this build has no SDL"
  [ "$(uname -s)" != Darwin ] || skip_window "$1" "SDL has no windows of X on a Mac"
  command -v Xvfb >/dev/null || skip_window "$1" "there is no Xvfb to show windows on"
  screen_folder=$(mktemp -d)
  mkfifo "$screen_folder/number"
  # 8 bits a channel, so that a screenshot has every bit; its number is the
  # first free one; it stays when the last window is closed
  Xvfb -noreset -displayfd 3 -screen 0 800x700x24 -fbdir "$screen_folder" 3>"$screen_folder/number" >/dev/null 2>&1 &
  screen_server=$!
  trap 'kill "$screen_server" 2>/dev/null; wait "$screen_server" 2>/dev/null; rm -rf "$screen_folder"' EXIT
  local number=
  read -r -t 60 number <"$screen_folder/number" || skip_window "$1" "Xvfb does not start here"
  export DISPLAY=:$number screen=$screen_folder/Xvfb_screen0
  unset WAYLAND_DISPLAY
  export SDL_VIDEODRIVER=x11
}
