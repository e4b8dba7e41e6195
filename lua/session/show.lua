-- show.lua - values as text for a person: what the console prints.
--
--   local show = require "lua.session.show"
--   show.text(v)         one value, cut where it gets long
--   show.text(v, true)   all of it
--   show.show(...)       prints all of each value; the global show
--   show.print(...)      prints what an expression gave; used by the console
--
-- A string stands as it is, but quoted inside a table. A table shows its
-- contents: the array part first, then the other keys sorted, on one line if it
-- fits, nested with indentation if not; a table met again inside itself is
-- <cycle>. Everything with a __tostring speaks for itself.
local verdict = require "lua.session.verdict"

local show = {}

local WIDTH = 78       -- a table that fits stands on one line
local ITEMS = 40       -- elements of one table shown before it is cut
local DEPTH = 6        -- tables inside tables
local DEEPEST = 150    -- the same, where all is shown: Lua's stack has an end
local LINES = 60       -- lines of one value
local STRING = 200     -- bytes of a string inside a table

local keywords = {}
for word in ([[and break do else elseif end false for function goto if in local
nil not or repeat return then true until while]]):gmatch "%a+" do
  keywords[word] = true
end

local function is_name(s)
  return s:find "^[%a_][%w_]*$" and not keywords[s]
end

local escapes = { ["\n"] = "\\n", ["\t"] = "\\t", ["\r"] = "\\r",
  ['"'] = '\\"', ["\\"] = "\\\\" }
local function hex(c) return ("\\x%02x"):format(c:byte()) end

