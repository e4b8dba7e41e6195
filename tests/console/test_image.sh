#!/bin/bash
# test_image.sh - pictures and matrices at the prompt, on tmux's screen.
#
# Guards: pictures at the prompt on tmux's screen: half blocks, the window's
# size, ASCII
set -u
# shellcheck source=tests/console/pty.sh
. "$(dirname "$0")/pty.sh"
# shellcheck source=tests/needs.sh
. tests/needs.sh
needs_tmux "pictures on a terminal"
export XDG_STATE_HOME=${XDG_STATE_HOME:-$work/state}
unset NO_COLOR METTLE_IMAGE COLORTERM

escape=$(printf '\033')
# colour R G B: is it on the screen? blanks LINES COLUMNS: so many lines of just
# that many blanks, which have a colour (others tmux leaves out, or tells by the
# end of the colour)
colour() { coloured | grep -q "48;2;$1;$2;$3m"; }
blanks() {
  [ "$(tm capture-pane -p -e -N |
    sed "s/$escape\\[49m.*//; s/$escape\\[[0-9;]*m//g" |
    grep -cx " \\{$2\\}")" = "$1" ]
}
grey_block() { colour "$3" "$3" "$3" && blanks "$1" "$2"; }

# tmux answers by its own name, and no client with sixels is attached: half
# blocks in 24-bit colours
open
enter 'b = gpu.buffer("uchar", 4, 4, 3):fill(200)'
prompt
wipe
enter 'image(b, {rows = 4})'
check "half blocks in colours" until_true grey_block 4 8 200
check "and the prompt below them" prompt
check "no part of a question is left on the screen" eval '! shows "Gi=31" && ! shows "[c" && ! shows ">q"'
wipe
enter 'gpu.texture("rgba8unorm", 2, 2)'
check "a texture that is typed says what it is" see_line "texture2d rgba8unorm, 2 × 2"
check "and is shown, what is transparent as a checkerboard" until_true colour 102 102 102
prompt
wipe
enter '{gpu.texture("rgba8unorm", 2, 2)}'
check "inside a table it is a line" see "{texture2d rgba8unorm, 2 × 2}"
check "without a picture" eval '! colour 102 102 102'
tm resize-window -x 40 -y 14
wipe
enter 'image(gpu.buffer("uchar", 300, 300, 3):fill(90))'
check "a large one fits a small window" until_true grey_block 12 24 90
prompt
shut

ENVIRONMENT="env METTLE_IMAGE=ascii" open
enter 'image({{0, 1}, {1, 0}}, {map = "grey", rows = 2})'
check "in characters" see_line "  @@"
check "line by line" see_line "@@"
prompt
shut
finish
