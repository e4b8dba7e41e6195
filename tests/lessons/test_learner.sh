#!/bin/bash
# test_learner.sh - a learner goes through the course, on a pseudo-terminal: a
# lesson is opened and read to its end, its start fails, the solution put into
# the learner's file passes; what was passed is known in the next session. It is
# every seventh lesson and puzzle, all with METTLE_TESTS=all; the answers of all
# are test_answers.lua's. Then the ways to work: run, edit, watch, hint, reset,
# solution, the prompt.
#
# Guards: a scripted learner through every fifth lesson and puzzle
# (METTLE_TESTS=all: through the whole course and all puzzles) on a
# pseudo-terminal; edit, watch, hint, reset; lua/lesson/{restore, step,
# watch}.lua, repl/commands/lesson.c
set -u
PTY_DEADLINE=${PTY_DEADLINE:-120}
# shellcheck source=tests/lessons/learner.sh
. "$(dirname "$0")/learner.sh"
learner "a learner at a terminal"

not() { ! "$@"; }

# ---------------------------------------------------------------- the course

# lesson FOLDER: true if a learner can go through it
walk() {
  local folder=$1 name number steps extension file i
  name=$(basename "$folder")
  number=$((10#${name%%-*}))
  steps=$(grep -c '^## ' "$folder/lesson.md")
  extension=metal; [ -f "$folder/start.lua" ] && extension=lua
  file=$name.$extension
  say "lesson($number)" " 1 of $steps · " || return 1
  # the number of the lesson makes it unlike all before
  for ((i = 2; i <= steps; i++)); do
    enter "next()"; see_like "── $number .* · $i of $steps · " || return 1
  done
  prompt || return 1
  cmp -s "$file" "$folder/start.$extension" || { echo "# $file is not the start"; return 1; }
  say "check()" "hint\\(\\) helps" || return 1
  cp "$folder/solution.$extension" "$file"
  say "check()" "✓ Lesson $number .* is passed"
}

SIZE="-x 80 -y 45" open
check "the greeting says where to begin" see "Type lesson(1)"
lessons=0 known=0
for folder in "$top"/lessons/[0-9]*/; do
  folder=${folder%/}
  known=$((known + 1))
  [ "${METTLE_TESTS:-}" = all ] || [ $((known % 7)) = 2 ] || continue
  lessons=$((lessons + 1))
  check "through lesson $(basename "$folder")" walk "$folder"
done

# puzzle FOLDER: true if its start fails and its solution passes
solve() {
  local folder=$1 name
  name=$(basename "$folder")
  say "puzzle($((10#${name%%-*})))" "── Puzzle $((10#${name%%-*})): " || return 1
  say "check()" "hint\\(\\) helps" || return 1
  cp "$folder/solution.metal" "puzzle-$name.metal"
  say "check()" "✓ Puzzle .* is passed"
}
n=0
for folder in "$top"/lessons/puzzles/*/; do
  n=$((n + 1))
  [ "${METTLE_TESTS:-}" = all ] || [ $((n % 7)) = 0 ] || continue
  check "puzzle $(basename "$folder")" solve "${folder%/}"
done
check "the prompt says which" see_like "^puzzle [0-9]+ [a-z0-9-]+ ✓[0-9]+>"
check "lesson() returns to the course" say "lesson()" "What you saw"
shut

# ------------------------------------------------------------- the next session
SIZE="-x 80 -y 45" open
check "the next session knows where we were" see "next() goes on with lesson"
check "and what was passed" say "lessons()" "$lessons of $known passed"
check "next() shows the step again" say "next()" "What you saw"

# ------------------------------------------------------------- where one is
check "a step of a lesson" say "lesson(12, 3)" "── 12 .* · 3 of 6 · When they agree"
check "the prompt says where" see_like "^12 simdgroups 3/6 ✓$lessons>"
check "what earlier steps defined is there" see "The code of the steps before was run again"
check "so that run() works" say "run" "^21376"
wipe; keys Up
check "Up brings back the last line that it typed" see_like "> print\\(a.instructions, b.instructions\\)$"
keys Up
check "and the one before" see_like "> print\\(a.active, b.active\\)$"
keys C-c; prompt
check "the task" say "task" "12 .* · 5 of 6 · Your turn"
check "a step that is not there" say "lesson(12, 30)" "Lesson 12 has the steps 1 to 6"
check "quit() leaves too" eval 'enter "quit()"; gone'
SIZE="-x 80 -y 45" open

# -------------------------------------------------------------- ways to work
check "a word without brackets will do" say "lesson 4" " 1 of 6 · "
check "next, too" say "next" " 2 of 6 · "
check "back" say "back" " 1 of 6 · "
check "a lesson by its words" say 'lesson "guards"' "Guards and ragged edges"
check "none by that name" say 'lesson "nothing of the kind"' "There is no lesson"
say "lesson(1)" "1 of"
check "run() types the step's code" say "run" "float\\[8\\]  0  1  2"
rm -f 04-first-kernel.metal
say "lesson(4)" "1 of"
check "check() makes the file if it is not there" say "check()" "04-first-kernel.metal is now in this folder"
check "hints come one by one" say "hint()" "Hint 2 of 3|Hint 1 of 3"
check "a source straight from the prompt" say \
  'check [=[ kernel void scale(device float *x [[buffer(0)]], device float *y [[buffer(1)]], uint i [[thread_position_in_grid]]) { y[i] = x[i] * 3; } ]=]' "is passed"
check "a kernel straight from the prompt" eval '
  say "k = gpu.kernel [=[ kernel void scale(device float *x [[buffer(0)]], device float *y [[buffer(1)]], uint i [[thread_position_in_grid]]) { y[i] = x[i] * 4; } ]=]" "✓" &&
  say "check(k)" "n = 1:"'
check "something else is refused with a sentence" say "check(5)" "check\\(\\) checks your file"
check "the solution, once passed" say "solution()" "y\\[i\\] = 3.0f"
echo "// mine" >04-first-kernel.metal
check "reset() keeps the learner's version" say "reset()" "04-first-kernel.old1.metal"
check "as it was" grep -q "// mine" 04-first-kernel.old1.metal
check "and puts the start in its place" cmp -s 04-first-kernel.metal "$top/lessons/04-first-kernel/start.metal"

# watch() checks whenever the file is saved
wipe; enter "watch()"
check "watch() checks at once" see "Not right yet"
check "and names its keys" see "h hint · s solution"
tm clear-history
cp "$top/lessons/04-first-kernel/solution.metal" 04-first-kernel.metal
check "and when the file is saved, on a clean screen" eval 'see "is passed" && not shows "Not right yet"'
check "then it goes on by itself" see_like "6 of 6 · What you saw"
tm clear-history
echo "kernel void scale(" >04-first-kernel.metal
check "and again" see "does not compile"
type h; check "h gives a hint" see_like "Hint [0-9] of 3"
type t; check "t shows the task" see_like "5 of 6 · Your turn"
type n; check "n goes on" see_like "6 of 6 · What you saw"
keys C-c
check "until Ctrl-C" see "No longer watching"
check "which gives the prompt back" prompt
check "and the console works" say "6 * 7" "^42"
say "exit" "" 2>/dev/null; gone; shut

# an editor of the person's choice
cat >"$work/editor" <<'SH'
#!/bin/sh
echo "// edited" >>"$1"
SH
chmod +x "$work/editor"
ENVIRONMENT="env EDITOR=$work/editor" SIZE="-x 80 -y 45" open
check "edit() opens the editor" eval 'say "edit()" "check\\(\\) checks 04-first-kernel.metal" && grep -q "// edited" 04-first-kernel.metal'
check "and names watch()" shows "watch() does so whenever you save it"
shut
ln -s "$work/editor" "$work/vi"
ENVIRONMENT="env EDITOR=$work/vi" SIZE="-x 80 -y 45" open
wipe; enter "edit()"
check "the first time it says how to leave" eval 'see ":wq and Enter saves" && see "Enter opens it:"'
enter ""
check "then it opens" eval 'see "check() checks 04-first-kernel.metal" && prompt'
check "and the next time at once" eval 'say "edit()" "check\\(\\) checks 04" && not shows ":wq"'
shut
# from the shell
rm -f 04-first-kernel.metal
SIZE="-x 80 -y 45" open lesson 4
check "mettle lesson 4 opens it, and the prompt" eval 'see_like "── 4 The first kernel · " && see_like "^4 first-kernel ./6"'
check "with its functions" say "next" " of 6 · "
enter "exit"; gone; shut
SIZE="-x 80 -y 45" open puzzle 3
check "mettle puzzle 3" see "── Puzzle 3: Guard"
shut
SIZE="-x 80 -y 45" open capstone 1 2
check "mettle capstone 1 2: a step of it" see " · 2 of "
shut
until_true tm new-session -d -x 80 -y 45 "exec '$METTLE' lesson watch 4"
check "mettle lesson watch 4" see "h hint · s solution"
cp "$top/lessons/04-first-kernel/solution.metal" 04-first-kernel.metal
check "checks what is saved" see "is passed"
type q
check "until q" gone
ENVIRONMENT="env EDITOR=no-such-editor" SIZE="-x 80 -y 45" open
check "an editor that is not there is said" say "edit()" "which is not installed here"
check "narrow terminals are wrapped to" eval 'shut; SIZE="-x 42 -y 60" open && say "lesson(1)" "── 1 Hello" && not eval "screen | grep -E \"^.{43}\""'
shut

# a folder that cannot be written
mkdir "$work/locked"; chmod 555 "$work/locked"
if [ "$(id -u)" = 0 ]; then
  skip "a folder that cannot be written is said" "root may write everywhere"
else
  cd "$work/locked" && open
  say "lesson(5)" "1 of"
  check "a folder that cannot be written is said" say "check()" "cannot be written in this folder"
  shut
fi
cd "$top" || exit 1
finish
