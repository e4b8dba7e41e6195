-- paste.lua - puts the tables that make bench wrote into docs/performance.md.
--
-- They replace those that stand there, so all of these must be in
-- build/bench.md: make bench with SUITE= or BENCH_ONLY= writes a part of them.
local function read(name)
  local file = assert(io.open(name))
  local text = file:read "a"
  file:close()
  return text
end

-- The titles of the tables in a text, up to the part that is the machine's.
local function titles(text)
  local list = {}
  for title in text:gmatch "\n([^\n|]+)\n\n| what " do
    list[#list + 1] = title:match "^[^:(]+"
  end
  return list
end

local BEGIN, END = "<!-- make bench -->", "<!-- end -->"
local page, tables = read "docs/performance.md", read "build/bench.md"
local first, last = page:find(BEGIN, 1, true), page:find(END, 1, true)
assert(first and last, "docs/performance.md has no place for the tables")
local new = "\n" .. table.concat(titles(tables), "\n") .. "\n"
for _, title in ipairs(titles(page:sub(first, last))) do
  if not new:find("\n" .. title .. "\n", 1, true) then
    error(("build/bench.md lacks the table \"%s\": run all of make bench, without SUITE= and BENCH_ONLY="):format(title), 0)
  end
end
local file = assert(io.open("docs/performance.md", "w"))
file:write(page:sub(1, first + #BEGIN - 1), "\n", tables, "\n", page:sub(last))
file:close()
