-- slips.lua - likely slips at the prompt, answered in the learner's terms.
--
--   slips.syntax(text, number, message, open)  the text that Lua did not take,
--          the number of the line, Lua's message; 'open': it is not complete
--          yet. A sentence, the line as it should be, and whether the text is
--          MSL; nil if no slip is known
--   slips.failed(line, message)   a line whose run ended with a message of
--          Lua's: a sentence, the corrected line or nil, and whether a guess at
--          a similar name may follow; nil if it says nothing to us
--   slips.note(text)              a line that ran: a sentence where it likely
--          means something else; or nil, and the name if it is nothing but one
--          that has no value
--
-- The one idea: Lua decides first. Only what it refused, or what failed when it
-- ran, is looked up here, so that no valid Lua means anything else. The rows
-- are data: lua/slips/syntax.lua, names.lua and notes.lua.
--
-- A row's pattern sees a line without what stands in its strings: each is a
-- mark of two control characters with its number in between, so that a "!=" in
-- a string is none. A corrected line is shown only if Lua takes it.
local slips = {}

------------------------------------------------------------- strings set apart

local OPEN, CLOSE = "\1", "\2"

-- Where the string or comment that begins at 'at' ends; nil if none does.
local function literal_end(text, at)
  local two = text:sub(at, at + 1)
  local from = two == "--" and at + 2 or at
  local level = text:match("^%[(=*)%[", from)
  if level then
    local _, last = text:find("]" .. level .. "]", from, true)
    return last or #text
  end
  if two == "--" then return (text:find("\n", at, true) or #text + 1) - 1 end
  local quote = text:sub(at, at)
  local i = at + 1
  while i <= #text do
    local c = text:sub(i, i)
    if c == "\\" then i = i + 1
    elseif c == quote then return i
    elseif c == "\n" then return nil end
    i = i + 1
  end
end

-- The text with marks in place of strings and comments, and what they stand
-- for. A mark keeps the newlines of its string, so that lines still count.
local function hide(text)
  local out, kept, at = {}, {}, 1
  while at <= #text do
    local next_at = text:find("[\"'%-%[]", at)
    if not next_at then break end
    out[#out + 1] = text:sub(at, next_at - 1)
    local starts = text:find("^[\"']", next_at) or text:find("^%-%-", next_at)
      or text:find("^%[=*%[", next_at)
    local last = starts and literal_end(text, next_at)
    if last then
      local literal = text:sub(next_at, last)
      kept[#kept + 1] = literal
      out[#out + 1] = OPEN .. #kept .. CLOSE .. literal:gsub("[^\n]", "")
    else
      last = next_at
      out[#out + 1] = text:sub(next_at, next_at)
    end
    at = last + 1
  end
  out[#out + 1] = text:sub(at)
  return table.concat(out), kept
end

local function reveal(text, kept)
  return (text:gsub(OPEN .. "(%d+)" .. CLOSE, function(n)
    return kept[tonumber(n)]
  end))
end

------------------------------------------------------------------- the rows

-- Is this Lua, with … for what is left open?
local function is_lua(code)
  code = code:gsub("…", " ")
  return load("return " .. code, "=", "t") or load(code, "=", "t")
end

local function trim(text) return (text:gsub("^%s+", ""):gsub("%s+$", "")) end

-- What a row makes of a line: its sentence and the corrected line. 'say' and
-- 'write' are texts with captures (%1) or functions of them.
local function fill(row, pattern, line, kept)
  local captures = table.pack(line:match(pattern))
  local show = {}
  for i = 1, captures.n do
    show[i] = reveal(tostring(captures[i]), kept)
  end
  local function text_of(what)
    if type(what) == "function" then
      return what(table.unpack(show, 1, captures.n))
    end
    return what and (what:gsub("%%(%d)", function(n)
      return show[tonumber(n)]
    end))
  end
  local say = text_of(row.say)
  if not say then return nil end
  local written
  if row.whole then written = text_of(row.whole)
  elseif row.write then
    local changed = line:gsub(pattern, row.write)
    written = reveal(changed, kept)
  end
  if written and (trim(written) == trim(reveal(line, kept))
    or not is_lua(written)) then
    written = nil
  end
  return say, written and trim(written)
end

local function match_row(row, line, kept, message)
  if row.near and not message:find("near '" .. row.near, 1, true) then
    return nil
  end
  if row.error and not message:find(row.error) then return nil end
  for _, pattern in ipairs(type(row[1]) == "table" and row[1] or { row[1] }) do
    if line:find(pattern) then
      local say, written = fill(row, pattern, line, kept)
      if say then return say, written end
    end
  end
end

local function search(rows, line, kept, message, wanted)
  for _, row in ipairs(rows) do
    if not wanted or wanted(row) then
      local say, written = match_row(row, line, kept, message)
      if say then return say, written, row end
    end
  end
end

---------------------------------------------------------------------- syntax

local function nth_line(text, number)
  local n = 0
  for line in (text .. "\n"):gmatch "([^\n]*)\n" do
    n = n + 1
    if n == number then return line end
  end
  return ""
end

local function last_line(text)
  return text:match "([^\n]*)\n*$"
end

function slips.syntax(text, number, message, open)
  local rows = require "lua.slips.syntax"
  local hidden, kept = hide(text)
  local first = trim(hidden)
  for _, row in ipairs(rows.msl) do -- by the text's beginning
    local say = match_row(row, first, kept, message)
    if say then return say, nil, true end
  end
  local line = trim(open and last_line(hidden) or nth_line(hidden, number))
  if line == "" then return nil end
  local say, written = search(rows, line, kept, message,
    open and function(row) return row.open end)
  return say, written, false
end

------------------------------------------------------------------------- runs

-- "in CUDA …": a word of another library that a dictionary knows.
local function in_dictionary(name, word)
  local ok, entry = pcall(function()
    return require "lua.reference.rosetta".entry(name, word)
  end)
  return ok and entry or nil
end

-- Where a line has "np.array": what that is here.
function slips.elsewhere(library, dictionary, word)
  for _, name in ipairs { dictionary, "numpy", "torch" } do
    local entry = word and in_dictionary(name, library .. "." .. word)
      or word and in_dictionary(name, word)
    if entry then
      return ('%s.%s: here it is %s; %s "%s" has an example'):format(library,
        word, (entry.ours:gsub("`", "")), name, word)
    end
  end
  return ('%s is not part of Mettle: %s() lists what its '
    .. 'words are here'):format(
    library, dictionary)
end

function slips.cuda(word)
  local entry = in_dictionary("cuda", word)
  return entry and ('%s is CUDA: here it is %s; cuda "%s" has an example')
    :format(word, (entry.ours:gsub("`", "")), word)
end

-- matmul(a, b): a word of NumPy or PyTorch.
function slips.python(word)
  for _, name in ipairs { "numpy", "torch" } do
    local entry = in_dictionary(name, word)
    if entry and entry.ours ~= "none" then
      return ('%s: here it is %s; %s "%s" has an example'):format(word,
        (entry.ours:gsub("`", "")), name, word)
    end
  end
end

function slips.failed(line, message)
  local names = require "lua.slips.names"
  local hidden, kept = hide(line)
  hidden = trim(hidden)
  local what = message:gsub("^[^\n]-:%d+: ", "", 1)
  local say, written = search(names.rows, hidden, kept, what)
  if say then return say, written, false end
  local kind, name = what:match "a nil value %((%l+) '([%w_]+)'%)"
  if kind == "global" then
    local row = names.globals[name]
    if row then
      say, written = fill(row, row[1] or "", hidden, kept)
      return say or row.say, written, false
    end
    say = slips.cuda(name)
      or what:find "^attempt to call" and #name > 2 and slips.python(name)
    if say then return say, nil, false end
    return ("%s has no value: nothing of that name was defined"):format(name),
      nil, true
  end
  local row = kind and names.fields[name]
  if row then return row.say, nil, false end
  local has_no = what:match "^a %l+ has no '([%w_]+)'"
  row = has_no and names.members[has_no]
  if row then
    say, written = fill(row, row[1] or "", hidden, kept)
    return say or row.say, written, false
  end
end

------------------------------------------------------------------------ notes

function slips.note(text)
  local notes = require "lua.slips.notes"
  local hidden, kept = hide(text)
  local line = trim(hidden)
  local bare = line:match "^([%a_][%w_]*)[;%s]*$"
  if bare and bare ~= "nil" and bare ~= "_" and _G[bare] == nil then
    local row = notes.bare[bare] or notes.words[bare]
    return row, not row and bare or nil
  end
  for word in hidden:gmatch "%f[%w_]([%a_][%w_]*)%f[^%w_]" do
    if notes.words[word] and _G[word] == nil
      and not hidden:find("[.:]%s*" .. word .. "%f[^%w_]")
      and not hidden:find("%f[%w_]" .. word .. "%s*=[^=]") then
      return notes.words[word]
    end
  end
  for _, row in ipairs(notes.rows) do
    local say = match_row(row, line, kept, "")
    if say then return say end
  end
end

return slips
