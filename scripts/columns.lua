-- columns.lua - names lines of code that are longer than 80 columns, and lines
-- of Markdown that are longer than 120.
--
--   mettle scripts/columns.lua [--strings] FILE...   status 1 if there are any
--
-- Left out: tables between "clang-format off" and "on"; but in C, a line that
-- is too long for one string in it, and what stands in a long string, in quotes
-- over several lines or in a here-document, which is another language's. With
-- --strings, as for the modules of lua/, a line is not too long for a string. In
-- Markdown, tables and code; lines that are data ("also: …") or one link.
local LIMIT, PROSE = 80, 120
local strings = arg[1] == "--strings" and table.remove(arg, 1) ~= nil

-- Where a long string begins that does not end in this line, and what ends it.
local function long_string(line)
  local at = 1
  while true do
    local first, last, level = line:find("%[(=*)%[", at)
    if not first then return end
    local close = "]" .. level .. "]"
    at = select(2, line:find(close, last + 1, true))
    if not at then return first, close end
  end
end

-- The quote that is open where the line of a shell script ends and where it
-- begins, or nil.
local function shell_quote(line, quote)
  local at, first = 1, quote and 0
  while at <= #line do
    local c = line:sub(at, at)
    if c == "\\" and quote ~= "'" then
      at = at + 1
    elseif c == quote then
      quote = nil
    elseif not quote and (c == "'" or c == '"') then
      quote, first = c, at
    elseif not quote and line:find("^%f[^%s\0]#", at) then
      return nil
    end
    at = at + 1
  end
  return quote, first
end

-- The line without its strings, if one of them is long; one that goes on in the
-- next line is long.
local function without_strings(line, kind)
  local long
  if kind == "shell" then
    local quote, first = shell_quote(line)
    if quote then line, long = line:sub(1, first - 1), true end
  end
  local function drop(_, text)
    if #text > 20 then long = true end
    return ""
  end
  local rest = line:gsub("\\.", "xx"):gsub("(['\"])(.-)%1", drop)
  if kind == "lua" then
    rest = rest:gsub("%[(=*)%[(.-)%]%1%]", drop)
    local open = long_string(rest)
    if open then return rest:sub(1, open + 1) end
  end
  return long and rest or line
end

local function is_long(line, limit)
  return (utf8.len(line) or #line) > limit
end

-- Can a line of Markdown be broken? Not where a link, or a code span, is all.
local function is_prose(line)
  if line:find "^    " or line:find "^%s*[|#<]" or line:find "^also:" then
    return false
  end
  return line:gsub("!?%[.-%]%b()", "link"):gsub("`[^`]*`", "code")
    :find "%S%s+%S" ~= nil
end

local function kind_of(path)
  if path:find "%.lua$" then return "lua" end
  if path:find "%.md$" then return "md" end
  if path:find "%.sh$" then return "shell" end
  if path:find "Makefile$" or path:find "%.mk$" then return "make" end
  local file <close> = assert(io.open(path))
  return (file:read() or ""):find "^#!.*sh$" and "shell" or "c"
end

-- Each gives, for a line and the text that is open before it, the text that is
-- open after it: what ends it.
local open_text = {
  lua = function(line, text)
    if text then return not line:find(text, 1, true) and text or nil end
    if line:find "^%s*%-%-" then return end
    local rest = line:gsub("\\.", "xx"):gsub("(['\"])(.-)%1", "")
    return select(2, long_string(rest))
  end,
  shell = function(line, text)
    if text and #text > 1 then
      return "<<" .. line:gsub("^\t*", "") ~= text and text or nil
    end
    local quote = shell_quote(line, text)
    if quote then return quote end
    local word = line:gsub("<<<", ""):match "<<%-?%s*['\"]?([%a_][%w_]*)"
    return word and "<<" .. word
  end,
  md = function(line, text)
    local fence = line:match "^%s*(```)" or line:match "^%s*(~~~)"
    if text then return fence ~= text and text or nil end
    return fence
  end,
  make = function() end,
  c = function() end,
}

local function check(path)
  local number, table_, text, found = 0, false, nil, 0
  local kind = kind_of(path)
  for line in io.lines(path) do
    number = number + 1
    if line:find "clang%-format off" then table_ = true end
    if line:find "clang%-format on" then table_ = false end
    local inside = text
    text = open_text[kind](line, text)
    local code, limit = line, kind == "md" and PROSE or LIMIT
    if kind == "md" then
      if not is_prose(line) then code = "" end
    elseif kind ~= "c" and not strings then
      code = without_strings(line, kind)
    end
    if not table_ and not inside and is_long(code, limit) then
      print(("%s:%d: %d columns"):format(path, number, utf8.len(line) or #line))
      found = found + 1
    end
  end
  return found
end

local found = 0
for _, path in ipairs(arg) do found = found + check(path) end
os.exit(found == 0 and 0 or 1)
