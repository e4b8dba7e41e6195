#!/bin/bash
# `make bundle`, laid out and not packed: it runs in an empty root, with this
# machine's C library and with none, as another user, from a path with spaces,
# and after it was moved; and no file is loaded from outside it.
#
# Guards: scripts/bundle, packaging/, msl/clang/command.c: the folder of `make
# bundle` runs in an empty root as another user, from a path with spaces, after
# it was moved; nothing outside it is loaded; with an older C library, another's
# or none; the same files are packed into the same bytes
set -u
here=$(cd "$(dirname "$0")/../.." && pwd)
cd "$here" || exit 1
build=${build:-build} LIMIT=${LIMIT:-$here/$build/tests/limit}
skip_all() { echo "ok 1 - a bundle # SKIP $1"; echo "1..1"; exit 0; }
[ "$(uname -s)" = Linux ] || skip_all "bundles are for Linux"
[ "$build" = build ] || skip_all "bundles have no sanitizers"
[ -f build/host.so ] || skip_all "a bundle needs LLVM"

# beside the build, so that moving it is a rename
work=$here/$build/tests/bundle.$$; mkdir -p "$work"; trap 'rm -rf "$work"' EXIT
number=0
ok() {
  number=$((number + 1))
  if [ "$2" = 0 ]; then
    echo "ok $number - $1"
  else
    echo "not ok $number - $1"; tail -n 40 "$work/said" | sed 's/^/# /'
  fi
}
skip() { number=$((number + 1)); echo "ok $number - $1 # SKIP $2"; }

env -u MAKEFLAGS -u MAKELEVEL make --no-print-directory bundle-folder \
  BUNDLE="$work/laid" >"$work/said" 2>&1
ok "it is laid out" $?
[ -x "$work/laid/bin/mettle" ] || { echo "1..$number"; exit 1; }

# ------------------------------------------------------------- read, not run

glibc='^(ld-linux.*|libc|libm|libdl|libpthread|librt)\.so\.[0-9]+$'
find "$work/laid/bin" "$work/laid/lib" -type f ! -name '*.txt' \
  >"$work/files"
while IFS= read -r f; do
  readelf -dW "$f" | sed -n 's/.*(NEEDED).*\[\(.*\)\].*/\1/p' | grep -vE "$glibc" |
    while IFS= read -r name; do [ -f "$work/laid/lib/mettle/lib/$name" ] || echo "${f##*/}: $name"; done
done <"$work/files" >"$work/said"
[ ! -s "$work/said" ]; ok "what its files need is in it, or is the C library's" $?

while IFS= read -r f; do readelf -dW "$f" | grep -E '\((RPATH|RUNPATH)\)' | grep -vF '(RPATH)              Library rpath: [$ORIGIN/'; done <"$work/files" >"$work/said"
[ ! -s "$work/said" ]; ok "libraries are looked for in the bundle alone" $?

