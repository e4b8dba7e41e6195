#!/bin/bash
# scripts/deps on a Mac that is played: uname, brew, xcrun and the others are
# small scripts in a folder that is the whole PATH, beside the tools that every
# system has. Homebrew's layout is that of Apple silicon or of Intel; what it
# "installs" appears in its folders, as packages do.
#
# Guards: scripts/deps on a Mac that is played: Homebrew on Apple silicon and
# Intel, Apple's clang beside a keg-only LLVM, no bottle, LLVM=none, an upgrade,
# brew outside PATH, no Homebrew (Lua, cJSON and cmocka by their sources), no
# Command Line Tools, macOS 12
set -u
here=$(cd "$(dirname "$0")/../.." && pwd)
if ! command -v pkg-config >/dev/null; then # Homebrew's is played by this one
  echo "ok 1 - scripts/deps on a Mac # SKIP there is no pkg-config"
  echo "1..1"; exit 0
fi
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
number=0
# with what the devices add
scripts_to() {
  cp -R "$here/scripts" "$1"
  (cd "$here" && find devices -name deps.sh -exec tar -c {} +) | tar -x -C "$1"
}
ok() {
  number=$((number + 1))
  if [ "$2" = 0 ]; then echo "ok $number - $1"
  else
    echo "not ok $number - $1"
    sed 's/^/# out: /' "$work/out"
    sed 's/^/# /' "$mac/build/config.mk" 2>/dev/null
    sed 's/^/# brew: /' "$mac/brewed" 2>/dev/null
  fi
}
has() { grep -qF -- "$2" "$1"; }

# tool NAME: a script of that name in the Mac's PATH, its text on standard input
tool() {
  rm -f "$mac/bin/$1" # (it may be a link to this machine's own)
  { echo "#!/bin/sh"; cat; } >"$mac/bin/$1"; chmod +x "$mac/bin/$1"
}

# keg FORMULA VERSION: LLVM as Homebrew lays it out, outside PATH: a folder with
# the version in its name, by which llvm-config answers, and a link to it that
# stays through upgrades
keg() {
  local keg=$prefix/Cellar/$1/$2
  rm -rf "$prefix/Cellar/$1"
  mkdir -p "$prefix/opt" "$keg/lib"
  rm -f "$prefix/opt/$1"; ln -s "../Cellar/$1/$2" "$prefix/opt/$1"
  mkdir -p "$keg/bin" "$keg/include/llvm-c"; touch "$keg/include/llvm-c/Core.h"
  cat >"$keg/bin/llvm-config" <<EOF
#!/bin/sh
case \$1 in
  --version) echo $2 ;;
  --bindir) echo $keg/bin ;;
  --includedir) echo $keg/include ;;
  --libdir) echo $keg/lib ;;
  --ldflags) echo -L$keg/lib -Wl,-search_paths_first ;;
  --libs) echo -lLLVM-${2%%.*} ;;
