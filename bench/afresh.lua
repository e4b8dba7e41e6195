-- afresh.lua COUNT - a program of its own, for METTLE_LOADED=0: the seconds
-- that twenty new lines take to bitcode, a line each time.
local system = require "mettle.system"
local text = dofile "bench/twenty.lua"
local number = math.floor(system.now() * 1e6) % 1000000000

local function compile()
  number = number + 1
  local source = text:gsub("%%d", tostring(number))
  local start = system.now()
  gpu.library(source)
  return system.now() - start
end

compile() -- the compiler is loaded from here on
for _ = 1, tonumber(arg[1]) do print(compile()) end
