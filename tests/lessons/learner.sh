#!/bin/bash
# learner.sh - what the scripted learners begin with: a pseudo-terminal, a state
# folder and a folder of their own, and a way to say something and see the
# answer.
#
#   . tests/lessons/learner.sh; learner "a learner at a terminal"
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
top=$(cd "$here/../.." && pwd)
# shellcheck source=tests/console/pty.sh
. "$here/../console/pty.sh"
# shellcheck source=tests/needs.sh
. "$top/tests/needs.sh"

# learner WHAT: skips the suite where there is no terminal or no compiler
learner() {
  needs_tmux "$1"
  needs_kernels "$1"
  export XDG_STATE_HOME=$work/state NO_COLOR=1
  unset VISUAL EDITOR
  mkdir "$work/mine"
  cd "$work/mine" || exit 1
}

# say LINE SEE: type it on a clean screen, wait for what must come and the
# prompt
say() { wipe; enter "$1"; see_like "$2" && prompt; }
