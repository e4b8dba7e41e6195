-- big_text.lua - text that the last row of a room can read.
--
--   big_text.way()                      "lines" (double height and width,
--                                       DEC's), "kitty" (its text sizes), or
--                                       "letters" (blocks), or what
--                                       METTLE_LARGE names
--   big_text.rows(text, way, columns)   rows of the terminal
--   big_text.fits(lines, way, columns)  can code be shown so?
local screen = require "mettle.screen"
local units = require "lua.text.units"

local big_text = {}

local function set(name) return (os.getenv(name) or "") ~= "" end

-- A terminal does not say whether it has lines of double height: these do.
-- tmux and screen keep no such lines, and let no text sizes of kitty's through.
function big_text.way()
  local wanted = os.getenv "METTLE_LARGE"
  if wanted == "lines" or wanted == "kitty" or wanted == "letters" then
    return wanted
  end
  local term = os.getenv "TERM" or ""
  if set "TMUX" or set "STY" then return "letters" end
  if set "KITTY_WINDOW_ID" or term == "xterm-kitty" then return "kitty" end
  local program = os.getenv "TERM_PROGRAM"
  if set "XTERM_VERSION" or set "KONSOLE_VERSION" or program == "iTerm.app"
    or program == "Apple_Terminal" or program == "WezTerm" then
    return "lines"
  end
  return "letters"
end

----------------------------------------------------------------------- letters

local QUADRANTS = { [0] = " ", "▘", "▝", "▀", "▖", "▌", "▞", "▛", "▗", "▚", "▐",
  "▜", "▄", "▙", "▟", "█" }
local WIDE, HIGH = 6, 8 -- pixels of a letter with the space around it

-- Letters of 5 × 7 pixels, four pixels to a character of the terminal.
local function letter_rows(text)
  local lines = {}
  for y = 0, HIGH - 1 do lines[y] = {} end
  for _, code in utf8.codes(text) do
    local rows = screen.letter(code)
    for y = 0, HIGH - 1 do
      for x = WIDE - 2, -1, -1 do
        local bits = rows[y + 1] or 0
        table.insert(lines[y], x >= 0 and bits >> x & 1 or 0)
      end
    end
  end
  local out = {}
  for y = 0, HIGH - 1, 2 do
    local row = {}
    for x = 1, #lines[0], 2 do
      row[#row + 1] = QUADRANTS[lines[y][x] | lines[y][x + 1] << 1
        | lines[y + 1][x] << 2 | lines[y + 1][x + 1] << 3]
    end
    out[#out + 1] = table.concat(row)
  end
  return out
end

-- Words in lines of at most 'most' characters, two lines at most.
local function broken(text, most)
  local lines = {}
  for word in text:gmatch "%S+" do
    local last = lines[#lines]
    if last and units.width(last) + 1 + units.width(word) <= most then
      lines[#lines] = last .. " " .. word
    else
      lines[#lines + 1] = word
    end
  end
  for i, line in ipairs(lines) do lines[i] = units.cut(line, most) end
  if #lines > 2 then lines[2] = units.cut(lines[2] .. " …", most) end
  return { lines[1], lines[2] }
end

------------------------------------------------------------------------- rows

local ways = {}

function ways.letters(text, columns)
  local rows = {}
  for _, line in ipairs(broken(text, columns * 2 // WIDE)) do
    for _, row in ipairs(letter_rows(line)) do rows[#rows + 1] = row end
  end
  return rows
end

function ways.lines(text, columns)
  text = units.cut(text, columns // 2)
  return { "\27#3" .. text, "\27#4" .. text }
end

-- The second row is under the first: nothing is written there.
function ways.kitty(text, columns)
  return { ("\27]66;s=2;%s\7"):format(units.cut(text, columns // 2)), false }
end

function big_text.rows(text, way, columns) return ways[way](text, columns) end

function big_text.fits(lines, way, columns)
  if way == "letters" then return false end
  for _, line in ipairs(lines) do
    if units.width(line) > columns // 2 then return false end
  end
  return true
end

return big_text
