#!/bin/bash
# test_verdicts.sh - what judges return, and what the shell hears of it: 0
# right, 1 wrong, 2 nothing could be judged or the command line is wrong. Code
# that gives a verdict runs in two of seven ways, the next in two others, in all
# with METTLE_TESTS=all.
#
# Guards: lua/session/verdict.lua, lua/session/usage.lua,
# lua/lesson/command.lua: what judges return, exit statuses of scripts, -e and
# every command; `mettle lesson 4`, `lesson check FILE`; names in a class
set -u
top=$PWD
METTLE=${METTLE:-$PWD/build/mettle}
# shellcheck source=tests/needs.sh
. "$top/tests/needs.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export XDG_STATE_HOME=$work/state
cd "$work" || exit 1

count=0 failed=0
skip() { count=$((count + 1)); echo "ok $count - $1 # SKIP $2"; }
# ends STATUS NAME ARGS...: how mettle ARGS ends; the file out has what it said
ends() {
  local wanted=$1 name=$2 status
  shift 2
  "$METTLE" "$@" >out 2>&1 </dev/null
  status=$?
  result "$name: $wanted" [ "$status" = "$wanted" ]
}
says() { result "it says: $1" grep -qF -- "$1" out; }
result() {
  local name=$1
  shift
  count=$((count + 1))
  if "$@"; then
    echo "ok $count - $name"
  else
    failed=$((failed + 1))
    echo "not ok $count - $name"
    head -n 8 out | sed 's/^/# /'
  fi
}
needs_kernels "verdicts"
"$METTLE" -e "dofile('$top/tests/quick.lua').keep()" >/dev/null 2>&1

# ------------------------------------------------------------------- the course
ends 2 "nothing is open" -e 'check()'
ends 2 "no such puzzle" -e 'puzzle(99)'
ends 1 "a wrong answer" -e 'puzzle(1) check()'
ends 1 "a wrong answer as an expression, which is not printed twice" -e 'check()'
result "no false below it" eval '! grep -q "^false" out'
ends 0 "both values" -e 'puzzle(1) local ok, why = check() print(ok, type(why)) os.exit(0, true)'
says "false	string"
ends 2 "no such puzzle, though another is open" -e 'puzzle(99) check()'
cp "$top/lessons/puzzles/01-map/solution.metal" puzzle-01-map.metal
ends 0 "a right answer" -e 'puzzle(1) check()'
ends 0 "true" -e 'puzzle(1) print("it is", (check()))'
says "it is	true"
ends 1 "one wrong of two" -e 'puzzle(2) check() puzzle(1) check()'
ends 0 "wrong at first, then right" -e 'puzzle(1) check "kernel void map() {}" check()'
printf 'puzzle(2)\ncheck()\n' >grade.lua
ends 1 "a script" grade.lua
ends 1 "a challenge" -e 'lesson "guards" challenge(1) check()'
ends 0 "one that a script keeps for itself" -e 'a = gpu.buffer{1, 2} same = a:equals{1, 3} assert(not same)'

# ------------------------------------------------------------------- reports
k='k = gpu.kernel [=[ kernel void f(device float *a [[buffer(0)]], uint i [[thread_position_in_grid]]) { a[i] = i; } ]=] a = gpu.buffer(4)'
ends 1 "a report that is shown" -e "$k" -e 'check{k, a, grid = 5}'
ends 0 "one without findings" -e "$k" -e 'check{k, a, grid = 4}'
ends 1 "buffers that differ" -e 'gpu.buffer{1, 2}:equals{1, 3}'
ends 0 "buffers that do not" -e 'gpu.buffer{1, 2}:equals{1, 2}'
ends 1 "a comparison with a wrong answer" -e "$k" -e 'compare{k, a, grid = 4, verify = function() return false, "no" end, budget = 0.01}'

# every STATUS NAME CODE: how code ends that gives a verdict, however it is run
# and whether or not a script looks at what it gives
turn=0
every() {
  local way i
  for ((way = 0; way < 7; way++)); do
    i=$(((way + 7 - turn % 7) % 7))
    if [ "${METTLE_TESTS:-}" = all ] || [ $i -lt 2 ]; then
      one_way $way "$@"
    fi
  done
  turn=$((turn + 2))
}
one_way() { # WAY STATUS NAME CODE
  local wanted=$2 name=$3 code=$4
  printf '%s\n%s\nlocal x = 1\n' "$k" "$code" >judge.lua
  case $1 in
    0) ends "$wanted" "$name, -e" -e "$k" -e "$code" ;;
    1) ends "$wanted" "$name, after a semicolon" -e "$k; x = 1; $code" ;;
    2) ends "$wanted" "$name, on a line of its own" -e "$k