# (what is in that folder, since its own name may be a short one: /src)
printf '%s\n' "$here"/*/ | grep -rlaFf - "$work/laid" >"$work/said"; [ ! -s "$work/said" ]; ok "no file names the folder that it was built in" $?

# by the symbols, where scripts/bundle goes by the tables of versions
needs=$(grep -v '/lib/mettle/glibc/' "$work/files" |
  while IFS= read -r f; do nm -D "$f" 2>/dev/null; done |
  sed -n 's/.* [Uwv] .*@GLIBC_\([0-9.]*\)$/\1/p' | sort -uV | tail -1)
printf '%s\n' "Linux, $(uname -m)" "libmettle in other programs: glibc $needs or newer" | diff - "$work/laid/share/doc/mettle/needs.txt" >"$work/said"
echo "$needs" | diff - "$work/laid/lib/mettle/glibc.txt" >>"$work/said"
for f in liblua libLLVM libclang-cpp libopenblas libpng libjpeg libsixel \
  libc.so ld-linux; do
  grep -q "^$f.*: ..*" "$work/laid/share/doc/mettle/libraries.txt" || echo "$f" >>"$work/said"
done
[ ! -s "$work/said" ]; ok "it says what is in it and what it needs" $?

cat >"$work/sbom.lua" <<'LUA'
local file = assert(io.open(arg[1]))
local list = require "mettle.json".decode(file:read "a")
local ids, files = {}, 0
for _, p in ipairs(list.packages) do
  assert(not ids[p.SPDXID], p.SPDXID)
  ids[p.SPDXID] = true
  if p.packageFileName then
    files = files + 1
    assert(io.open(arg[2] .. "/" .. p.packageFileName), p.packageFileName)
    assert(#p.checksums[1].checksumValue == 64 and #p.sourceInfo > 0)
  end
end
for _, r in ipairs(list.relationships) do assert(ids[r.relatedSpdxElement], r.relatedSpdxElement) end
print(files)
LUA
"$work/laid/bin/mettle" "$work/sbom.lua" "$work/laid/share/doc/mettle/sbom.spdx.json" "$work/laid" >"$work/said" 2>&1
[ "$(cat "$work/said")" \
  = $(($(find "$work"/laid/lib/mettle/{lib,glibc} ! -type d | wc -l) + 1)) ]
ok "the list for programs has every library" $?

# -------------------------------------------------------------------- running

# run FOLDER [NAME=VALUE...]: the script, by the bundle in FOLDER
run() {
  local folder=$1; shift
  env -i HOME="$work/home" "$@" "$LIMIT" 120 "$folder/bin/mettle" \
    tests/bundle/try.lua >"$work/said" 2>&1 </dev/null &&
    grep -qx 'all of it' "$work/said"
}
mkdir -p "$work/home" "$work/a path with spaces"
mv "$work/laid" "$work/a path with spaces/mettle"
run "$work/a path with spaces/mettle" LD_BIND_NOW=1 LD_DEBUG=files LD_DEBUG_OUTPUT="$work/loaded"; ok "it runs from a path with spaces" $?
cat "$work"/loaded.* | sed -n 's/.*calling init: //p' | sort -u >"$work/inits"
# it loads beside the script, which may end first: this one waits for it
cat >"$work/stays.lua" <<'LUA'
local patience, number = os.time() + 120, 0
repeat
  number = number + 1
  gpu.kernel(("kernel void k(device int *x [[buffer(0)]]) { x[0] = %d; }"):format(number))
until os.execute("cat " .. arg[1] .. ".* | grep -q 'calling init: /proc/self/fd/0$'") or os.time() > patience
LUA
env -i HOME="$work/home" PATH="$PATH" LD_DEBUG=files \
  LD_DEBUG_OUTPUT="$work/stays" "$LIMIT" 180 \
  "$work/a path with spaces/mettle/bin/mettle" "$work/stays.lua" "$work/stays" >"$work/said" 2>&1 </dev/null
cat "$work"/stays.* | grep -q 'calling init: /proc/self/fd/0$'; ok "Clang stays loaded there, too" $?
grep -vE "^$work/a path with spaces/mettle/|^/proc/self/fd/0\$|/(ld-linux.*|libc|libm|libdl|libpthread|librt)\.so\.[0-9]+\$" "$work/inits" >"$work/said"
[ ! -s "$work/said" ]; ok "no library of this machine is loaded but the C library" $?
for f in libclang-cpp libLLVM liblua libopenblas libz3 host.so; do
  grep -q "/$f" "$work/inits" || echo "$f was not loaded" >>"$work/said"
done
[ ! -s "$work/said" ]; ok "and all of its own are" $?

# libraries that cannot be loaded, where a person's LD_LIBRARY_PATH leads
mkdir "$work/decoys"
(cd "$work/a path with spaces/mettle/lib/mettle/lib" && ls) | while IFS= read -r f; do echo decoy >"$work/decoys/$f"; done
run "$work/a path with spaces/mettle" LD_LIBRARY_PATH="$work/decoys"; ok "LD_LIBRARY_PATH does not lead it astray" $?

mv "$work/a path with spaces/mettle" "$work/moved"
run "$work/moved"; ok "it runs after it was moved, with the caches of before" $?
env -i HOME="$work/home" "$LIMIT" 60 "$work/moved/bin/mettle" doctor >"$work/said" 2>&1 &&
  grep -qF "$work/moved/lib/mettle/bin/clang: " "$work/said"; ok "the doctor names its own Clang" $?
grep -q '^--  window  *a bundle has none: ' "$work/said" && ! grep -q scripts/deps "$work/said"; ok "and says what a bundle has not" $?
mv "$work/moved/lib/mettle/blas.so" "$work/"
env -i HOME="$work/home" "$LIMIT" 60 "$work/moved/bin/mettle" doctor >"$work/said" 2>&1
grep -q 'to fix it: unpack or install the bundle again' "$work/said" && ! grep -q scripts/deps "$work/said"; ok "and what to do about a part that is missing" $?
mv "$work/blas.so" "$work/moved/lib/mettle/"
ln -s ../moved/bin/mettle "$work/home/mettle"
env -i HOME="$work/home" "$LIMIT" 60 "$work/home/mettle" doctor >"$work/said" 2>&1; ok "it runs by a link from elsewhere" $?

# libmettle of the bundle in a program of this machine, and notebooks
${CC:-cc} -I"$work/moved/include" -o "$work/saxpy" embed/example/saxpy.c "$work/moved/lib/libmettle.so.1" -Wl,-rpath,"$work/moved/lib" >"$work/said" 2>&1 &&
  env -i HOME="$work/home" "$LIMIT" 60 "$work/saxpy" >"$work/said" 2>&1
grep -q '^y\[999\] = 1999$' "$work/said"; ok "libmettle of a bundle in another program" $?
cat >"$work/connection.json" <<JSON
{"transport": "ipc", "ip": "$work/ipc", "key": "k", "signature_scheme": "hmac-sha256",
 "shell_port": 1, "iopub_port": 2, "stdin_port": 3, "control_port": 4, "hb_port": 5}
JSON
env -i HOME="$work/home" "$LIMIT" 3 "$work/moved/bin/mettle" jupyter --connection "$work/connection.json" >"$work/said" 2>&1
[ $? = 124 ]; ok "it is a notebook's kernel" $?

# ------------------------------------------------------------ in an empty root

# /proc, /dev/null, and this machine's C library, or none at all: the loader
# finds $ORIGIN by /proc
root=$work/root
mkdir -p "$root/proc" "$root/dev" "$root/home" "$root/opt"
touch "$root/dev/null"
ldd "$work"/moved/lib/mettle/lib/lib{lua,mettle}*.so* |
  grep -oE '/[^ ]*/(ld-linux|lib(c|m|dl|pthread|rt)\.so)[^ ]*' | sort -u | while IFS= read -r f; do
  mkdir -p "$root/${f%/*}"; cp -L "$f" "$root/$f"
