-- text.lua - what check found, as blocks and as a report.
--
--   text.finding(f [, style])    the block: at most eight lines of 80 columns
--   text.report(r [, style])     all of them, or what "clean" means here
--
-- The sentences of a finding are describe.lua's.
local describe = require "lua.check.describe"
local units = require "lua.text.units"

-- a source's words are anybody's
local visible = require "mettle.system".visible

local text = {}
local WIDTH = 79

local plural, position = units.many, describe.position

-- thread 70 (group 1, position 6, lane 6)
local function thread(t, sides)
  return ("thread %s (group %s, position %s, lane %d)"):format(
    position(t.grid, sides),
    position(t.group, sides), position(t.position, sides), t.lane)
end

local verb = { read = "reads", write = "writes", atomic = "changes atomically" }

----------------------------------------------------------------------- blocks

local function wrap(words, first, indent, lines)
  lines[#lines + 1] = units.wrap(words,
    math.min(WIDTH, require("lua.text.style").columns()), first, indent)
end

-- The source line without its indentation, and the column in what is left.
local function excerpt(source, column)
  local lead = source:match "^%s*"
  local rest = source:sub(#lead + 1):gsub("\t", " ")
  local at = column and column - #lead
  if at and at > 60 then
    local cut = at - 40
    rest, at = "…" .. rest:sub(cut), 1 + 40 + 1
  end
  return units.cut(rest, WIDTH - 12), at
end

-- "  12 | part[t] += part[t + n];" and a caret with a note below
local function show_line(lines, number, column, source, note, style)
  if not source then
    if number then
      lines[#lines + 1] = ("  line %d%s"):format(number,
        note and ": " .. note or "")
    end
    return
  end
  local rest, at = excerpt(source, column)
  lines[#lines + 1] = ("%6d | %s"):format(number, visible(rest))
  local caret = at and at >= 1 and (" "):rep(at - 1) .. "^" or nil
  if not caret and not note then return end
  local line = (" "):rep(6) .. " | "
  if not caret then
    line = line .. note
  elseif not note then
    line = line .. style.bad(caret)
  elseif 10 + #caret + units.width(note) <= WIDTH then
    line = line .. style.bad(caret) .. " " .. note
  elseif units.width(note) + 1 < #caret then
    line = line .. (" "):rep(#caret - 2 - units.width(note)) .. note .. " "
      .. style.bad "^"
  else
    lines[#lines + 1] = line .. style.bad(caret)
    line = line .. note
  end
  lines[#lines + 1] = line
end

local function race_lines(f, lines, style)
  local later, other = f.threads[1], f.threads[2]
  if f.other_only then later, other = nil, later end
  local function note(t, how)
    return t and ("thread %s %s (group %s, lane %d)"):format(
      position(t.grid, f.sides), verb[how] or "comes",
      position(t.group, f.sides), t.lane) or verb[how] or ""
  end
  local other_line, other_column, other_source = f.other_line, f.other_column,
    f.other_source_line
  if f.other_line == f.line and f.other_column == f.column
    and f.other_file == f.file then
    show_line(lines, f.line, f.column, f.source_line, nil, style)
    if other then
      lines[#lines + 1] = "  " .. note(later, f.how) .. ", "
        .. note(other, f.other_how)
    end
    return
  end
  if f.other_file ~= f.file then
    lines[#lines + 1] = "  in " .. visible(f.other_file or "the source") .. ":"
  end
  show_line(lines, other_line, other_column, other_source,
    note(other, f.other_how), style)
  if f.other_file ~= f.file then
    lines[#lines + 1] = "  in " .. visible(f.file or "the source") .. ":"
  end
  show_line(lines, f.line, f.column, f.source_line, note(later, f.how), style)
end

local apart = { lanes = "two lanes of one SIMD-group",
  simdgroups = "two SIMD-groups of one threadgroup",
  groups = "two threadgroups" }

local told = { coverage = true, schedule = true } -- their message says how many
local function times(f)
  return f.count > 1 and not told[f.kind]
    and ("; %s times"):format(units.count(f.count)) or ""
end

-- The threads that did it: the first thread in full, the others by position.
local function who_lines(f, lines)
  if f.kind == "race" then
    if f.apart then
      lines[#lines + 1] = ("  They are in %s%s."):format(apart[f.apart],
        times(f))
    end
    return
  end
  local first = f.threads[1]
  if not first then
    if f.count > 1 and not told[f.kind] then
      lines[#lines + 1] = ("  %s times in all."):format(units.count(f.count))
    end
    return
  end
  local who = thread(first, f.sides)
  if f.kind == "divergent-barrier" then
    who = (f.other_only and "elsewhere: " or "missing: ") .. who
  end
  local others = {}
  for i = 2, math.min(#f.threads, 3) do
    others[#others + 1] = position(f.threads[i].grid, f.sides)
  end
  if #others > 0 then
    who = who .. ", then " .. table.concat(others, ", ")
      .. (f.count > #others + 1 and ", …" or "")
  end
  wrap(who .. times(f), "  ", "  ", lines)
end

local plain = setmetatable({},
  { __index = function() return function(s) return s end end })

-- A line with the columns, as 'field' has them, of 'more' findings like f.
local function also_at(lines, f, more, field, sentence)
  local columns, listed = {}, { [f[field] or 0] = true }
  for _, m in ipairs(more) do
    local column = m[field] or 0
    if not listed[column] then columns[#columns + 1] = column end
    listed[column] = true
  end
  if #columns == 0 then return end
  local named = ("column%s %s"):format(#columns > 1 and "s" or "",
    table.concat(columns, ", "))
  wrap(sentence:format(named), "  ", "  ", lines)
end

-- 'more': findings of the same kind on the same line, which are only named.
function text.finding(f, style, more)
  style = style or plain
  local lines = {}
  local place = f.file and f.line
    and ("%s:%d:%d: "):format(visible(f.file), f.line, f.column or 1) or ""
  local message = visible(f.message)
  if place == "" then wrap(f.kind .. ": " .. message, "", "  ", lines)
  -- one line, for tools that read it
  else lines[1] = place .. f.kind .. ": " .. message end
  lines[1] = lines[1]:gsub((f.kind:gsub("%-", "%%-")),
    function(kind) return style.bad(kind) end, 1)
  if f.kind == "race" then race_lines(f, lines, style)
  else show_line(lines, f.line, f.column, f.source_line, nil, style) end
  who_lines(f, lines)
  also_at(lines, f, more or {}, "column", "The same at %s of this line.")
  also_at(lines, f, more or {}, "other_column",
    ("The same with %%s of line %s."):format(f.other_line))
  if f.advice then
    wrap("fix: " .. visible(f.advice), "  ", "       ", lines)
  end
  lines[#lines + 1] = style.dim(('  see glossary "%s"'):format(f.look))
  return table.concat(lines, "\n")
end

----------------------------------------------------------------------- report

local function launch_words(r)
  if r.threads == 0 then return "which was not run" end
  return ("%s in %s"):format(plural(r.threads, "thread"),
    plural(r.threadgroups, "threadgroup"))
end

local function sentences(title, list, lines, style)
  for _, sentence in ipairs(list) do
    wrap(style.bad(title) .. " " .. sentence, "  ", "  ", lines)
  end
end

-- Lists to which threads append by a counter are no fault; nil: there is none.
function text.unordered(r)
  return r.unordered and
    ("threads append to %s by an atomic counter; another schedule gives the "
      .. "same elements in another order."):format(
      r.unordered)
end

local function order_of_lists(r, lines)
  local sentence = text.unordered(r)
  if sentence then wrap("Unordered: " .. sentence, "  ", "  ", lines) end
end

local function clean(r, style)
  local lines = {}
  lines[1] = ("%s %s, %s"):format(style.good "clean:", r.kernel,
    launch_words(r))
  local parts = {}
  for _, kind in ipairs(require("mettle.check").kinds) do
    if kind.clean ~= "" then parts[#parts + 1] = kind.clean end
  end
  local looked = table.concat(parts, ", "):gsub("^%l", string.upper)
  if #r.outputs > 0 then
    looked = looked .. "; all of " .. table.concat(r.outputs, ", ")
      .. " is written"
  end
  wrap(looked .. ".", "  ", "  ", lines)
  if r.schedules > 0 then
    wrap(("The answer is the same under %s (seed %d)%s."):format(
      plural(r.schedules, "other schedule"), r.seed,
      r.unordered and " but for the order of a list" or ""), "  ", "  ", lines)
  end
  order_of_lists(r, lines)
  sentences("Not checked:", r.unchecked, lines, style)
  return lines
end

-- Findings in lists: those of one kind in one memory on one line stand
-- together, since they are fixed together.
local function by_line(r)
  local lists, of = {}, {}
  for _, f in ipairs(r) do
    local key = table.concat({ f.kind, f.buffer or "", f.file or "",
      f.line or 0, f.other_line or 0, f.advice }, "\0")
    if not of[key] then
      of[key] = {}
      lists[#lists + 1] = of[key]
    end
    table.insert(of[key], f)
  end
  return lists
end

function text.report(r, style)
  style = style or plain
  local lines
  if r.ok then
    lines = clean(r, style)
  elseif #r == 0 then
    lines = { ("nothing found in %s, %s, but:"):format(r.kernel,
      launch_words(r)) }
    sentences("Not checked:", r.unchecked, lines, style)
  else
    lines = {}
    for _, alike in ipairs(by_line(r)) do
      lines[#lines + 1] = text.finding(alike[1], style,
        table.move(alike, 2, #alike, 1, {}))
      lines[#lines + 1] = ""
    end
    lines[#lines + 1] = ("%s in %s, %s%s"):format(
      style.bold(plural(#r, "finding")), r.kernel, launch_words(r),
      r.dropped > 0 and (", and %s more not shown"):format(
        units.count(r.dropped)) or "")
    if r.differs then
      wrap("It shows: " .. r.differs.message .. ".", "  ", "  ", lines)
    end
    order_of_lists(r, lines)
    sentences("Not checked:", r.unchecked, lines, style)
  end
  if r.stopped then
    wrap(style.bad "Stopped before the end:" .. " " .. r.stopped, "  ", "  ",
      lines)
  end
  return table.concat(lines, "\n")
end

return text
