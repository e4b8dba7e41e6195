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

# files_sum FOLDER PART...: one sum over the names and the bytes of its files
files_sum() (
  list=$PWD/build/files.$$
  cd "$1" || exit 1
  shift
  find "$@" -type f | LC_ALL=C sort >"$list"
  { cat "$list"; tr '\n' '\0' <"$list" | xargs -0 cat; } >"$list.all"
  sha256 "$list.all"
  rm -f "$list" "$list.all"
)

# git_commit ADDRESS COMMIT FOLDER: that one alone, as FETCH_HEAD
git_commit() {
  a_program git || return 1
  export GIT_TERMINAL_PROMPT=0
  git init -q "$3" || return 1
  within 90 git -C "$3" fetch -q --depth 1 "$1" "$2"
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

# --------------------------------------------------------------------- apt

# apt-get with lists of its own, in folders of its own: that works without root,
# and has what the system's lists have not.
#   own_lists LISTS LINES STANZAS  the system's lists, by two scripts of sed for
#                                  their two forms; asked for once
#   own_apt LISTS FOLDER ARGUMENT...
own_apt() (
  lists=$PWD/$1
  cd "$2" || exit 1
  shift 2
  within 200 apt-get -o "Dir::Etc::SourceList=$lists/list" \
    -o "Dir::Etc::SourceParts=$lists/parts" \
    -o "Dir::State::Lists=$lists/lists" -o "Dir::Cache=$lists/cache" \
    -o APT::Sandbox::User=root -o Acquire::Languages=none \
    -o Acquire::Retries=1 -o Acquire::http::Timeout=10 \
    -o Acquire::https::Timeout=10 "$@"
)

own_lists() {
  [ ! -f "$1/asked" ] || return 0
  mkdir -p "$1/parts" "$1/lists/partial" "$1/cache/archives/partial"
  cat /etc/apt/sources.list /etc/apt/sources.list.d/*.list 2>/dev/null |
    sed -n "$2" >"$1/list"
  for file in /etc/apt/sources.list.d/*.sources; do
    [ ! -f "$file" ] || sed "$3" "$file" >"$1/parts/${file##*/}"
  done
  own_apt "$1" "$1" -qq update || echo "apt-get update of lists of its own failed"
  touch "$1/asked"
}

# debian_source LISTS PACKAGE FOLDER: what upstream released, unpacked there
debian_source() {
  own_apt "$1" "$3" -qq source --download-only --tar-only "$2" || true
  archive=$(ls "$3/$2"_*.orig.tar.* 2>/dev/null) || return 1
  case $archive in
    *.xz) have xz || { echo "xz is not installed"; return 1; } ;;
  esac
  tar -xf "$archive" -C "$3" --strip-components=1
}

# A .deb is an archive of ar, the files are in a tar of it.
unpack_deb() {
  if have dpkg-deb; then dpkg-deb -x "$1" "$2"; return; fi
  a_program ar || { echo "neither dpkg-deb nor ar is installed"; return 1; }
  ar p "$1" data.tar.xz | xz -d | tar -x -C "$2"
}