done
cp tests/bundle/try.lua "$root/home/"
as=''
if [ "$(id -u)" = 0 ]; then space="unshare -m" as=--userspec=65534:65534; \
  chown 65534 "$root/home"
else space="unshare -r -m"; fi
enter() { # COMMAND...
  # shellcheck disable=SC2086  # a command and its options
  env -i HOME=/home PATH="$PATH" ROOT="$root" AS="$as" $space sh \
    tests/bundle/enter "$@" >"$work/said" 2>&1 </dev/null
}
mv "$work/moved" "$root/opt/mettle"
if $space sh -c "mount --rbind /proc '$root/proc'" 2>/dev/null; then
  chmod -R a-w "$root/opt/mettle"
  enter /opt/mettle/bin/mettle /home/try.lua && grep -qx 'all of it' "$work/said"; ok "it runs in an empty root, read-only, as another user" $?
  enter /opt/mettle/bin/mettle doctor && grep -q 'Kernels run here' "$work/said"; ok "the doctor is content there" $?
  ! enter /bin/sh -c true; ok "where there is not even a shell" $?
  mv "$root/lib64" "$work/lib64"; mv "$root/lib" "$work/lib" 2>/dev/null
  ! enter /opt/mettle/lib/mettle/program/mettle --version; ok "without a C library no other program runs" $?
  enter /opt/mettle/bin/mettle /home/try.lua && grep -qx 'all of it' "$work/said"; ok "and the bundle runs by its own" $?
  # another C library's loader in that place, and an old glibc's: the name of
  # the version is gone
  mkdir "$root/lib64"; loader=ld-linux-x86-64.so.2
  for is in "another's" "an older one's"; do
    if [ "$is" = "another's" ]; then cp "$here/build/bundle/launch-clang" "$root/lib64/$loader"
    else sed 's/GLIBC_2\.35/GLIBC_2.xx/g' "$work/lib64/$loader" >"$root/lib64/$loader"; chmod +x "$root/lib64/$loader"; fi
    enter /opt/mettle/bin/mettle /home/try.lua && grep -qx 'all of it' "$work/said"; ok "and where the loader is $is" $?
  done
  rm -r "${root:?}/lib64"
  mv "$work/lib64" "$root/"; [ ! -d "$work/lib" ] || mv "$work/lib" "$root/"
  enter /opt/mettle/bin/mettle -e 'print(io.open("/proc/self/maps"):read "a":find("/mettle/glibc/", 1, true) and "its own" or "this system")' && grep -qx 'this system' "$work/said"; ok "which is not used where it need not be" $?
  chmod -R u+w "$root/opt/mettle"
  # the same by what the files need: as new as this machine's, newer, not known
  needs=$root/opt/mettle/lib/mettle/glibc.txt; cp "$needs" "$work/needs"
  whose='print(io.open("/proc/self/maps"):read "a":find("/mettle/glibc/", 1, true) and "its own" or "this system")'
  here_minor=$(getconf GNU_LIBC_VERSION | sed 's/.*2\.\([0-9]*\).*/\1/')
  for case in "this system|as new|2.$here_minor" "its own|newer|2.$((here_minor + 1))" "its own|much newer|2.999" "its own|unknown|"; do
    IFS='|' read -r wanted what version <<<"$case"
    echo "$version" >"$needs"
    enter /opt/mettle/bin/mettle -e "$whose" && grep -qx "$wanted" "$work/said"; ok "$wanted is used where the files need one as: $what" $?
  done
  rm "$needs"; enter /opt/mettle/bin/mettle -e "$whose" && grep -qx "its own" "$work/said"; ok "and its own where no file says it" $?
  cp "$work/needs" "$needs"
