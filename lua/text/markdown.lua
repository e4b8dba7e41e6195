-- markdown.lua - a lesson's text: read into steps, and shown on a terminal.
--
--   local t = text.read(markdown)
--   t.title, t.steps         a step: title, line, blocks, links
--   text.show(step, width)   the step as lines, wrapped
--
-- A block is { kind = "code", language =, fails =, text =, line = } or { kind =
-- "paragraph" | "item" | "table", lines = … }. A block of Lua may have
-- 'expect', the blocks that say what it must show (lua/lint/expect.lua); a
-- learner does not see them. Links are { word =, to = "glossary", name =,
-- line = }; in the text only the word stays, and what to type for it stands
-- below the step.
--
-- Without colours everything must be told apart as well: code is indented,
-- output to look at has a bar before it, words of code keep their backquotes.
local paragraphs = require "lua.text.paragraphs"
local style = require "lua.text.style"
local units = require "lua.text.units"
local system = require "mettle.system"
local visible = system.visible -- a lesson may be a stranger's

local text = {}

-------------------------------------------------------------------- reading

-- Links may go over the end of a line, so they are taken when a block is whole.
local function take_links(block, step)
  local from = 1
  local all = table.concat(block.lines, "\n")
  local plain = all:gsub("()%[([^%[%]]+)%]%((%a+):([^)\n]+)%)",
    function(at, word, to, name)
      local _, before = all:sub(from, at):gsub("\n", "")
      step.links[#step.links + 1] = { word = word:gsub("\n", " "), to = to,
        name = name, line = (block.line or 0) + before }
      return word
    end)
  block.lines = {}
  for line in (plain .. "\n"):gmatch "([^\n]*)\n" do
    block.lines[#block.lines + 1] = line
  end
end

-- "- " or "3. " of a list's item, or nil.
local function marker(line) return line:match "^%- " or line:match "^%d+%. " end

local function kind_of(line, last)
  if line:find "^|" then return "table" end
  -- a number at the start of a line is an item's only where a list may begin
  local may_begin = not last or last.kind ~= "paragraph"
  if line:find "^%- " or may_begin and marker(line) then return "item" end
  if last and last.kind == "item" and line:find "^  " then return "item" end
  return "paragraph"
end

-- Adds one line that is not code to the blocks of 'step'.
local function add_line(step, line, number)
  local last = step.blocks[#step.blocks]
  if line == "" then
    step.blocks[#step.blocks + 1] = { kind = "gap" }
    return
  end
  local kind = kind_of(line, last)
  if last and last.kind == kind and not (kind == "item" and marker(line)) then
    last.lines[#last.lines + 1] = line
  else
    step.blocks[#step.blocks + 1] = { kind = kind, lines = { line },
      line = number }
  end
end

-- The block of Lua that a block 'expect' is about: the one above it.
local function above(step)
  for i = step and #step.blocks or 0, 1, -1 do
    local block = step.blocks[i]
    if block.kind == "code" then return block.language == "lua" and block end
    if block.kind ~= "gap" then return nil end
  end
end

-- The text as { title, steps, problems }. What stands before the first step is
-- left out, and said in 'problems': a list of { line, sentence }.
function text.read(markdown)
  local t = { steps = {}, problems = {} }
  local step, code
  local number = 0
  local function problem(at, sentence)
    t.problems[#t.problems + 1] = { line = at, text = sentence }
  end
  for line in (visible((markdown:gsub("\r\n", "\n")))
    .. "\n"):gmatch "([^\n]*)\n" do
    number = number + 1
    local fence = line:match "^%s*```(.*)$"
    if code and fence then
      code.text = table.concat(code.lines, "\n")
      code = nil
    elseif code then
      code.lines[#code.lines + 1] = line
    elseif fence then
      local language, flag = fence:match "^(%a*)%s*(%a*)%s*$"
      code = { kind = "code", language = language or "",
        fails = flag == "fails", lines = {}, line = number }
      local shown = language == "expect" and above(step)
      if shown then
        shown.expect = shown.expect or {}
        table.insert(shown.expect, code)
      elseif language == "expect" then
        problem(number, "expect stands below a block of Lua")
      elseif step then
        step.blocks[#step.blocks + 1] = code
      else
        problem(number, "a code block before the first step")
      end
      if not language or (flag ~= "" and flag ~= "fails") then
        problem(number, "a code block is called '" .. fence .. "'")
      end
    elseif line:find "^# " then
      if t.title then problem(number, "a second title") end
      t.title = line:match "^# +(.-)%s*$"
    elseif line:find "^## " then
      step = { title = line:match "^## +(.-)%s*$", line = number, blocks = {},
        links = {} }
      t.steps[#t.steps + 1] = step
    elseif step then
      add_line(step, line, number)
    elseif line:find "%S" then
      problem(number, "text before the first step")
    end
  end
  if code then
    problem(code.line, "a code block that does not end")
    code.text = table.concat(code.lines, "\n")
  end
  for _, one in ipairs(t.steps) do
    for _, block in ipairs(one.blocks) do
      if block.lines and block.kind ~= "code" then take_links(block, one) end
    end
  end
  return t
end

-- The code blocks of a step in that language.
function text.code(step, language)
  local list = {}
  for _, block in ipairs(step.blocks) do
    if block.kind == "code" and block.language == language then
      list[#list + 1] = block
    end
  end
  return list
end

-------------------------------------------------------------------- showing

-- `code`, **bold** and *emphasis* in text that is wrapped already. A span may
-- go over the end of a line.
local function inline(s)
  if not style.on() then return (s:gsub("%*%*(.-)%*%*", "%1")) end
  s = s:gsub("`([^`]+)`", function(word) return style.code(word) end)
  s = s:gsub("%*%*(.-)%*%*", function(word) return style.bold(word) end)
  return (s:gsub("%f[%S]%*(%w[^*\n]-)%*",
    function(word) return style.bold(word) end))
end

text.inline = inline

-- The columns that it will have: with colours the marks of `code` and **bold**
-- are not there.
local function columns(s)
  if style.on() then s = s:gsub("`", ""):gsub("%*%*(.-)%*%*", "%1") end
  return units.width(s)
end

local show = {}

function show.gap() return "" end
function show.paragraph(b, width)
  return inline(units.wrap(table.concat(b.lines, " "), width, "", "", columns))
end
function show.item(b, width)
  local words = table.concat(b.lines, " ")
  local mark = marker(words)
  return inline(units.wrap(words:sub(#mark + 1), width, "  " .. mark,
    (" "):rep(2 + #mark), columns))
end
function show.table(b, width)
  return inline(paragraphs.align(b.lines, width, columns))
end

-- A line of code that is too long for the window goes on below, further in; the
-- terminal would cut it inside a word.
local function folded(line, room)
  local parts, indent = {}, line:match "^%s*"
  while units.width(line) > room do
    local at = line:sub(1, system.fits(line, room)):match "^%s*%S.*()%s"
    if not at or at < room // 6 then break end
    parts[#parts + 1] = line:sub(1, at - 1)
    local rest = line:sub(at):gsub("^%s+", "")
    local left = room - units.width(rest)
    line = (" "):rep(math.max(4, math.min(#indent + 4, left))) .. rest
  end
  parts[#parts + 1] = line
  return parts
end

function show.code(b, width)
  local before = b.language == "text" and "  | " or "    "
  local lines = {}
  for _, line in ipairs(b.lines) do
    for _, part in ipairs(folded(line, width - #before)) do
      lines[#lines + 1] = (before .. part):gsub("%s+$", "")
    end
  end
  local all = table.concat(lines, "\n")
  return b.language == "text" and style.dim(all) or style.code(all)
end

-- The step as text that ends without a newline.
function text.show(step, width)
  local out = {}
  for _, block in ipairs(step.blocks) do
    local shown = show[block.kind](block, width)
    if shown ~= "" or (#out > 0 and out[#out] ~= "") then
      out[#out + 1] = shown
    end
  end
  while out[#out] == "" do out[#out] = nil end
  return table.concat(out, "\n")
end

-- What to type for the links of a step, each once: { 'glossary "grid"', … }
function text.look_up(step)
  local list, known = {}, {}
  for _, link in ipairs(step.links) do
    local what = ('%s "%s"'):format(link.to, link.name)
    if not known[what] then list[#list + 1] = what end
    known[what] = true
  end
  return list
end

-------------------------------------------------------------------- running

local function complete(chunk)
  local f, why = load("return " .. chunk, "=lesson", "t")
  if f then return true end
  f, why = load(chunk, "=lesson", "t")
  return f ~= nil or not why:find "<eof>"
end

-- A block of Lua as the console would take it: a list of chunks, each as soon
-- as it is complete.
function text.chunks(code)
  local list, chunk = {}, nil
  for line in (code .. "\n"):gmatch "([^\n]*)\n" do
    if chunk or line:find "%S" then
      chunk = chunk and chunk .. "\n" .. line or line
      if complete(chunk) then
        list[#list + 1] = chunk
        chunk = nil
      end
    end
  end
  if chunk then list[#list + 1] = chunk end
  return list
end

-- Run one chunk in 'env'; its values as from table.pack. Raises.
function text.run(chunk, env)
  local f = load("return " .. chunk, "=lesson", "t", env)
  local why
  if not f then
    f, why = load(chunk, "=lesson", "t", env)
    if not f then error(why, 0) end
  end
  return table.pack(f())
end

return text