esac
EOF
  printf '#!/bin/sh\necho "Homebrew clang version %s"\n' "$2" >"$keg/bin/clang"
  cp "$keg/bin/clang" "$keg/bin/clang++"
  chmod +x "$keg"/bin/*
}

# a_mac ARCHITECTURE PREFIX: a fresh one, with Command Line Tools and Homebrew
a_mac() {
  mac=$work/mac prefix=$work/mac$2
  rm -rf "$mac"; mkdir -p "$mac/bin" "$prefix/opt" "$mac/build/linenoise" "$mac/build/metal-cpp/Metal"
  touch "$mac"/build/linenoise/linenoise.{c,h} "$mac/build/metal-cpp/Metal/Metal.hpp"
  local t
  for t in sh cat cut grep sed tr mkdir rm mv cp cmp touch ls id env dirname \
    basename find head ln; do
    ln -s "$(command -v "$t")" "$mac/bin/$t"
  done
  tool uname <<<"case \${1:-} in -m) echo $1 ;; *) echo Darwin ;; esac"
  tool sw_vers <<<'echo 15.5'
  tool xcode-select <<<'echo /Library/Developer/CommandLineTools'
  tool xcrun <<<'[ "$1" = --find ] && echo "/Library/Developer/CommandLineTools/usr/bin/$2"'
  tool clang <<<'echo "Apple clang version 17.0.0 (clang-1700.0.13.3)"'
  cp "$mac/bin/clang" "$mac/bin/clang++"; cp "$mac/bin/clang" "$mac/bin/cc"
  # Homebrew's own pkg-config looks into its prefix and PKG_CONFIG_PATH
  tool pkg-config <<<"PKG_CONFIG_LIBDIR=$prefix/lib/pkgconfig exec $(command -v pkg-config) \"\$@\""
  tool brew <<EOF
# describe FORMULA NAME VERSION FOLDER-OF-HEADERS LIBRARY [keg-only]: its file for pkg-config
describe() {
  keg=$prefix/opt/\$1
  mkdir -p \$keg/lib/pkgconfig $prefix/lib/pkgconfig
  printf '%s\n' "Name: \$2" "Description: \$1" "Version: \$3" "Cflags: -I\$keg/include\$4" "Libs: -L\$keg/lib \$5" >\$keg/lib/pkgconfig/\$2.pc
  [ "\${6:-}" = keg-only ] || ln -sf \$keg/lib/pkgconfig/\$2.pc $prefix/lib/pkgconfig/
}
case \$1 in
  --prefix) echo $prefix ;;
  install) shift; echo "\$@" >>$mac/brewed
    # on a terminal it asks first; no one is there to answer
    [ -n "\${HOMEBREW_NO_ASK:-}" ] || { echo "==> Do you want to proceed with the installation? [y/n]"; exit 1; }
    [ ! -e $mac/no-bottle ] || echo "\$@" >>$mac/compiled
    for p in "\$@"; do case \$p in
      --force-bottle) [ ! -e $mac/no-bottle ] || { echo "Error: no bottle available" >&2; exit 1; } ;;
      llvm*) ln -s ../Cellar/llvm/22.1.0 $prefix/opt/llvm ;; # @22 is another name of it
      lua@5.4) describe lua@5.4 lua5.4 5.4.8 "" -llua5.4 keg-only ;;
      cjson) describe cjson libcjson 1.7.19 /cjson -lcjson ;;
      cmocka) describe cmocka cmocka 2.0.1 "" -lcmocka ;;
      libpng) describe libpng libpng 1.6.50 /libpng16 -lpng16 ;;
      jpeg-turbo) describe jpeg-turbo libjpeg 3.1.2 "" -ljpeg \$(cat $mac/jpeg-turbo 2>/dev/null) ;;
      giflib) mkdir -p $prefix/include; touch $prefix/include/gif_lib.h ;; # no description for pkg-config
      libsixel) [ ! -e $mac/no-sixel ] || { echo "Error: no libsixel" >&2; exit 1; }; describe libsixel libsixel 1.10.5 "" -lsixel ;;
      sdl2) [ ! -e $mac/no-sdl2 ] || { echo "Error: no sdl2" >&2; exit 1; }; describe sdl2 \$(cat $mac/sdl2 2>/dev/null || echo sdl2) 2.32.8 /SDL2 -lSDL2 ;;
      libsodium) describe libsodium libsodium 1.0.20 "" -lsodium ;;
      zeromq) describe zeromq libzmq 4.3.5 "" -lzmq ;;
    esac; done ;;
esac
EOF
  # what brew would put there
  keg llvm 22.1.0
  rm "$prefix/opt/llvm"
}

# deps [NAME=VALUE…] [WHAT]: runs it there; its status is left in $status
deps() {
  (cd "$mac" && env -i HOME="$mac" PATH="$mac/bin" "$@") >"$work/out" 2>&1
  status=$?
}
config=$work/mac/build/config.mk

for machine in "arm64 /opt/homebrew" "x86_64 /usr/local"; do
  # shellcheck disable=SC2086  # two words
  a_mac $machine
  deps "$here/scripts/deps"
  [ "$status" = 0 ] && has "$mac/brewed" lua@5.4 && has "$mac/brewed" cjson; ok "$machine: what is missing is installed by Homebrew" $?
  has "$mac/brewed" "--force-bottle llvm"; ok "$machine: LLVM only as a bottle" $?
  has "$work/out" "installing: llvm"; ok "$machine: and it says so" $?
  has "$config" "-DMT_CLANG='\"$prefix/opt/llvm/bin/clang\"'"; ok "$machine: Clang is Homebrew's, not Apple's" $?
  has "$config" "LLVM_LIBS := -L$prefix/opt/llvm/lib -Wl,-search_paths_first -lLLVM-22"; ok "$machine: LLVM's library" $?
  has "$config" "CLANGXX := /Library/Developer/CommandLineTools/usr/bin/clang++"; ok "$machine: C++ is Apple's" $?
  has "$config" "-framework Accelerate"; ok "$machine: Accelerate" $?
  for part in "PNG libpng /libpng16 -lpng16" "JPEG jpeg-turbo / -ljpeg" "SIXEL libsixel / -lsixel"; do
    IFS=' ' read -r name formula headers library <<<"$part"
    grep '^PICTURES_CFLAGS' "$config" | grep -qF -- "-DMT_$name -I$prefix/opt/$formula/include${headers%/}" &&
      grep '^PICTURES_LIBS' "$config" | grep -qF -- "-L$prefix/opt/$formula/lib $library"; ok "$machine: $formula" $?
  done
  has "$config" "-DMT_GIF -I$prefix/include" && has "$config" "-L$prefix/lib -lgif"; ok "$machine: giflib, which pkg-config does not know" $?
  has "$config" "SDL_CFLAGS := -I$prefix/opt/sdl2/include/SDL2" && has "$config" "SDL_LIBS := -L$prefix/opt/sdl2/lib -lSDL2" &&
    has "$work/out" "installing: sdl2 (windows)"; ok "$machine: SDL" $?
  has "$config" "ZMQ_LIBS := " && has "$config" "-L$prefix/opt/zeromq/lib -lzmq" && has "$config" "-lsodium" &&
    has "$work/out" "installing: zeromq (notebooks)"; ok "$machine: ZeroMQ and libsodium" $?
  # brew upgrade llvm: the folder with the old version is gone
  cp -R "$prefix/Cellar" "$work/cellar"
  keg llvm 22.2.0
  grep '^LLVM_' "$config" | grep -o '/[^ "]*' | sed "s|.*$mac|$mac|" |
    while IFS= read -r path; do
      [ -e "$path" ] || echo "$path is gone"
    done >"$work/out"
  [ ! -s "$work/out" ] && [ "$(grep '^LLVM_' "$config" | grep -c "$prefix/opt/llvm/")" = 2 ]; ok "$machine: after an upgrade all of LLVM is where it was" $?
  rm -rf "$prefix/Cellar"; mv "$work/cellar" "$prefix/Cellar"
  rm "$prefix/opt/llvm"; ln -s ../Cellar/llvm/22.1.0 "$prefix/opt/llvm"
  : >"$mac/brewed"
  deps "$here/scripts/deps"
  [ "$status" = 0 ] && [ ! -s "$mac/brewed" ]; ok "$machine: a second run installs nothing" $?
  deps "$here/scripts/deps" test
  [ "$status" = 0 ] && has "$mac/brewed" cmocka; ok "$machine: what the tests need" $?
done

a_mac x86_64 /usr/local
echo keg-only >"$mac/jpeg-turbo"; echo sdl2-compat >"$mac/sdl2"
deps "$here/scripts/deps"
has "$config" "-L$prefix/opt/jpeg-turbo/lib -ljpeg"; ok "jpeg-turbo that is not linked into the prefix" $?
has "$config" "SDL_LIBS := -L$prefix/opt/sdl2/lib -lSDL2"; ok "SDL 2 over SDL 3, which has another name" $?
: >"$mac/brewed"
deps "$here/scripts/deps"
[ "$status" = 0 ] && [ ! -s "$mac/brewed" ]; ok "neither is asked for again" $?
tool pkg-config <<<"PKG_CONFIG_LIBDIR=/nowhere exec $(command -v pkg-config) \"\$@\""
deps "$here/scripts/deps"
[ "$status" = 0 ] && [ ! -s "$mac/brewed" ] && has "$config" "-lsixel"; ok "a pkg-config that is not Homebrew's finds its libraries" $?

a_mac arm64 /opt/homebrew
deps LLVM=none "$here/scripts/deps"
[ "$status" = 0 ] && ! has "$mac/brewed" llvm && ! has "$config" LLVM_LIBS; ok "LLVM=none: without it" $?
deps "$here/scripts/deps"
[ "$status" = 0 ] && has "$mac/brewed" llvm && has "$config" LLVM_LIBS; ok "which is not remembered: make run adds it" $?

a_mac arm64 /opt/homebrew
touch "$mac/no-bottle"
deps "$here/scripts/deps"
[ "$status" = 0 ] && has "$work/out" "a ready-made llvm, its own lines above say why; going on without" && ! has "$config" LLVM_LIBS; ok "no bottle for this macOS: without it, in one sentence" $?
! grep -vE '^--force-bottle|^ *(pkgconf|lua@5.4|cjson| )*$' "$mac/compiled" >"$work/compiled"; ok "and nothing large is compiled" $?
has "$work/out" "LLVM=none SDL=none PICTURES=none JUPYTER=none" && ! has "$config" PICTURES_ && ! has "$config" SDL_; ok "and it says how to be asked for none of it" $?
: >"$mac/brewed"
deps "$here/scripts/deps"
[ "$status" = 0 ] && [ ! -s "$mac/brewed" ]; ok "and it is not asked for again" $?
rm "$mac/no-bottle"
deps LLVM=22 "$here/scripts/deps"
has "$mac/brewed" "llvm@22" && has "$config" "opt/llvm/bin/clang"; ok "unless it is asked for by number" $?

a_mac arm64 /opt/homebrew
touch "$mac/no-sixel"
deps "$here/scripts/deps"
[ "$status" = 0 ] && has "$work/out" "going on without" && has "$config" "-DMT_PNG" && ! has "$config" MT_SIXEL; ok "no libsixel: without it, in one sentence" $?
: >"$mac/brewed"
deps "$here/scripts/deps"
[ "$status" = 0 ] && [ ! -s "$mac/brewed" ]; ok "and it is not asked for again, either" $?
a_mac arm64 /opt/homebrew
touch "$mac/no-sdl2"
deps "$here/scripts/deps"
[ "$status" = 0 ] && has "$work/out" "a ready-made sdl2, its own lines above say why; going on without windows (later: brew install sdl2" && has "$config" MT_SIXEL && ! has "$config" SDL_
ok "no SDL: without windows, in one sentence" $?
a_mac arm64 /opt/homebrew
deps PICTURES=none SDL=none JUPYTER=none "$here/scripts/deps"
[ "$status" = 0 ] && ! has "$mac/brewed" libpng && ! has "$mac/brewed" sdl2 &&
  ! has "$mac/brewed" zeromq && ! has "$config" PICTURES_ &&
  ! has "$config" SDL_ && ! has "$config" ZMQ_
ok "PICTURES=none SDL=none JUPYTER=none: without them" $?

a_mac arm64 /opt/homebrew
keg llvm@20 20.1.8; keg llvm 18.1.0
deps "$here/scripts/deps"
has "$config" "$prefix/opt/llvm@20/bin/clang" && ! has "$mac/brewed" llvm; ok "an older keg that will do is taken before one that is too old" $?

# Homebrew where it always is, but its folder is not in PATH
for machine in "arm64 /opt/homebrew" "x86_64 /usr/local"; do
  # shellcheck disable=SC2086  # two words
  a_mac $machine
  mkdir -p "$prefix/bin"; mv "$mac/bin/brew" "$prefix/bin/brew"
  scripts_to "$mac"
  sed -i.bak "s|/opt/homebrew/bin /usr/local/bin|$mac/opt/homebrew/bin $mac/usr/local/bin|" "$mac/scripts/deps"
  deps "$mac/scripts/deps"
  [ "$status" = 0 ] && has "$mac/brewed" lua@5.4 && has "$config" "$prefix/opt/llvm/bin/clang"; ok "$machine: Homebrew that is not in PATH" $?
done

# Without Homebrew, and so without pkg-config: Apple's tools alone. Lua, cJSON
# and cmocka are played by a file each, with their sums in a copy of the
# scripts.
a_bare_mac() {
  a_mac arm64 /opt/homebrew
  rm "$mac/bin/brew" "$mac/bin/pkg-config"
  local t name at
  for t in tar gzip sort xargs ar tail perl shasum; do
    ! command -v "$t" >/dev/null || ln -sf "$(command -v "$t")" "$mac/bin/$t"
  done
  tool cc <<<'while [ $# -gt 1 ]; do [ "$1" != -o ] || out=$2; shift; done; echo "$1" >>compiled; echo "$1" >"$out"'
  scripts_to "$mac"
  for name in lua:src/lapi.c cjson:cJSON.c cmocka:src/cmocka.c; do
    at=$mac/web/${name%%:*}-1/${name#*:} name=${name%%:*}
    mkdir -p "${at%/*}"; echo "$name" >"$at"
    echo aside >"$mac/web/$name-1/other.c"
    tar -C "$mac/web" -czf "$mac/web/$name.tar.gz" "$name-1"
    sum=$(printf './%s\n%s\n' "${at##*/}" "$name" | shasum -a 256)
    sum=${sum%% *}
    sed -i.bak "1,/^$name [0-9a-f]\{64\}/s/^$name [0-9a-f]\{64\}/$name $sum/" "$mac/scripts/deps.d/sources.sh"
  done
  tool curl <<EOF