else
  skip "it runs in an empty root" "this user may not have a root of their own"
fi

# ------------------------------------------------------- older C libraries

# What packaging/older_glibc.c adds, beside what this C library has
lib=$root/opt/mettle/lib/mettle/lib
cat >"$work/older.c" <<'C'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
static int number, bad;
static void say(const char *what, int good) { printf("%s %s\n", good ? "good" : "bad", what); bad += !good; number++; }
static void *own(void *lib, const char *name) {
  void *f = dlsym(lib, name);
  if (f == NULL || f == dlsym(RTLD_DEFAULT, name)) say(name, 0);
  return f;
}
int main(int argc, char **argv) {
  struct stat a, b;
  void *lib = dlopen(argv[argc - 1], RTLD_NOW | RTLD_LOCAL);
  if (lib == NULL) return puts(dlerror()), 1;
  int (*st)(const char *, struct stat *) = own(lib, "stat"), (*lst)(const char *, struct stat *) = own(lib, "lstat");
  int (*fst)(int, struct stat *) = own(lib, "fstat"), (*at)(int, const char *, struct stat *, int) = own(lib, "fstatat");
  say("stat", st("link", &a) == 0 && stat("link", &b) == 0 && a.st_ino == b.st_ino && a.st_size == b.st_size && a.st_mtime == b.st_mtime);
  say("lstat", lst("link", &a) == 0 && lstat("link", &b) == 0 && a.st_ino == b.st_ino && S_ISLNK(a.st_mode));
  int fd = open("file", O_RDONLY);
  say("fstat", fst(fd, &a) == 0 && fstat(fd, &b) == 0 && a.st_ino == b.st_ino && a.st_mode == b.st_mode);
  say("fstatat", at(AT_FDCWD, "file", &a, 0) == 0 && a.st_ino == b.st_ino);
  errno = 0;
  say("stat of nothing", st("none", &a) == -1 && errno == ENOENT);
  int (*node)(const char *, mode_t, dev_t) = own(lib, "mknod");
  say("mknod", node("pipe", S_IFIFO | 0600, 0) == 0 && stat("pipe", &b) == 0 && S_ISFIFO(b.st_mode));
  uint32_t (*random)(void) = own(lib, "arc4random");
  uint32_t x = random(), y = random(), z = random();
  say("arc4random", x != y || y != z);
#if __GLIBC_PREREQ(2, 35)
  struct dl_find_object f, g;
  int (*find)(void *, struct dl_find_object *) = own(lib, "_dl_find_object");
  say("_dl_find_object", find(&dlsym, &f) == 0 && _dl_find_object(&dlsym, &g) == 0 && f.dlfo_eh_frame == g.dlfo_eh_frame &&
      (char *)f.dlfo_map_start <= (char *)&dlsym && (char *)f.dlfo_map_end > (char *)&dlsym);
  say("_dl_find_object of nothing", find(&f, &f) == -1);
#endif
  return bad > 0 || number < 7;
}
C
(cd "$work" && echo file >file && ln -s file link &&
  ${CC:-cc} -w -o older older.c -ldl && ./older "$lib/libmettle-glibc.so") >"$work/said" 2>&1
ok "what an older C library lacks" $?

