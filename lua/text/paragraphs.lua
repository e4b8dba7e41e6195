-- paragraphs.lua - text in Markdown as lines of a width: help, glossary,
-- dictionaries.
--
--   paragraphs.format(body, width)            wrapped, with tables in columns
--   paragraphs.align(rows, width [, measure]) one table; measure(text) counts
--                                             columns where the text has marks
local units = require "lua.text.units"

local paragraphs = {}

local wrap, width_of = units.wrap, units.width

local function is_within(text, width, width_of)
  for line in text:gmatch "[^\n]+" do
    if width_of(line) > width then return false end
  end
  return true
end

-- A row that the window has no room for: each cell below the one before.
local function stacked(list, width, measure)
  local lines = {}
  for i, cell in ipairs(list) do
    local indent = i == 1 and "  " or "      "
    lines[i] = wrap(cell, width, indent, indent, measure)
  end
  return table.concat(lines, "\n")
end

-- The rows of a Markdown table as columns, the last one wrapped; the ruler
-- under its head goes. 'measure' is as wrap takes it.
function paragraphs.align(rows, width, measure)
  local width_of = measure or width_of
  local cells, widest, out = {}, {}, {}
  for _, row in ipairs(rows) do
    local list = {}
    for cell in row:gmatch "|%s*([^|]-)%s*%f[|]" do list[#list + 1] = cell end
    if not row:find "^|%s*%-%-%-" then cells[#cells + 1] = list end
  end
  for _, list in ipairs(cells) do
    for i, cell in ipairs(list) do
      widest[i] = math.max(widest[i] or 0, width_of(cell))
    end
  end
  for _, list in ipairs(cells) do
    local line = "  "
    for i = 1, #list - 1 do
      line = line .. list[i] .. (" "):rep(widest[i] - width_of(list[i]) + 2)
    end
    local row = wrap(list[#list], width, line, (" "):rep(width_of(line)),
      measure)
    out[#out + 1] = is_within(row, width, width_of) and row
      or stacked(list, width, measure)
  end
  return table.concat(out, "\n")
end

-- Paragraphs and list items wrapped, tables in columns, code as it stands.
function paragraphs.format(body, width)
  local out, block, kind, code = {}, {}, nil, false
  local function flush()
    if kind == "table" then
      out[#out + 1] = paragraphs.align(block, width)
    elseif kind == "item" then
      out[#out + 1] = wrap(table.concat(block, " "), width, "  - ", "    ")
    elseif kind then
      out[#out + 1] = wrap(table.concat(block, " "), width, "  ", "  ")
    end
    block, kind = {}, nil
  end
  local function add(line, as)
    if as ~= kind or line:find "^%- " then flush() end
    block[#block + 1] = line:gsub("^%- ", "")
    kind = as
  end
  for line in (body .. "\n"):gmatch "([^\n]*)\n" do
    local plain = line:gsub("`", "")
    if line:find "^```" then
      flush()
      code = not code
    elseif code then
      out[#out + 1] = "    " .. line
    elseif line == "" then
      flush()
      if out[#out] ~= "" then out[#out + 1] = "" end
    elseif line:find "^|" then
      add(plain, "table")
    elseif line:find "^%- " or (kind == "item" and line:find "^  ") then
      add(plain, "item")
    else
      add(plain, "paragraph")
    end
  end
  flush()
  while out[#out] == "" do out[#out] = nil end
  return table.concat(out, "\n")
end

return paragraphs