while [ \$# -gt 1 ]; do [ "\$1" != -o ] || out=\$2; shift; done
echo "\$1" >>$mac/asked
case \$1 in *lua-5*) n=lua ;; *cJSON*) n=cjson ;; *cmocka*) n=cmocka ;; esac
[ -f $mac/web/\$n.tar.gz ] || { echo "curl: (6) Could not resolve host" >&2; exit 6; }
cp $mac/web/\$n.tar.gz "\$out"
EOF
}

a_bare_mac
deps "$mac/scripts/deps"
[ "$status" = 0 ] && has "$config" "LUA_CFLAGS := -isystem build/lua" && has "$config" "LUA_LIBS := build/lua/liblua.a" &&
  has "$config" "CJSON_LIBS := build/cjson/libcjson.a" && [ -s "$mac/build/lua/liblua.a" ] && [ -s "$mac/build/cjson/libcjson.a" ]
ok "no Homebrew: Lua and cJSON are compiled from their sources" $?
[ "$(tr '\n' ' ' <"$mac/compiled")" = "build/lua/lapi.c build/cjson/cJSON.c " ] && [ -z "$(find "$mac/build" -name '*.tmp')" ]
ok "from these, and nothing else is left" $?
! has "$config" LLVM_LIBS && has "$config" "-framework Accelerate" &&
  [ "$(grep -c 'brew install llvm .* adds the host device, check and profile' "$work/out")" = 1 ]; ok "without LLVM, and one sentence says what it adds" $?
