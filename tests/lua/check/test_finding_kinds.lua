-- test_finding_kinds.lua - every row of the table of finding kinds
-- (devices/check.h) has its message, its page, its line in the help and in
-- docs/checking.md, and a kernel in tests/zoo. (of no device: texts alone)
--
-- Guards: devices/check.h's table, lua/check/describe.lua: every kind of
-- finding has its message, page, help, line in docs/checking.md and zoo kernel
local t = dofile "tests/tap.lua"
local kinds = require "mettle.check".kinds
local describe = require "lua.check.describe"
local glossary = require "lua.reference.glossary"
local system = require "mettle.system"

local function read(path)
  local file = assert(io.open(path))
  local all = file:read "a"
  file:close()
  return (all:gsub("%s+", " "))
end

local help, page, list = read "lua/reference/help/check.md", read "docs/checking.md", read "lua/reference/glossary/7-right.md"
list = assert(list:match "The kinds are (.-)%.")

t.ok(#kinds >= 12)
local known = {}
for _, kind in ipairs(kinds) do
  known[kind.name] = true
  t.test(kind.name, function()
    t.ok(type(describe.kinds[kind.name]) == "function", "lua/check/describe.lua has no message")
    t.ok(glossary.find(kind.name), "the glossary has no page")
    t.ok(list:find("glossary:" .. kind.name, 1, true), "the list of lua/reference/glossary/7-right.md lacks it")
    t.ok(help:find(kind.found, 1, true), "lua/reference/help/check.md does not say: " .. kind.found)
    t.ok(page:find("| `" .. kind.name .. "` |", 1, true), "the table of docs/checking.md lacks it")
    t.ok(#system.list("tests/zoo/" .. kind.name) > 0, "tests/zoo has no kernel with it")
  end)
end

t.test("nothing is told of a kind that is not there", function()
  for name in pairs(describe.kinds) do t.ok(known[name], name) end
  for _, name in ipairs(system.list "tests/zoo") do
    t.ok(known[name] or name:find "%.", name)
  end
end)
t.done()
