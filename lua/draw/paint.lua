-- paint.lua - the colours of drawings, and the symbols that stand for
-- them.
--
-- Eight colours that people with any colour vision tell apart (Okabe and Ito's,
-- the black one as grey); numbers beyond start again. The 32 lanes of a
-- SIMD-group are a scale from dark blue to yellow, the same for all eyes
-- (cividis). What several touched is white with a grey edge on paper, and '*'
-- in text.
local paint = {}

local palette = {
  { 0xE6, 0x9F, 0x00 }, { 0x56, 0xB4, 0xE9 }, { 0x00, 0x9E, 0x73 },
  { 0xF0, 0xE4, 0x42 }, { 0x00, 0x72, 0xB2 }, { 0xD5, 0x5E, 0x00 },
  { 0xCC, 0x79, 0xA7 }, { 0x99, 0x99, 0x99 } }

-- cividis at nine places
local scale = {
  { 0x00, 0x22, 0x4E }, { 0x1D, 0x38, 0x70 }, { 0x43, 0x4E, 0x6C },
  { 0x61, 0x64, 0x6F }, { 0x7D, 0x7C, 0x78 }, { 0x9B, 0x94, 0x76 },
  { 0xBC, 0xAF, 0x6F }, { 0xDE, 0xCB, 0x5D }, { 0xFE, 0xE8, 0x38 } }

local function on_scale(share)
  local at = share * (#scale - 1)
  local i = math.min(math.floor(at), #scale - 2)
  local a, b, f = scale[i + 1], scale[i + 2], at - i
  local c = {}
  for n = 1, 3 do c[n] = math.floor(a[n] + (b[n] - a[n]) * f + 0.5) end
  return c
end

-- The colour of number 'who' as {r, g, b}.
function paint.colour(by, who)
  if who == "several" then return { 0xFF, 0xFF, 0xFF } end
  if by == "thread" then return on_scale(who % 32 / 31) end
  return palette[who % #palette + 1]
end

function paint.hex(by, who)
  local c = paint.colour(by, who)
  return ("#%02x%02x%02x"):format(c[1], c[2], c[3])
end

-- All colours, for the page.
function paint.list(by)
  local list = {}
  for i = 1, by == "thread" and 32 or #palette do
    list[i] = paint.hex(by, i - 1)
  end
  return list
end

-- Is black text readable on it?
function paint.is_light(c)
  return 0.299 * c[1] + 0.587 * c[2] + 0.114 * c[3] > 110
end

local symbols = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

-- One character for number 'who'; beyond 62 they start again.
function paint.symbol(who)
  if who == "several" then return "*" end
  local n = who % #symbols + 1
  return symbols:sub(n, n)
end

-------------------------------------------------------------------- terminals

-- "24", "256" or nil: how many colours the terminal shows.
function paint.depth()
  local style = require "lua.text.style"
  if not style.on() then return nil end
  local colour = os.getenv "COLORTERM" or ""
  if colour == "truecolor" or colour == "24bit" then return "24" end
  return (os.getenv "TERM" or ""):find "256color" and "256" or nil
end

local function cube(v)
  return v < 48 and 0 or v < 115 and 1 or (v - 35) // 40
end

-- 'text' on the colour of 'who'.
function paint.cell(depth, by, who, text)
  if not depth then return text end
  local c = paint.colour(by, who)
  local ink = paint.is_light(c) and "30" or "97"
  local ground = depth == "24" and ("48;2;%d;%d;%d"):format(c[1], c[2], c[3])
    or ("48;5;%d"):format(16 + 36 * cube(c[1]) + 6 * cube(c[2]) + cube(c[3]))
  return ("\27[%s;%sm%s\27[0m"):format(ink, ground, text)
end

return paint