x = 1
$code
y = 2" ;;
    3) ends "$wanted" "$name, in a function" -e "$k" \
      -e "local function f() $code end f() f = nil collectgarbage()" ;;
    4) ends "$wanted" "$name, a script" judge.lua ;;
    5)
      "$METTLE" <judge.lua >out 2>&1
      result "$name, from standard input: $wanted" [ $? = "$wanted" ] ;;
    6)
      "$METTLE" - <judge.lua >out 2>&1
      result "$name, from -: $wanted" [ $? = "$wanted" ] ;;
  esac
}
no='verify = function() return false, "no" end, budget = 0.01'
yes='verify = function() return true end, budget = 0.01'
every 1 "check" 'check{k, a, grid = 5}'
says "out-of-bounds: "
every 0 "check of what is right" 'check{k, a, grid = 4}'
every 1 "check of a function" \
  'check(function() k{a, grid = 4} k{a:view(1, 2), grid = 4} end)'
says "1 finding in 2 launches"
every 1 "compare" "compare{k, a, grid = 4, $no}"
says "wrong: no"
every 0 "compare of what is right" "compare{k, a, grid = 4, $yes}"
every 1 "sweep" "sweep{k, a, grid = 4, $no}"
says "wrong: no"
every 0 "sweep of what is right" "sweep{k, a, grid = 4, $yes}"
every 1 "puzzle" 'puzzle(2) check()'
says "hint() helps."
every 0 "a puzzle that is right" 'puzzle(1) check()'
every 1 "capstone" 'capstone(1) check()'
says "hint() helps."
every 1 "lesson" 'lesson(4) check()'
says "hint() helps."
every 2 "no such lesson" 'lesson(99) check()'
while read -r code; do
  ends 0 "a script that looks itself: $code" -e "$k" \
    -e "local r = check{k, a, grid = 5} $code"
done <<'END'
assert(not r.ok)
assert(#r == 1)
assert(r[1].kind == "out-of-bounds")
for _, f in ipairs(r) do f = f.line end
for _, f in pairs(r) do f = nil end
assert(tostring(r):find "out%-of%-bounds")
assert(r:json():find "out%-of%-bounds")
r.mine = 1
END
ends 1 "one of two that a script looks at" -e "$k" \
  -e 'local r = check{k, a, grid = 5} x = r.ok; check{k, a, grid = 6}'
printf '%s\n' "kernel void f(device float *a [[buffer(0)]]," \
  " uint i [[thread_position_in_grid]]) { a[i] = i; }" >f.metal
ends 1 "mettle check" check f.metal --grid 5 --arg 'a=float[4]'
ends 0 "mettle check of what is right" check f.metal --grid 4 \
  --arg 'a=float[4]'
ends 2 "mettle check of no file" check none.metal --grid 4

# ------------------------------------------------------------- the subcommands
ends 0 "lesson 4" lesson 4
says "── 4 The first kernel"
ends 1 "lesson check: what is open" lesson check
ends 0 "lesson check FILE, by its name" lesson check puzzle-01-map.metal
mkdir elsewhere; cp "$top/lessons/06-guards/solution.metal" elsewhere/mine.metal
ends 2 "a name that says nothing" lesson check elsewhere/mine.metal
says "--task"
ends 0 "with its task" lesson check elsewhere/mine.metal --task guards
ends 1 "for another task" lesson check elsewhere/mine.metal \
  --task "first kernel"
ends 1 "two files, one of them wrong" puzzle check \
  puzzle-01-map.metal puzzle-02-zip.metal
ends 2 "no such file" lesson check nothing.metal
ends 2 "no such lesson" lesson 99
says "mettle lesson list lists them"
ends 2 "no such puzzle" puzzle nothing-of-the-kind
ends 0 "lesson hint" lesson hint
ends 2 "an option that is not known" lesson check --nonsense
for words in "bench --nonsense" "cards" "play --nonsense" "present --nonsense" \
  "present" "check" "check --nonsense" "compile" "compile none.metal" \
  "devices nonsense" "doctor nonsense" "jupyter nonsense" \
  "jupyter install --nonsense" "lesson share" "lesson class none" \
  "lesson notebook 99" "--nonsense" "none.lua"; do
  # shellcheck disable=SC2086
  ends 2 "mettle $words" $words
done

# ------------------------------------------------------------------ the class
mkdir class
for name in "Bob the Builder" "Zoë" "李雷" "o'hara"; do
  ends 0 "shared as $name" lesson share class --as "$name"
done
ends 0 "the class" lesson class class
for name in "Bob the Builder" "Zoë" "李雷" "o'hara"; do says "$name"; done
for name in "../x" ".x" "a/b" "x " ""; do
  ends 2 "not shared as '$name'" lesson share class --as "$name"
done
echo "1..$count"
[ "$failed" = 0 ]
