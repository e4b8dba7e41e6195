-- afresh.lua COUNT - a program of its own, for METTLE_LOADED=0: the seconds
-- that twenty new lines take to bitcode, a line each time.
local system = require "mettle.system"
local text = dofile "bench/twenty.lua"
local fresh_number = dofile "bench/fresh.lua"

local function compile()
  local source = text:gsub("%%d", tostring(fresh_number()))
  local start = system.now()
  gpu.library(source)
  return system.now() - start
end

compile() -- the compiler is loaded from here on
for _ = 1, tonumber(arg[1]) do print(compile()) end