-- Bytes that are no UTF-8, as escapes; the rest as it is. Only this makes a
-- text whose columns can be counted.
local function readable(s)
  local parts, from = {}, 1
  while true do
    local whole, bad = utf8.len(s, from)
    if whole then break end
    parts[#parts + 1] = s:sub(from, bad - 1)
    parts[#parts + 1] = hex(s:sub(bad, bad))
    from = bad + 1
  end
  return table.concat(parts) .. s:sub(from)
end

-- Control characters as escapes (U+0080 to U+009F are some too), UTF-8 as it
-- is.
local function quote(s)
  s = s:gsub('[%c"\\]', function(c) return escapes[c] or hex(c) end)
  s = readable(s):gsub("\xc2[\x80-\x9f]", function(c)
    return (c:gsub(".", hex))
  end)
  return '"' .. s .. '"'
end

local columns = require "lua.text.units".width

-- Cut at a character, not inside one.
local function head(s, n)
  while n > 0 and (s:byte(n + 1) or 0) & 0xc0 == 0x80 do n = n - 1 end
  return s:sub(1, n)
end

local function number(v)
  if v ~= v then return "nan" end -- the system's may be "-nan"
  return tostring(v)
end

-- One that the help knows says how it is called.
local function of_function(f)
  local ok, topic = pcall(function() return require "lua.reference.help".about(
    f) end)
  if ok and topic then
    return ('function: %s; help "%s" says more'):format(topic.signature,
      topic.name)
  end
  local info = debug.getinfo(f, "S")
  if info.what == "C" then return "function: built in" end
  local where = readable(info.short_src):gsub("console#%d+", "console")
  return ("function: %s:%d"):format(where, info.linedefined)
end

-- What tostring says, or why it says nothing: the mistake of a __tostring must
-- not hide everything else that is being shown.
local function said(f, v)
  local ok, text = pcall(f, v)
  if ok and type(text) == "string" then return text end
  return ("<%s whose text cannot be had: %s>"):format(type(v),
    ok and "its __tostring gives a " .. type(text) or type(text) == "string" and
      text or type(text))
end

-- __show is for a person at a terminal: __tostring with colours. The metatable
-- is the real one, whatever its __metatable says: it is only looked at.
local function own_text(v)
  local meta = debug.getmetatable(v)
  if type(v) == "string" or not meta then return nil end
  local colourful = rawget(meta, "__show")
  if colourful and require "lua.text.style".on() then
    return said(colourful, v)
  end
  if rawget(meta, "__tostring") then return said(tostring, v) end
end

-- numbers before strings before the rest, which are in the order of their texts
local rank = { number = 1, string = 2, boolean = 3 }
local function order(keys)
  local texts = {} -- made once: a __tostring may say something else each time
  for _, k in ipairs(keys) do
    if (rank[type(k)] or 4) > 2 then texts[k] = own_text(k) or tostring(k) end
  end
  table.sort(keys, function(a, b)
    local ra, rb = rank[type(a)] or 4, rank[type(b)] or 4
    if ra ~= rb then return ra < rb end
    if ra <= 2 then return a < b end
    return texts[a] < texts[b]
  end)
end

local value -- forward

local function key(k, state)
  if type(k) == "string" then
    return is_name(k) and k or "[" .. quote(k) .. "]"
  end
  return "[" .. value(k, state, DEEPEST + 1) .. "]"
end

local function sorted_keys(t, array)
  local keys = {}
  for k in next, t do
    if not (math.type(k) == "integer" and k >= 1 and k <= array) then
      keys[#keys + 1] = k
    end
  end
  order(keys)
  return keys
end

-- Length of 1, 2, 3, ... without a hole.
local function array_length(t)
  local n = 0
  while rawget(t, n + 1) ~= nil do n = n + 1 end
  return n
end

local function items_of(t, state, depth)
  local items, array = {}, array_length(t)
  local keys = sorted_keys(t, array)
  local most = state.all and math.huge or ITEMS
  for i = 1, math.min(array, most) do
    items[#items + 1] = value(rawget(t, i), state, depth + 1)
  end
  for _, k in ipairs(keys) do
    if #items >= most then break end
    items[#items + 1] = key(k, state) .. " = " ..
      value(rawget(t, k), state, depth + 1)
  end
  local left = array + #keys - #items
  if left > 0 then
    state.cut = true
    items[#items + 1] = ("... %d more"):format(left)
  end
  return items
end

local function fits(items, depth)
  local length = 2 * depth + 4
  for _, item in ipairs(items) do
    if item:find "\n" then return false end
    length = length + columns(item) + 2
    if length > WIDTH then return false end
  end
  return true
end

-- Rows of short items side by side: a list of 40 numbers is not 40 lines.
local function rows(items, pad)
  local widest = 0
  for _, item in ipairs(items) do
    if item:find "\n" then return nil end
    widest = math.max(widest, columns(item))
  end
  if widest > 18 then return nil end
  local per_row = math.max(1, (WIDTH - #pad) // (widest + 2))
  local lines, line = {}, {}
  for i, item in ipairs(items) do
    line[#line + 1] = item
    if #line == per_row or i == #items then
      lines[#lines + 1] = table.concat(line, ", ")
      line = {}
    end
  end
  return lines
end

-- A matrix, a list of equally long lists of numbers: its rows with their
-- columns aligned; nil if it is none, or too wide.
local function matrix(t, items, pad)
  local wide, widths, cells = #t[1], {}, {}
  if wide < 2 or #t ~= #items then return nil end
  for r, row in ipairs(t) do
    if type(row) ~= "table" or debug.getmetatable(row) or #row ~= wide or
        next(row, wide) ~= nil then
      return nil
    end
    cells[r] = {}
    for c = 1, wide do
      if type(rawget(row, c)) ~= "number" then return nil end
      cells[r][c] = number(row[c])
      widths[c] = math.max(widths[c] or 0, #cells[r][c])
    end
  end
  local lines = {}
  for r, row in ipairs(cells) do
    for c = 1, wide do row[c] = (" "):rep(widths[c] - #row[c]) .. row[c] end
    lines[r] = "{" .. table.concat(row, ", ") .. "}"
  end
  return #pad + #lines[1] + 1 <= WIDTH and lines or nil
end

local function of_table(t, state, depth)
  if state.seen[t] then return "<cycle>" end
  if depth > (state.all and DEEPEST or DEPTH) then
    state.cut = state.cut or next(t) ~= nil
    return next(t) == nil and "{}" or "{...}"
  end
  state.seen[t] = true
  local items = items_of(t, state, depth)
  state.seen[t] = nil
  if #items == 0 then return "{}" end
  if fits(items, depth) then return "{" .. table.concat(items, ", ") .. "}" end
  local pad = ("  "):rep(depth + 1)
  local lines = type(rawget(t, 1)) == "table" and matrix(t, items, pad) or
    rows(items, pad) or items
  return "{\n" .. pad .. table.concat(lines, ",\n" .. pad) .. "\n" ..
    ("  "):rep(depth) .. "}"
end

-- Text of several lines inside a table keeps its indentation.
local function indent(text, depth)
  return (text:gsub("\n", "\n" .. ("  "):rep(depth)))
end

function value(v, state, depth)
  local kind = type(v)
  local text = own_text(v)
  if text then return indent(readable(text), depth) end
  if kind == "string" then
    if #v > STRING and not state.all then
      state.cut = true
      return quote(head(v, STRING)) .. ("... (%d bytes)"):format(#v)
    end
    return quote(v)
  elseif kind == "number" then return number(v)
  elseif kind == "table" then return of_table(v, state, depth)
  elseif kind == "function" then return of_function(v)
  end
  return readable(tostring(v))
end

local function cut_lines(text, state)
  local at, lines = 0, 0
  repeat
    at = text:find("\n", at + 1, true)
    lines = lines + 1
  until not at or lines == LINES
  if not at then return text end
  local _, left = text:sub(at + 1):gsub("\n", "")
  if left + 1 < 5 then return text end -- a note would be as long
  state.cut = true
  return text:sub(1, at) .. ("... %d more lines"):format(left + 1)
end

-- The text of 'v', and whether something was left out.
function show.text(v, all)
  local state = { all = all, seen = {}, cut = false }
  local text
  if type(v) == "string" then
    text = v
    if not all and #v > WIDTH * LINES then
      text = head(v, WIDTH * LINES) .. ("... (%d bytes)"):format(#v)
      state.cut = true
    end
  else
    text = value(v, state, 0)
  end
  if not all then text = cut_lines(text, state) end
  return text, state.cut
end

-- Several values: on one line if each has one.
local function join(texts)
  for _, text in ipairs(texts) do
    if text:find "\n" then return table.concat(texts, "\n") end
  end
  return table.concat(texts, "\t")
end

local function texts_of(all, ...)
  local texts, cut = {}, false
  for i = 1, select("#", ...) do
    local was_cut
    texts[i], was_cut = show.text((select(i, ...)), all)
    cut = cut or was_cut
  end
  return join(texts), cut
end

function show.show(...)
  local text = texts_of(true, ...)
  io.stdout:write(text, "\n")
end

-- What the console prints of an expression's values; 'note' paints the note.
function show.print(note, ...)
  if select("#", ...) == 0 or verdict.printed(...) then return end
  local text, cut = texts_of(false, ...)
  io.stdout:write(text, "\n")
  if cut then
    io.stdout:write(note "-- cut: show(_) prints all of it", "\n")
  end
  for i = 1, select("#", ...) do
    local meta = debug.getmetatable((select(i, ...)))
    if type(meta) == "table" and rawget(meta, "__picture") then
      require "lua.session.image".below((select(i, ...)))
    end
  end
end

return show
