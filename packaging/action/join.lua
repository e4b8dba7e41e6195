-- join.lua - SARIF files as one, on standard output; those that are empty,
-- since their check could not run, are left out.
local texts = {}
for _, path in ipairs(arg) do
  local file <close> = assert(io.open(path, "rb"))
  local text = file:read "a"
  if #text > 0 then texts[#texts + 1] = text end
end
print(require "lua.check.sarif".joined(texts))
