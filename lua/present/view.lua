-- view.lua - the room's screen and the speaker's, as rows of text.
--
--   view.page(p, columns, rows) -> header, body: lists of rows; the body is all
--                       of the step, code and what it printed
--   view.clock(seconds) -> "4:05"
--   view.notes(n, columns, rows) -> rows of the second terminal
--
-- A row that is false has been drawn with the one above it.
local big_text = require "lua.present.big_text"
local lesson_text = require "lua.text.markdown"
local style = require "lua.text.style"
local units = require "lua.text.units"

local view = {}

function view.clock(seconds)
  seconds = math.floor(seconds)
  if seconds < 3600 then
    return ("%d:%02d"):format(seconds // 60, seconds % 60)
  end
  return ("%d:%02d:%02d"):format(seconds // 3600, seconds // 60 % 60,
    seconds % 60)
end

-------------------------------------------------------------------- long lines

-- A line with colours in it, broken between words, and where a word is longer
-- than the window, in it.
function view.wrapped(line, columns)
  local rows = {}
  for row in (units.fold(line, columns) .. "\n"):gmatch "([^\n]*)\n" do
    for _, piece in ipairs(units.pieces(row, columns)) do
      rows[#rows + 1] = piece
    end
  end
  return rows
end

-- Pictures of kitty's, iTerm2's or sixels: where they stand only the terminal
-- knows.
function view.is_picture(text)
  return text:find("\27_G", 1, true) or text:find("\27]1337;", 1, true)
    or text:find "\27P[%d;]*q"
end

local function output_rows(text, columns)
  local rows = {}
  for line in text:gsub("\n$", ""):gsub("\t", "    "):gmatch "[^\n]*" do
    line = line:match "([^\r]*)$"
    for _, row in ipairs(view.wrapped(line, columns)) do
      rows[#rows + 1] = row
    end
  end
  return rows
end

-------------------------------------------------------------------- the room's

local function spread(left, right, columns)
  local room = columns - units.width(right) - 2
  left = units.cut(left, room)
  return style.bold(left)
    .. (" "):rep(columns - units.width(left) - units.width(right))
    .. style.dim(right)
end

local function place(p)
  return ("%d/%d  %s"):format(p.at, #p.script.steps, view.clock(p.elapsed()))
end

local function header(p, step, columns)
  if not p.large then return { spread(step.title, place(p), columns), "" } end
  local rows = big_text.rows(step.title, p.large, columns)
  for i, row in ipairs(rows) do rows[i] = row and style.bold(row) end
  table.insert(rows, 1, spread("", place(p), columns))
  rows[#rows + 1] = ""
  return rows
end

local function code_rows(p, step, columns)
  local rows = {}
  if p.large and big_text.fits(step.code, p.large, columns) then
    for _, line in ipairs(step.code) do
      for _, row in ipairs(big_text.rows(line, p.large, columns)) do
        rows[#rows + 1] = row and style.code(row)
      end
    end
    return rows
  end
  local shown = lesson_text.show({ blocks = { { kind = "code",
    language = "lua", lines = step.code } } }, columns)
  -- a block has one colour from its first row to its last; a row is shown alone
  for line in shown:gsub("\27%[[%d;]*m", ""):gmatch "[^\n]*" do
    for _, row in ipairs(view.wrapped(line, columns)) do
      rows[#rows + 1] = style.code(row)
    end
  end
  return rows
end

function view.page(p, columns)
  local step = p.script.steps[p.at]
  local body = code_rows(p, step, columns)
  local r = p.results[p.at]
  if r and r.text ~= "" then
    body[#body + 1] = ""
    for _, row in ipairs(output_rows(r.text, columns)) do
      body[#body + 1] = row
    end
  end
  return header(p, step, columns), body
end

-- The steps, to jump to one; '>' stands before this one.
function view.list(p, columns, rows)
  local out = { style.bold "Steps", "" }
  local most = rows - 4
  local count = #p.script.steps
  local first = math.max(1, math.min(p.at - most // 2, count - most + 1))
  for i = first, math.min(count, first + most - 1) do
    local step, r = p.script.steps[i], p.results[i]
    local mark = not r and " " or r.ok and "✓" or "✗"
    out[#out + 1] = units.cut(("%s%3d %s %s"):format(i == p.at and ">" or " ",
      i, mark, step.title), columns)
  end
  return out
end

view.keys = {
  "space, Enter, →, PgDn    run the step, then the next one",
  "←, PgUp, Backspace       the step before, as it was",
  "r                        run this step again",
  "s                        skip: the next step without running this one",
  "g 7 Enter                jump to step 7;  l lists the steps",
  "R                        run what was skipped before this step",
  "Ctrl-C                   cut a step short, with what is known so far",
  "t                        quick timings on and off, when the room waits",
  "↑, ↓                     look through a step that is longer than the window",
  ":                        to the prompt, "
    .. "with all that was defined; Ctrl-D back",
  "+                        large type on and off",
  ".                        an empty screen, until the next key",
  "q                        leave",
}

------------------------------------------------------------------ the speaker's

local function paragraphs(out, text, columns)
  for line in (text .. "\n"):gmatch "([^\n]*)\n" do
    for _, row in ipairs(view.wrapped(line, columns)) do
      out[#out + 1] = row
    end
  end
end

local states = { shown = "shown", running = "running …", ran = "done",
  failed = style.bad "failed", cut = "cut short" }

-- Of the plan: how the time stands.
local function timing(n)
  local text = ("this step %s"):format(view.clock(n.here))
  if n.minutes then text = text .. (" of %d min"):format(n.minutes) end
  if n.planned then
    local ahead = n.planned * 60 - n.elapsed
    text = text .. (", %s %s"):format(view.clock(math.abs(ahead)),
      ahead >= 0 and "in hand" or "late")
  end
  return text
end

-- n: at, count, title, state, notes, elapsed, here, minutes, planned (to the
-- end of this step), next_title, next_code, next_notes, name
function view.notes(n, columns, rows)
  local out = { spread(("%d/%d %s"):format(n.at, n.count, n.title),
    view.clock(n.elapsed), columns) }
  out[2] = style.dim(("%s · %s · %s"):format(n.name, states[n.state] or n.state,
    timing(n)))
  out[3] = ""
  if n.notes ~= "" then paragraphs(out, n.notes, columns) end
  out[#out + 1] = ""
  if n.next_title == "" then
    out[#out + 1] = style.dim "next: the end"
  else
    out[#out + 1] = style.bold("next: " .. units.cut(n.next_title, columns - 6))
    paragraphs(out, n.next_notes, columns)
    for line in (n.next_code .. "\n"):gmatch "([^\n]*)\n" do
      out[#out + 1] = style.code(units.cut("    " .. line, columns))
    end
  end
  for i = rows, #out do out[i] = nil end
  out[rows] = style.dim(units.cut(
    "space forward · ← back · r again · s skip · keys go to the "
      .. "presentation · q",
    columns))
  return out
end

return view
