-- units.lua - numbers as a person reads them: three digits and a unit.
--
--   units.time(0.00123)          "1.23 ms"
--   units.rate(2.5e9, "B/s")     "2.50 GB/s"
--   units.count(1000000)         "1,000,000"
--   units.short(1000000)         "1M"
--   units.percent(0.0123)        "1.2 %"
--   units.pad("µs", 5)           filled up to 5 columns; units.right on the
--                                left
--   units.many(1, "figure")      "1 figure"
local system = require "mettle.system"

local units = {}

-- Three significant digits without an exponent, for 0.001 up to 9999.
function units.three(v)
  local a = math.abs(v)
  if a >= 99.95 then return ("%.0f"):format(v) end
  if a >= 9.995 then return ("%.1f"):format(v) end
  if a >= 0.9995 then return ("%.2f"):format(v) end
  return ("%.3g"):format(v)
end

-- Not a number, infinite or none at all: what stands in place of a number.
local function odd(v)
  if type(v) ~= "number" or v ~= v then return "-" end
  if v == math.huge or v == -math.huge then return v > 0 and "inf" or "-inf" end
end

local function scaled(v, steps)
  local a = math.abs(v)
  for _, step in ipairs(steps) do
    if a >= step[1] * 0.9995 then return units.three(v / step[1]), step[2] end
  end
  local last = steps[#steps]
  return units.three(v / last[1]), last[2]
end

local times = { { 1, "s" }, { 1e-3, "ms" }, { 1e-6, "µs" }, { 1e-9, "ns" } }

function units.time(seconds)
  if odd(seconds) then return odd(seconds) end
  if seconds == 0 then return "0 s" end
  if seconds >= 120 then
    return ("%d min %02d s"):format(seconds // 60, math.floor(seconds % 60))
  end
  local number, unit = scaled(seconds, times)
  return number .. " " .. unit
end

local factors = { { 1e12, "T" }, { 1e9, "G" }, { 1e6, "M" }, { 1e3, "k" },
  { 1, "" } }

function units.rate(v, unit)
  if odd(v) then return odd(v) end
  local number, prefix = scaled(v, factors)
  return number .. " " .. prefix .. unit
end

function units.bytes(v) return units.rate(v, "B") end

-- 1234567 as 1,234,567
function units.count(v)
  if odd(v) then return odd(v) end
  local text = ("%.0f"):format(v)
  local sign, digits = text:match "^(-?)(%d+)$"
  digits = digits:reverse():gsub("(%d%d%d)", "%1,"):reverse():gsub("^,", "")
  return sign .. digits
end

-- For axes and narrow columns: 1500 is 1.5k, 1e6 is 1M, 0.25 is 0.25.
function units.short(v)
  if odd(v) then return odd(v) end
  if v == 0 then return "0" end
  local a = math.abs(v)
  if a < 1e-3 or a >= 1e15 then
    return (("%.3g"):format(v):gsub("e([-+])0*", "e%1"))
  end
  if a < 10000 and a == math.floor(a) then return ("%d"):format(v) end
  for _, f in ipairs(factors) do
    if a >= f[1] * 0.9995 then return ("%.3g"):format(v / f[1]) .. f[2] end
  end
  return ("%.3g"):format(v)
end

function units.percent(share)
  if odd(share) then return odd(share) end
  local p = share * 100
  return (math.abs(p) >= 10 and "%.0f %%" or "%.1f %%"):format(p)
end

-- How much faster or slower: "12.3×".
function units.times(v)
  if odd(v) then return odd(v) end
  if v >= 1000 then return units.count(v) .. "×" end
  return units.three(v) .. "×"
end

----------------------------------------------------------------- text columns

-- Columns a text takes on a terminal: wide characters two, colours none.
units.width = system.columns

function units.pad(text, columns)
  return text .. (" "):rep(columns - units.width(text))
end

function units.right(text, columns)
  return (" "):rep(columns - units.width(text)) .. text
end

-- Cut to so many columns, with … where something is missing.
function units.cut(text, columns)
  if units.width(text) <= columns then return text end
  return text:sub(1, system.fits(text, columns - 1)) .. "…"
    .. (text:find("\27[", 1, true) and "\27[0m" or "")
end

-- A line in pieces of so many columns, wherever these end.
function units.pieces(line, columns)
  local list = {}
  if line == "" then return { "" } end
  repeat
    local n = system.fits(line, columns)
    if n == 0 then n = #line:match("^" .. utf8.charpattern) end
    list[#list + 1], line = line:sub(1, n), line:sub(n + 1)
  until line == ""
  return list
end

-- "1 figure", "1,234 figures"; 'many' where it is not the word and an s.
function units.many(n, word, many)
  return units.count(n) .. " " .. units.plural(n, word, many)
end
function units.plural(n, word, many)
  return n == 1 and word or many or word .. "s"
end

-- Words that wrap leaves on one line.
function units.together(text) return (text:gsub(" ", "\1")) end

local LONGEST = 24 -- columns of code in a sentence that stays on one line

local function keep_code(span)
  return units.width(span) <= LONGEST and units.together(span) or span
end

-- Words wrapped; the first line after 'first', the others after 'indent'. A
-- number stays with its percent sign, and short `code` in one piece. 'measure'
-- gives the columns of a text, units.width if not said.
function units.wrap(text, width, first, indent, measure)
  local lines, line, empty = {}, first, true
  measure = measure or units.width
  text = text:gsub("(%d) %%", "%1\1%%"):gsub("`[^`\n]+`", keep_code)
  text = text:gsub("%S*\1%S*", function(words) -- too long for one line
    local apart = words:gsub("\1", " ")
    return measure(indent) + measure(apart) > width and apart or words
  end)
  for word in text:gmatch "%S+" do
    word = word:gsub("\1", " ")
    if not empty and measure(line) + 1 + measure(word) > width then
      lines[#lines + 1] = line
      line, empty = indent, true
    end
    line = empty and line .. word or line .. " " .. word
    empty = false
  end
  if not empty then lines[#lines + 1] = line end
  return table.concat(lines, "\n")
end

-- Sentences in lines of so many columns, broken between words; the lines after
-- a sentence's first are indented like it, and two more.
function units.fold(text, columns)
  return (text:gsub("[^\n]+", function(line)
    return system.fold(line, columns)
  end))
end

-- Rows of cells as lines of text. The first column is text, to the left; the
-- others are numbers, to the right. 'header' is a row too.
function units.table(header, rows)
  local widths = {}
  for _, row in ipairs { header, table.unpack(rows) } do
    for i, cell in ipairs(row) do
      widths[i] = math.max(widths[i] or 0, units.width(cell))
    end
  end
  local lines = {}
  local function add(row)
    local cells = { units.pad(row[1], widths[1]) }
    for i = 2, #row do cells[i] = units.right(row[i], widths[i]) end
    lines[#lines + 1] = "  " .. table.concat(cells, "  "):gsub("%s+$", "")
  end
  add(header)
  for _, row in ipairs(rows) do add(row) end
  return lines
end

return units
