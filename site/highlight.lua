-- highlight.lua - code as HTML, its words in classes that the style colours.
--
--   highlight.html(text, language)   "lua", "metal", "cpp", "swift", "python",
--                                    "sh"; any other is only escaped
--
-- Rules in order decide each piece: comment, string, number, keyword, type.
local highlight = {}

function highlight.escape(s)
  return (s:gsub("[&<>\"]", { ["&"] = "&amp;", ["<"] = "&lt;", [">"] = "&gt;",
    ['"'] = "&quot;" }))
end

local function set(words)
  local all = {}
  for word in words:gmatch "%S+" do all[word] = true end
  return all
end

local c_keywords = [[
alignas auto break case class const constant constexpr continue default delete
device do else enum explicit false for if inline kernel namespace new nullptr
object_data operator private public return sizeof static struct switch template
this thread threadgroup true typedef typename union using volatile while]]
local c_types = set [[
atomic_float atomic_int atomic_uint bfloat bool char double float half int long
sampler short size_t uchar uint ulong ushort void simdgroup_float8x8
simdgroup_half8x8 texture1d texture2d texture3d texture2d_array]]

-- Of each language: how a comment begins, long pieces, keywords, types.
local c = { line = "//", long = { { "/*", "*/" } }, keywords = set(c_keywords),
  types = c_types }
local languages = {
  lua = { line = "--", keywords = set [[
    and break do else elseif end false for function goto if in local nil not or
    repeat return then true until while]], types = {},
    brackets = true },
  metal = c, cpp = c, c = c, cuda = c,
  swift = { line = "//", long = { { "/*", "*/" } }, keywords = set [[
    as case class else false for func guard if import in let nil return self
    static struct true try var while]], types = set "Float Int String UInt32" },
  python = { line = "#", keywords = set [[
    and as class def elif else False for from if import in is lambda None not or
    return True while with]], types = {} },
  sh = { line = "#", keywords = set [[
    case do done elif else esac fi for if in then while]], types = {} },
}

local function span(class, s)
  return ('<span class="%s">%s</span>'):format(class, highlight.escape(s))
end

-- The end of a piece that begins at 'at' and its class; nil: a plain character.
local function long_piece(l, text, at)
  for _, pair in ipairs(l.long or {}) do
    if text:sub(at, at + #pair[1] - 1) == pair[1] then
      local _, stop = text:find(pair[2], at + #pair[1], true)
      return stop or #text, "c"
    end
  end
end

local function comment(l, text, at)
  if text:sub(at, at + #l.line - 1) == l.line then
    return (text:find("\n", at, true) or #text + 1) - 1, "c"
  end
end

local function quoted(_, text, at)
  local quote = text:sub(at, at)
  if quote ~= '"' and quote ~= "'" then return end
  local i = at + 1
  while i <= #text do
    local ch = text:sub(i, i)
    if ch == "\\" then i = i + 1
    elseif ch == quote then return i, "s"
    elseif ch == "\n" then return end
    i = i + 1
  end
end

local function word(l, text, at)
  local w = text:match("^[%a_][%w_]*", at)
  if not w then return end
  local class = l.keywords[w] and "k"
    or (l.types[w] or l.types[w:gsub("[234]$", "")]) and "t" or ""
  return at + #w - 1, class
end

local function number(_, text, at)
  local n = text:match("^0x[%x]+", at) or text:match("^%d[%w.]*", at)
  if n then return at + #n - 1, "n" end
end

local rules = { long_piece, comment, quoted, word, number }

local function piece(l, text, at)
  for _, rule in ipairs(rules) do
    local stop, class = rule(l, text, at)
    if stop then return stop, class end
  end
end

local pieces

-- A kernel in Lua's long brackets is Metal's language.
local function kernel_in_lua(out, text, at)
  local level = text:match("^%[(=*)%[", at)
  if not level then return end
  local close = "]" .. level .. "]"
  local first, last = text:find(close, at, true)
  if not first then return end
  local open = #level + 2
  out[#out + 1] = text:sub(at, at + open - 1)
  pieces(out, languages.metal, text:sub(at + open, first - 1))
  out[#out + 1] = close
  return last
end

pieces = function(out, l, text)
  local at = 1
  while at <= #text do
    local last = l.brackets and kernel_in_lua(out, text, at)
    local class
    if not last then
      last, class = piece(l, text, at)
      last = last or at
      local s = text:sub(at, last)
      out[#out + 1] = class and class ~= "" and span(class, s)
        or highlight.escape(s)
    end
    at = last + 1
  end
end

function highlight.html(text, language)
  local l = languages[language]
  if not l then return highlight.escape(text) end
  local out = {}
  pieces(out, l, text)
  return table.concat(out)
end

return highlight
