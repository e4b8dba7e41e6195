-- fresh.lua - a number that no kernel had before, for sources that no cache
-- knows.
--
-- Each is another float: below 2^24, since above it neighbours are rounded to
-- the same, and two kernels that differ only there share their machine code.
local system = require "mettle.system"

local number = math.floor(system.now() * 1000) % (1 << 23)

return function()
  number = number + 1
  return number
end
