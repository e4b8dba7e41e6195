#!/bin/bash
# make format changes what differs from the last commit, and nothing else: the
# changed lines of C, new files, and named ones.
#
# Guards: scripts/format
set -u
here=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
number=0
ok() {
  number=$((number + 1))
  if [ "$2" = 0 ]; then
    echo "ok $number - $1"
  else
    echo "not ok $number - $1"; sed 's/^/# /' "$work/said"
  fi
}
asked() { # is this what the formatters were asked to do, in order?
  [ "$(cat "$work/said")" = "$1" ]
}

mkdir -p "$work/bin" "$work/tree/lua/text" "$work/tree/base"
for tool in clang-format luafmt; do
  printf '#!/bin/sh\necho "%s $*" >>"%s"\n' "$tool" "$work/said" \
    >"$work/bin/$tool"
  chmod +x "$work/bin/$tool"
done
PATH=$work/bin:$PATH
cd "$work/tree" || exit 1
git init -q . && git config user.name x && git config user.email x@y
printf '%s\n' 1 2 3 4 5 6 7 8 9 >base/old.c
echo 'return 1' >lua/text/old.lua
git add -A && git commit -qm first
format() { : >"$work/said"; "$here/scripts/format" "$@" 2>>"$work/said"; }

format; asked ""; ok "where nothing differs nothing is formatted" $?
sed -i.bak -e 's/^2$/two/' -e '5,6d' -e 's/^9$/nine\nten/' base/old.c &&
  rm base/old.c.bak
echo 'return 2' >lua/text/old.lua
format; asked "clang-format -i --lines=2:2 --lines=7:8 base/old.c"
ok "of C the lines that differ, of modules in Lua that were there none" $?
git checkout -q .
echo 'int x;' >base/new.c; echo 'return 3' >lua/text/new.lua
echo 'return 4' >other.lua
format; asked "clang-format -i base/new.c
luafmt --write lua/text/new.lua"
ok "new files as a whole, modules of lua/ among them" $?
git add -A
format; asked "clang-format -i base/new.c
luafmt --write lua/text/new.lua"
ok "those that were added, too" $?
format lua/text/old.lua base/old.c; asked "luafmt --write lua/text/old.lua
clang-format -i base/old.c"
ok "what is named, whatever git says" $?
rm "$work/bin/luafmt"
PATH=$work/bin:/usr/bin:/bin format lua/text/old.lua; [ $? = 1 ] &&
  grep -q 'luafmt is missing' "$work/said"
ok "a formatter that is missing is said" $?
echo "1..$number"