: >"$mac/asked"; : >"$mac/compiled"
deps "$mac/scripts/deps"
[ "$status" = 0 ] && [ ! -s "$mac/asked" ] && [ ! -s "$mac/compiled" ] && [ ! -s "$work/out" ]; ok "a second run asks for nothing and says nothing" $?
deps "$mac/scripts/deps" test
[ "$status" = 0 ] && has "$config" "CMOCKA_LIBS := build/cmocka/libcmocka.a" && has "$work/out" "without Homebrew there is no cmark-gfm shellcheck tmux; the suites that need them are skipped"
ok "for the tests cmocka too; what else they lack is said" $?
rm "$mac/web/cmocka.tar.gz"; rm -rf "$mac/build/cmocka"
deps "$mac/scripts/deps" test
[ "$status" = 0 ] && has "$work/out" "the C suites are skipped" && ! has "$config" CMOCKA; ok "without cmocka: without the C suites" $?
deps "$mac/scripts/deps" site
[ "$status" = 1 ] && has "$work/out" "Homebrew is needed"; ok "a goal that needs more says so" $?

a_bare_mac
echo more >>"$mac/web/lua-1/src/lapi.c"; tar -C "$mac/web" -czf "$mac/web/lua.tar.gz" lua-1
deps "$mac/scripts/deps"
[ "$status" = 1 ] && has "$work/out" "by curl: its files are none that Mettle was tried with" && [ ! -e "$mac/build/lua" ] &&
  has "$work/out" "by git: not installed" && has "$work/out" "without lua; install Homebrew"
