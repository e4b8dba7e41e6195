#!/bin/bash
# needs.sh - read by suites that not every build can run. Without LLVM kernels
# run on a Mac's GPU alone, and there is no check, profile or compile.
#
#   . tests/needs.sh; needs_llvm WHAT        the host device, or it is skipped
#   . tests/needs.sh; needs_kernels WHAT     any device that compiles
#   . tests/needs.sh; needs_browser WHAT     Chromium, in $browser
has_llvm() { [ -e "$(dirname "${METTLE:-build/mettle}")/host.so" ]; }
has_kernels() { has_llvm || "${METTLE:-build/mettle}" -e 'gpu.library "kernel void f() {}"' >/dev/null 2>&1 </dev/null; }
skip_all() { echo "ok 1 - $1 # SKIP this build has no LLVM"; echo "1..1"; exit 0; }
needs_llvm() { has_llvm || skip_all "$1"; }
needs_kernels() { has_kernels || skip_all "$1"; }

# A Chromium in $browser, for pages: one that answers, since Ubuntu's package is
# a script that asks for a snap.
needs_browser() { # what
  local name
  browser=
  for name in chromium chromium-browser google-chrome "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome" \
              "/Applications/Chromium.app/Contents/MacOS/Chromium"; do
    # shellcheck disable=SC2034  # the suite uses it
    if "$name" --version >/dev/null 2>&1; then browser=$name; return; fi
  done
  echo "ok 1 - $1 # SKIP there is no Chromium"; echo "1..1"; exit 0
}
