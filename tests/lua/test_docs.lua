-- test_docs.lua - docs/lua.md is what the help texts make of it.
local t = dofile "tests/tap.lua"
local program = os.getenv "METTLE" or "build/mettle"

local function read(file)
  local text = file:read "a"
  file:close()
  return text
end

t.test("docs/lua.md is up to date (if not: make docs)", function()
  local now = read(assert(io.open "docs/lua.md"))
  local made = read(assert(io.popen("'" .. program .. "' scripts/docs.lua")))
  t.ok(#made > 10000, "the page is too short to be whole")
  local line = 1
  for i = 1, #made do
    if made:byte(i) ~= now:byte(i) then
      error("docs/lua.md differs from the help texts at line " .. line .. ": run make docs", 0)
    end
    if made:byte(i) == 10 then line = line + 1 end
  end
  t.equal(#now, #made)
end)

t.test("every link leads to a heading", function()
  local text = read(assert(io.open "docs/lua.md"))
  local there = {}
  for title in ("\n" .. text):gmatch "\n#+ ([^\n]+)" do
    there[title:lower():gsub("[^%w_%- ]", ""):gsub(" ", "-")] = true
  end
  local links = 0
  for place in text:gmatch "%]%(#([^)]*)%)" do
    links = links + 1
    t.ok(there[place], "no heading for #" .. place)
  end
  t.ok(links > 50)
end)

t.done()
