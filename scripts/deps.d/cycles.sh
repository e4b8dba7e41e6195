#!/bin/sh
# cycles.sh - read by scripts/deps: the kernels of Blender's renderer, which
# `make cycles` compiles. Blender carries their sources as files, since it
# compiles them on the user's machine; so upstream's sources have them, and
# Debian's package of Blender's data. Only the two folders of headers are kept,
# in build/cycles, and only if they are byte for byte ones that were tried.
# shellcheck disable=SC2034,SC2154  # web_tools and the like are fetch.sh's

cycles_commit=97dbe6f57cdf4ede2d2b75ebdda507c8712edb7a
cycles_deb=blender-data_5.2.2+dfsg-1_all.deb
cycles_in_deb=/usr/share/blender/scripts/addons_core/cycles/source

# one sum over the names and the bytes of all files, and whose they are
known_cycles() {
  cat <<'end'
c270299567465edba65c8cfe7af0fa0ccaec833acf1acdd9710572f2dd0f1475 upstream's commit 97dbe6f5
b1c83b317319bf39790956f99e12d026e674e33d2f2cb21b7fc6dd6e4a19c6ce Debian's package of Blender 5.2.2
end
}

cycles_sum() {
  (cd "$1" && find kernel util -type f | LC_ALL=C sort >files &&
    { cat files; tr '\n' '\0' <files | xargs -0 cat; } >all)
  sha256 "$1/all"
  rm -f "$1/all" "$1/files"
}

# keep_cycles SOURCE FOLDER: the headers of SOURCE, if the table has them
keep_cycles() {
  for part in kernel util; do
    [ -d "$1/$part" ] || { echo "there is no folder $part in it"; return 1; }
    mv "$1/$part" "$2/$part"
  done
  find "$2/kernel" "$2/util" -type f ! -name '*.h' ! -name '*.metal' \
    -exec rm -f {} +
  found=$(cycles_sum "$2")
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
  a_program git || return 1
  export GIT_TERMINAL_PROMPT=0
  git init -q "$1/git" && mkdir "$1/tree" || return 1
  within 90 git -C "$1/git" fetch -q --depth 1 \
    "https://github.com/blender/cycles" "$cycles_commit" ||
    return 1
  git -C "$1/git" archive FETCH_HEAD src/kernel src/util |
    tar -x -C "$1/tree" && keep_cycles "$1/tree/src" "$1"
}

# A .deb is an archive of ar, the files are in a tar of it.
unpack_deb() {
  if have dpkg-deb; then dpkg-deb -x "$1" "$2"; return; fi
  a_program ar || { echo "neither dpkg-deb nor ar is installed"; return 1; }
  ar p "$1" data.tar.xz | xz -d | tar -x -C "$2"
}

# cycles_debian TOOL FOLDER
cycles_debian() {
  "by_$1" "http://deb.debian.org/debian/pool/main/b/blender/$cycles_deb" \
    "$2/data.deb" && mkdir "$2/deb" && unpack_deb "$2/data.deb" "$2/deb" &&
    keep_cycles "$2/deb$cycles_in_deb" "$2"
}

find_cycles() {
  for tool in $web_tools; do
    ! a_way "upstream by $tool" cycles_archive "$tool" || return 0
  done
  ! a_way "upstream by git" cycles_git || return 0
  for tool in $web_tools; do
    ! a_way "Debian's $cycles_deb by $tool" cycles_debian "$tool" ||
      return 0
  done
  return 1
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
  rm -rf build/cycles.tmp
}
