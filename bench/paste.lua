-- paste.lua - puts the tables that make bench wrote into docs/performance.md.
local function read(name)
  local file = assert(io.open(name))
  local text = file:read "a"
  file:close()
  return text
end

local BEGIN, END = "<!-- make bench -->", "<!-- end -->"
local page, tables = read "docs/performance.md", read "build/bench.md"
local first, last = page:find(BEGIN, 1, true), page:find(END, 1, true)
assert(first and last, "docs/performance.md has no place for the tables")
local file = assert(io.open("docs/performance.md", "w"))
file:write(page:sub(1, first + #BEGIN - 1), "\n", tables, "\n", page:sub(last))
file:close()