ok "sources with another sum are not used, and it says what each way said" $?
tool git <<<'case "$1 $3" in init*) mkdir -p "$3" ;; *checkout) echo lua >"$2/lapi.c"; echo no >"$2/ltests.c" ;; esac'
deps "$mac/scripts/deps"
[ "$status" = 0 ] && has "$config" "build/lua/liblua.a"; ok "by git they come where the archive does not" $?
a_bare_mac
tool cc <<<'echo "error: no such thing" >&2; exit 1'
deps "$mac/scripts/deps"
[ "$status" = 1 ] && has "$work/out" "could not be compiled"; ok "a compiler that fails is said" $?

a_mac arm64 /opt/homebrew
tool xcode-select <<<'echo "xcode-select: error: unable to get active developer directory" >&2; exit 2'
deps "$here/scripts/deps"
[ "$status" = 1 ] && has "$work/out" "xcode-select --install"; ok "no Command Line Tools: said how to get them" $?

a_mac x86_64 /usr/local
tool sw_vers <<<'echo 12.7.6'
deps "$here/scripts/deps"
[ "$status" = 1 ] && has "$work/out" "macOS 13 or newer"
ok "macOS 12 is too old" $?

oldest=$(sed -n 's/^#define MT_MACOS_OLDEST //p' "$here/base/macos.h")
[ "$oldest" = 13 ] && has "$here/scripts/deps" "needs macOS $oldest or newer" && has "$here/docs/on-a-mac.md" "macOS $oldest or newer" &&
  has "$here/tests/macos/build" "macos.$oldest.0" && ! grep -E 'macos\.[0-9]+' "$here/tests/macos/build" | grep -qv "macos.$oldest.0"
ok "the doctor, the script, the manual and the build for macOS agree on which one is needed" $?

# Without LLVM there is no host device, so no GPU for the stand-in, and perhaps
# no clang++ to build it.
plan=$(cd "$here" &&
  "${MAKE:-make}" -n tests LLVM_LIBS= METAL_CPP=yes CLANGXX=no-such-compiler \
  B=build/none SYSTEM=Linux 2>/dev/null)
[ -n "$plan" ] && ! grep -q no-such-compiler <<<"$plan"
ok "a build without LLVM has no stand-in to build" $?
grep -oE 'tests/c/[a-z0-9_/]+\.c' <<<"$plan" | sort -u | while IFS= read -r suite; do
  (cd "$here" && "${CC:-cc}" -M -MG -I. "$suite") | grep -q llvm-c &&
    echo "$suite needs LLVM"
done >"$work/out"
[ ! -s "$work/out" ] && grep -q tests/c/base/test_base.c <<<"$plan"; ok "nor a suite that needs its headers" $?

echo "1..$number"
