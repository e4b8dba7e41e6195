#!/bin/sh
# sources.sh - read by scripts/deps: Lua, cJSON and cmocka by their sources, for
# a Mac without Homebrew and for DEPS_FROM=source.
#
# Each is some files of C, so that it takes nothing but the compiler that Mettle
# itself needs. They come as linenoise does, in several ways, are kept only if
# the table has the sum of their names and bytes, and become a library below
# build/.
# shellcheck disable=SC2034,SC2154  # web_tools and the like are fetch.sh's

# NAME, the sum of its files, and whose they are
known_sources() {
  cat <<'end'
lua 798e9824044d9e6cc06b36477244107c8f5c081a1be93fbacb9be9e2f20a5e9b Lua 5.4.7
lua 1520472cee73e48aa8ff6a9a57b7a6c5ecff15899a4a9a28a8eb738d0e82c0a5 Lua 5.4.9
lua 8f0b90801790bb2cbfba32109ed3012118c8f32688bf7b73efabea6e0ae7d44a Lua 5.4.4
cjson 8e434061a433325d742c81071e0b2d632a3883aba0805dbcac0829c59f6e4545 cJSON 1.7.19
cjson 18a4cf24e778885b948cbcfd305346d872317b40c8bd1e14abd07b0842230ed8 cJSON 1.7.18
cjson da3c451f24b9a5b70a02d1ae9f576e5850135606127a9282564435d5c4a9ac30 cJSON 1.7.15
cmocka 08f63093598f440cdba4129dcd85e849e7b94ce43c3e7da41b7263a92ffb2850 cmocka 2.0.2
end
}

# archive_of NAME, repository_of NAME, commit_of NAME: upstream's
archive_of() {
  case $1 in
    lua) echo "https://www.lua.org/ftp/lua-5.4.7.tar.gz" ;;
    cjson) echo "$(repository_of cjson)/archive/$(commit_of cjson).tar.gz" ;;
    cmocka) echo "https://cmocka.org/files/2.0/cmocka-2.0.2.tar.xz" ;;
  esac
}
repository_of() {
  case $1 in
    lua) echo "https://github.com/lua/lua" ;;
    cjson) echo "https://github.com/DaveGamble/cJSON" ;;
  esac
}
commit_of() {
  case $1 in
    lua) echo 1ab3208a1fceb12fca8f24ba57d6e13c5bff15e3 ;;
    cjson) echo c859b25da02955fef659d658b8f324b5cde87be3 ;;
  esac
}

# What a library is made from; Lua's release has a folder for it, its repository
# has tests beside it.
files_of() {
  case $1 in
    lua) find . src -maxdepth 1 -name 'l*.[ch]' ! -name lua.c ! -name luac.c \
      ! -name 'ltests.*' ;;
    cjson) find . -maxdepth 1 -name 'cJSON.[ch]' ;;
    cmocka) find src include -name 'cmocka*.[ch]' ;;
  esac 2>/dev/null
}

# keep_files NAME TREE FOLDER: those of TREE, in FOLDER/kept, if the table has
# them
keep_files() {
  mkdir "$3/kept" || return 1
  kept=$PWD/$3/kept
  (cd "$2" && files_of "$1" | while IFS= read -r file; do
    cp "$file" "$kept" || exit 1
  done) || return 1
  found=$(files_sum "$3/kept" .)
  known_sources | grep -q "^$1 $found " || { echo "its files are none that Mettle was tried with; not used"; return 1; }
  known_sources | sed -n "s/^$1 $found //p" >"$3/kept/origin"
}

# source_web NAME TOOL FOLDER
source_web() {
  mkdir "$3/tree"
  "by_$2" "$(archive_of "$1")" "$3/archive" &&
    tar -xf "$3/archive" -C "$3/tree" --strip-components=1 &&
    keep_files "$1" "$3/tree" "$3"
}

# source_git NAME FOLDER
source_git() {
  [ -n "$(commit_of "$1")" ] || { echo "its commit is not known"; return 1; }
  git_commit "$(repository_of "$1")" "$(commit_of "$1")" "$2/git" &&
    git -C "$2/git" checkout -q FETCH_HEAD && keep_files "$1" "$2/git" "$2"
}

# source_debian NAME LISTS FOLDER: of the lists' release
source_debian() {
  package=$1; [ "$1" != lua ] || package=lua5.4
  mkdir "$3/tree"
  debian_source "$2" "$package" "$3/tree" &&
    keep_files "$1" "$3/tree" "$3"
}

