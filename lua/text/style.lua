-- style.lua - bold, dim and coloured text, where standard output takes it.
--
--   style.bold "text"     as it is if there is no terminal, or NO_COLOR is set
--   style.fold(text)      a sentence broken between words to the window's
--                         width; as it is where it goes to a file or a pipe
--   style.columns()       for paragraphs: the window's width, 79 where there is
--                         none
local system = require "mettle.system"
local units = require "lua.text.units"

local style = {}

-- style.forced = true: with colours, wherever the text will be shown.
function style.on()
  if style.forced then return true end
  return system.terminal(1) and (os.getenv "NO_COLOR" or "") == ""
    and os.getenv "TERM" ~= "dumb"
end

function style.fold(text)
  return system.terminal(1) and units.fold(text, system.width()) or text
end

function style.columns()
  return system.terminal(1) and math.max(40, math.min(system.width() - 1, 100))
    or 79
end

local codes = { bold = "1", dim = "2", code = "36", good = "32", bad = "31" }

for name, code in pairs(codes) do
  style[name] = function(text)
    if not style.on() then return text end
    return "\27[" .. code .. "m" .. text .. "\27[0m"
  end
end

return style