# lower: the versions of what is known go, others stay; the program runs as
# before
cat >"$work/new.c" <<'C'
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/stat.h>
static int begun;
static __attribute__((constructor)) void begin(void) { begun++; }
static void *turn(void *p) { return p; }
int main(void) {
  struct stat s;
  pthread_t t;
  void *got = NULL;
  if (pthread_create(&t, NULL, turn, &s) == 0) pthread_join(t, &got);
  return begun == 1 && got == &s && stat("file", &s) == 0 && dlsym(RTLD_DEFAULT, "puts") ? 7 : 1;
}
C
(cd "$work" &&
  ${CC:-cc} -o new new.c -pthread -ldl -lc -Wl,--no-as-needed \
  "$lib/libmettle-glibc.so" -Wl,-rpath,"$lib" && "$here/build/bundle/lower" new && ./new) >"$work/said" 2>&1
[ $? = 7 ]; ok "a program whose versions were lowered runs" $?
readelf -VW "$work/new" | grep -E 'GLIBC_2\.3[2-9]' >"$work/said"; [ ! -s "$work/said" ]; ok "and needs no C library after 2.31" $?
nm -D "$work/new" >"$work/said"; grep -q 'mettle_start_main' "$work/said" && ! grep -q '__libc_start_main@GLIBC_2.34' "$work/said"; ok "and begins by way of Mettle's own" $?
echo text >"$work/text"
! "$here/build/bundle/lower" "$work/text" >"$work/said" 2>&1 && grep -q 'is no ELF file' "$work/said"; ok "what is no program is refused" $?

# ------------------------------------------------------------------- the stubs

# Clang's analyser would call the solver: a sentence, and no crash without one
cat >"$work/call.c" <<'C'
#include <dlfcn.h>
#include <stdio.h>
int main(int argc, char **argv) {
  void *l = argc > 2 ? dlopen(argv[1], RTLD_NOW) : NULL;
  void (*f)(void) = l ? (void (*)(void))dlsym(l, argv[2]) : NULL;
  if (f) f();
  return 3;
}
C
${CC:-cc} -o "$work/call" "$work/call.c" -ldl
LD_LIBRARY_PATH=$lib bash -c '"$@"; exit $?' call "$work/call" \
  "$(echo "$lib"/libz3.so*)" Z3_mk_config >"$work/said" 2>&1
[ $? = 134 ] && grep -q 'libz3.* is not part of this bundle.*Z3_mk_config' "$work/said"; ok "a call of what was left out is named" $?

# ------------------------------------------------------------------- packing

# twice, with other times, owners' rights and orders: the same bytes
for n in 1 2; do
  mkdir -p "$work/pack$n/small/bin"
  echo program >"$work/pack$n/small/bin/mettle"
done
echo data >"$work/pack1/small/a"; echo more >"$work/pack1/small/b"
echo more >"$work/pack2/small/b"; echo data >"$work/pack2/small/a"
touch -d 2001-01-01 "$work"/pack?/small/a
touch -d 2031-01-01 "$work/pack2/small/b"; chmod 600 "$work/pack2/small/b"
for kind in zst xz; do
  tool=zstd; [ $kind = zst ] || tool=xz
  command -v $tool >/dev/null || { skip "$kind: the same files give the same bytes" "$tool is not installed"; continue; }
  for n in 1 2; do
    LEVEL=3 SOURCE_DATE_EPOCH=1700000000 scripts/bundle pack "$work/pack$n/small" "$work/pack$n/s.tar.$kind"
  done >"$work/said" 2>&1
  cmp "$work/pack1/s.tar.$kind" "$work/pack2/s.tar.$kind" >>"$work/said" 2>&1; ok "$kind: the same files give the same bytes" $?
  (cd "$work/pack1" && sha256sum -c "s.tar.$kind.sha256" &&
    mkdir "from-$kind" && tar -C "from-$kind" -xf "s.tar.$kind" &&
    cmp small/b "from-$kind/small/b") >"$work/said" 2>&1
  ok "$kind: unpacked, with its checksum" $?
done
! scripts/bundle pack "$work/none" "$work/none.tar.xz" >"$work/said" 2>&1 && [ ! -e "$work/none.tar.xz" ]; ok "what is not there makes no archive" $?

# ---------------------------------------------------------------- installing

made() {
  env -u MAKEFLAGS -u MAKELEVEL make --no-print-directory \
    "$1" DESTDIR="$work/dest" PREFIX=/usr >"$work/said" 2>&1
}
made install && env -i HOME="$work/home" "$work/dest/usr/bin/mettle" tests/bundle/try.lua >"$work/said" 2>&1; ok "make install: it runs where DESTDIR is" $?
made uninstall && find "$work/dest" -type f >"$work/said" && [ ! -s "$work/said" ]; ok "make uninstall leaves nothing" $?
echo "1..$number"
