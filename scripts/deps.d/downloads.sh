#!/bin/sh
# downloads.sh - read by scripts/deps: what only the tests need, and no package
# of the system has. Where it cannot be had the suites that need it are skipped,
# by name. Those of devices are in devices/NAME/deps.sh.

# get WHAT FOLDER: its ways, find_WHAT, with a fresh FOLDER.tmp
get() {
  # shellcheck disable=SC2034  # fetch.sh's
  tried=
  rm -rf "$2.tmp"; mkdir -p "$2.tmp"
  "find_$1" "$2.tmp"
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