newest_sources=build/apt-newest-sources
source_newest() {
  a_program apt-get || return 1
  own_lists "$newest_sources" \
    's|^[[:space:]]*deb[[:space:]]\(.*/debian/*\)[[:space:]]\{1,\}[a-z]*[[:space:]].*|deb-src \1 sid main|p' \
    's/^Types:.*/Types: deb-src/; s/^Suites:.*/Suites: sid/'
  source_debian "$1" "$newest_sources" "$2"
}

source_release() {
  a_program apt-get || return 1
  list_sources
  source_debian "$1" "$sources" "$2"
}

find_source() {
  for tool in $web_tools; do
    ! a_way "upstream by $tool" source_web "$1" "$tool" || return 0
  done
  a_way "upstream by git" source_git "$1" ||
    a_way "Debian's source of this release" source_release "$1" ||
    a_way "Debian's source of its newest release" source_newest "$1"
}

# Flags without which its files do not know this system.
flags_of() {
  case $1 in
    lua)
      case $system in
        Darwin) echo -DLUA_USE_MACOSX ;;
        *) echo -DLUA_USE_LINUX ;;
      esac ;;
    cmocka)
      for feature in SIGNAL_H STRSIGNAL STRINGS_H INTTYPES_H STRUCT_TIMESPEC \
        CLOCK_REALTIME SIGLONGJMP SNPRINTF VSNPRINTF \
        GCC_THREAD_LOCAL_STORAGE; do
        echo "-DHAVE_$feature"
      done ;;
  esac
}

# library NAME: build/NAME/libNAME.a of the files there
library() {
  folder=build/$1
  [ ! -f "$folder/lib$1.a" ] || return 0
  say "compiling $(cat "$folder/origin")"
  for file in "$folder"/*.c; do
    # shellcheck disable=SC2046  # flags
    "${CC:-cc}" -O2 -fPIC -w $(flags_of "$1") -I"$folder" -c \
      -o "${file%.c}.o" "$file" >&2 || return 1
  done
  ar rcs "$folder/lib$1.a.tmp" "$folder"/*.o &&
    mv "$folder/lib$1.a.tmp" "$folder/lib$1.a" && rm -f "$folder"/*.o
}

# get_source NAME WHY: build/NAME with its library; says why not
get_source() {
  if [ ! -f "build/$1/origin" ]; then
    say "getting the sources of $1 ($2, to build/$1)"
    tried='' fresh=build/$1.tmp
    if ! find_source "$1"; then
      rm -rf "$fresh"
      say "deps: $1 could not be had; tried were:$tried"
      return 1
    fi
    rm -rf "build/$1"
    mv "$fresh/kept" "build/$1"
    rm -rf "$fresh" "$sources" "$newest_sources"
  fi
  library "$1" ||
    { say "deps: the sources of $1 in build/$1 could not be compiled"; return 1; }
}

# ------------------------------------------------------------- what uses them

# without_brew: a Mac on which no packages are installed
without_brew() { [ "$system" = Darwin ] && ! have brew; }

# uses_source NAME: it is made from its sources here
uses_source() {
  [ "${DEPS_FROM:-}" != source ] || return 0
  without_brew || return 1
  case $1 in
    lua) [ -z "$(find_lua)" ] ;;
    cjson) ! pkg libcjson ;;
    *) ! pkg "$1" ;;
  esac
}

# get_sources: what was decided so
get_sources() {
  for part in "lua the console's language" "cjson JSON"; do
    ! uses_source "${part%% *}" ||
      get_source "${part%% *}" "${part#* }" ||
      { say "deps: the console cannot be built without ${part%% *}; install Homebrew (https://brew.sh), or run make again where these answer"; exit 1; }
  done
  [ "$for_what" = test ] && uses_source cmocka || return 0
  get_source cmocka "tests: C suites" ||
    say "deps: the C suites are skipped"
}

# config_of VARIABLE NAME PACKAGE: its lines for make
config_of() {
  if uses_source "$2"; then
    [ -f "build/$2/lib$2.a" ] || return 0
    echo "$1_CFLAGS := -isystem build/$2"
    echo "$1_LIBS := build/$2/lib$2.a"
  elif pkg "$3"; then
    echo "$1_CFLAGS := $(pkg-config --cflags "$3")"
    echo "$1_LIBS := $(pkg-config --libs "$3")"
  fi
}
