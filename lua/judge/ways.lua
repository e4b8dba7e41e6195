-- ways.lua - the ways in which an answer can fail, by name.
--
--   ways.all         a set: "compile", "error", "wrong" …, and what the checker
--                    finds, such as "race"
--   ways.of_checker  those that only the checker finds
--   ways.list(v)     one of them or a list of them, as a list
local ways = { all = {}, of_checker = {} }

for word in ("compile error wrong rule target score"):gmatch "%S+" do
  ways.all[word] = true
end
for _, kind in ipairs(require("mettle.check").kinds) do
  ways.all[kind.name], ways.of_checker[kind.name] = true, true
end

function ways.list(v) return type(v) == "table" and v or { v } end

return ways
