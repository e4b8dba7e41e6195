#!/bin/sh
# cycles.sh - read by scripts/deps: the kernels of Blender's renderer, which
# `make cycles` compiles. Blender carries their sources as files, since it
# compiles them on the user's machine; so upstream's sources have them, and
# Debian's package of Blender's data. Only the two folders of headers are kept,
# in build/cycles, and only if they are byte for byte ones that were tried.
# shellcheck disable=SC2034,SC2154  # web_tools and the like are fetch.sh's

cycles_commit=97dbe6f57cdf4ede2d2b75ebdda507c8712edb7a

# one sum over the names and the bytes of all files, and whose they are
known_cycles() {
  cat <<'end'
c270299567465edba65c8cfe7af0fa0ccaec833acf1acdd9710572f2dd0f1475 upstream's commit 97dbe6f5
b1c83b317319bf39790956f99e12d026e674e33d2f2cb21b7fc6dd6e4a19c6ce Debian's package of Blender 5.2.2
5962dc34b310dd8f46a471a9db0899c4f20b6c277731643003a830c2b3bb5ee6 Debian's package of Blender 3.4.1
end
}

# keep_cycles SOURCE FOLDER: the headers of SOURCE, if the table has them
keep_cycles() {
  for part in kernel util; do
    [ -d "$1/$part" ] || { echo "there is no folder $part in it"; return 1; }
    mv "$1/$part" "$2/$part"
  done
  find "$2/kernel" "$2/util" -type f ! -name '*.h' ! -name '*.metal' \
    -exec rm -f {} +
  found=$(files_sum "$2" kernel util)
  if ! known_cycles | grep -q "^$found "; then
    echo "its files are none that Mettle was tried with; not used"
    return 1
  fi
  known_cycles | sed -n "s/^$found //p" >"$2/origin"
}

# cycles_archive TOOL FOLDER
cycles_archive() {
  "by_$1" "https://github.com/blender/cycles/archive/$cycles_commit.tar.gz" \
    "$2/archive.tar.gz" && tar -xzf "$2/archive.tar.gz" -C "$2" &&
    keep_cycles "$2/cycles-$cycles_commit/src" "$2"
}

cycles_git() {
  git_commit "https://github.com/blender/cycles" "$cycles_commit" "$1/git" &&
    mkdir "$1/tree" || return 1
  git -C "$1/git" archive FETCH_HEAD src/kernel src/util |
    tar -x -C "$1/tree" && keep_cycles "$1/tree/src" "$1"
}

# unpack_blender FOLDER: the package that was downloaded there; the name of the
# folder of add-ons is not the same in every version.
unpack_blender() {
  mkdir "$1/deb" && unpack_deb "$1"/blender-data_*.deb "$1/deb" || return 1
  found=$(find "$1/deb" -path '*/cycles/source' -type d)
  [ -n "$found" ] || { echo "there is no folder cycles/source in it"; return 1; }
  keep_cycles "$found" "$1"
}

cycles_package() {
  a_program apt-get || return 1
  (cd "$1" && within 200 apt-get download -qq blender-data) || return 1
  unpack_blender "$1"
}

# The same package of Debian's newest release: from the mirror that the system
# uses, if it is one of Debian's.
newest=build/apt-newest
cycles_newest() {
  a_program apt-get || return 1
  own_lists "$newest" \
    's|^[[:space:]]*deb[[:space:]]\(.*/debian/*\)[[:space:]]\{1,\}[a-z]*[[:space:]].*|deb \1 sid main|p' \
    's/^Suites:.*/Suites: sid/'
  own_apt "$newest" "$1" -qq download blender-data || return 1
  unpack_blender "$1"
}

find_cycles() {
  for tool in $web_tools; do
    ! a_way "upstream by $tool" cycles_archive "$tool" || return 0
  done
  a_way "upstream by git" cycles_git ||
    a_way "Debian's package of this release" cycles_package ||
    a_way "Debian's package of its newest release" cycles_newest
}

get_cycles() {
  [ ! -f build/cycles/origin ] || return 0
  say "getting the sources of Cycles' kernels (Blender's renderer, to build/cycles)"
  tried='' fresh=build/cycles.tmp
  if ! find_cycles; then
    rm -rf build/cycles.tmp
    say "deps: the sources of Cycles could not be had; tried were:$tried"
    exit 1
  fi
  rm -rf build/cycles
  mkdir build/cycles
  mv build/cycles.tmp/kernel build/cycles.tmp/util build/cycles.tmp/origin \
    build/cycles
  rm -rf build/cycles.tmp "$newest"
}
