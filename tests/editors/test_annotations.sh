#!/bin/bash
# The Lua API for editors (editors/lua/mettle.lua), read by a Lua language
# server beside what uses it: every example of the help, and the kernels' own
# modules. The server is EmmyLua's (emmylua_check); `make annotations` brings it
# by cargo.
#
# Guards: editors/lua/mettle.lua, read by a Lua language server beside every
# example of the help (tests/editors/examples.lua); skipped without
# emmylua_check (`make annotations`)
set -u
cd "$(dirname "$0")/../.." || exit 1
mettle=${METTLE:-$PWD/build/mettle}
server=$PWD/build/emmylua/bin/emmylua_check
[ -x "$server" ] || server=$(command -v emmylua_check) || {
  echo "ok 1 - the annotations # SKIP there is no emmylua_check: make annotations"; echo "1..1"; exit 0; }
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
number=0
ok() { # NAME STATUS
  number=$((number + 1))
  if [ "$2" = 0 ]; then
    echo "ok $number - $1"
  else
    echo "not ok $number - $1"; sed 's/^/# /' "$work/said"
  fi
}

# What an example is free to do: a variable that only shows, pcall's second
# result without a look at the first, a module of Mettle's own.
mkdir -p "$work/uses/help"
cat >"$work/uses/.luarc.json" <<JSON
{ "runtime": { "version": "Lua5.4" }, "workspace": { "library": ["$PWD/editors/lua"] },
  "diagnostics": { "disable": ["unused", "redefined-local", "need-check-nil", "unnecessary-assert", "unnecessary-if", "unresolved-require"] } }
JSON
"$mettle" tests/editors/examples.lua "$work/uses/help" >"$work/said" 2>&1; ok "the examples of the help" $?
cp kernels/*.lua "$work/uses/"

# findings FOLDER: "PLACE: MESSAGE", a line each
findings() {
  "$server" "$1" 2>&1 | awk '/^(error|warning|hint): / { what = $0 } /^ *--> / { print $2 ": " what }'
}

"$server" editors/lua >"$work/said" 2>&1; ok "the annotations alone" $?
# (a lesson's variable; texts that pcall gives; a function that has fields)
findings "$work/uses" | grep -vE '^help/run\.lua:.* variable: a |found `\((mettle\.Buffer\|string|string\|never)\)`|field `ways`' >"$work/said"
[ ! -s "$work/said" ]; ok "nothing in them is unknown or of another type" $?
echo 'local b = gpu.buffer(10) print(b:nothing(), gpu.kernel(7))' >"$work/uses/wrong.lua"
findings "$work/uses" | grep '^wrong' >"$work/said"
grep -q 'Undefined field `nothing`' "$work/said" && grep -q 'expected `string`' "$work/said"; ok "what is wrong is found" $?
echo "1..$number"
