-- style.lua - bold, dim and coloured text, where standard output takes it.
--
--   style.bold "text"     as it is if there is no terminal, or NO_COLOR is set
local system = require "mettle.system"

local style = {}

function style.on()
  return system.terminal(1) and (os.getenv "NO_COLOR" or "") == "" and os.getenv "TERM" ~= "dumb"
end

local codes = { bold = "1", dim = "2", code = "36", good = "32", bad = "31" }

for name, code in pairs(codes) do
  style[name] = function(text)
    if not style.on() then return text end
    return "\27[" .. code .. "m" .. text .. "\27[0m"
  end
end

return style
