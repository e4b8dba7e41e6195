#!/bin/sh
# fetch.sh - read by scripts/deps: what is downloaded, and how.
#
# One idea: a thing can be had in several ways, none of which is on every
# machine. Each way is a function that prints what it says and returns 0 or 1;
# `try` calls one, and keeps the last line of one that failed, so that the end,
# when none worked, can say what each said. Whatever comes is compared with a
# checksum that stands in the script.
# shellcheck disable=SC2034,SC2154  # system and the like are scripts/deps's

tried=

# try NAME COMMAND...: a way; its last line is kept if it fails
try() {
  way=$1
  shift
  log=build/fetch.$$.log
  if "$@" >"$log" 2>&1; then rm -f "$log"; return 0; fi
  tried="$tried
  $way: $(sed '/^[[:space:]]*$/d; s/^[[:space:]]*//' "$log" | tail -1)"
  rm -f "$log"
  return 1
}

# a_way NAME FUNCTION ARGUMENT...: the same, with the folder $fresh, which is
# emptied, as its last argument
fresh=
a_way() {
  what=$1
  shift
  rm -rf "$fresh"
  mkdir -p "$fresh"
  try "$what" "$@" "$fresh"
}

# within SECONDS COMMAND...: a program that is ended if it takes longer
within() {
  if have perl; then
    perl -e '$SIG{ALRM} = sub { kill "TERM", $job; print "no answer in $limit s\n"; exit 1 };
      $limit = shift; $job = fork; if (!$job) { exec @ARGV; exit 127 }
      alarm $limit; waitpid $job, 0; exit($? >> 8 || $? & 127)' "$@"
  else shift; "$@"; fi
}

# a_program NAME...: one of these is there, or it says which are not
a_program() {
  for name in "$@"; do if have "$name"; then return 0; fi; done
  echo "not installed"; return 1
}

sha256() {
  if have sha256sum; then sha256sum "$1"; else shasum -a 256 "$1"; fi |
    cut -d' ' -f1
}

# is_sum FILE SUM
is_sum() {
  [ "$(sha256 "$1")" = "$2" ] || { echo "came with a wrong checksum; not used"; return 1; }
}

# by_TOOL ADDRESS FILE: one file from the web
by_curl() {
  a_program curl && curl -fsSL --connect-timeout 5 --max-time 90 -o "$2" "$1"
}
by_wget() { a_program wget && within 90 wget -T 5 -O "$2" "$1"; }
by_python3() {
  a_program python3 && within 90 python3 -c 'import sys, urllib.request as web
with web.urlopen(sys.argv[1], timeout=10) as page:
    open(sys.argv[2], "wb").write(page.read())' "$1" "$2"
}
web_tools="curl wget python3"

# by_pip FOLDER PACKAGE SUM OPTION...: a package of Python's, not installed
by_pip() {
  folder=$1 package=$2 sum=$3
  shift 3
  a_program python3 || return 1
  python3 -m pip --version >/dev/null 2>&1 ||
    { echo "pip is not installed"; return 1; }
  echo "$package --hash=sha256:$sum" >"$folder/wanted"
  within 300 python3 -m pip download -q --disable-pip-version-check --no-deps \
    --retries 1 --timeout 15 "$@" -d "$folder" -r "$folder/wanted"
}

unzip_into() {
  a_program unzip python3 || { echo "unzip is not installed"; return 1; }
  if have unzip; then
    unzip -q "$1" -d "$2"
  else
    python3 -m zipfile -e "$1" "$2"
  fi
}
