-- test_suites.lua - every suite says in its head what it guards, every source
-- is guarded, and tests/README.md has the table (of no device).
--
-- Guards: scripts/suites.lua, scripts/check-changed: the heads of all suites;
-- names of suites are unique; files that are there and guarded by none
local t = dofile "tests/tap.lua"
local suites = dofile "scripts/suites.lua"
local all = suites.all()

t.test("heads name what there is, and all sources", function()
  t.ok(#all > 150, "the suites were not found")
  t.equal(table.concat(suites.wrong(all), "\n"), "")
end)

t.test("tests/README.md is up to date (if not: make docs)", function()
  t.ok(suites.page_table() == suites.table(all), "run make docs")
end)

t.test("a file's suites", function()
  local function has(file, name)
    local found = table.concat(suites.of(file, all), " ")
    t.ok((" " .. found .. " "):find(" " .. name .. " ", 1, true),
      ("%s: %s is not among %s"):format(file, name, found))
  end
  has("devices/host/check/epochs.c", "c-test_epochs")
  has("devices/host/check/check.h", "c-test_check")
  has("base/str.h", "c-test_base")
  has("tests/c/host/check/test_epochs.c", "c-test_epochs")
  has("tests/c/host_case.h", "c-test_host")
  has("devices/rooms.txt", "shell-test_rooms")
  has("msl/reader/a_new_file.c", "c-test_reader")
  t.equal(#suites.of("LICENSE", all), 0)
end)

t.test("the suites that tests/run names are there", function()
  local names = {}
  for _, suite in ipairs(all) do names[suite.name] = true end
  local file <close> = assert(io.open "tests/run")
  local count = 0
  for name in file:read "a":gmatch "%f[%w-]%l+%-test_[%w_]+" do
    t.ok(names[name], name .. " is no suite")
    count = count + 1
  end
  t.ok(count > 50, "the names were not found")
end)

t.test("what is wrong with a head is seen", function()
  local function wrong(paths, words)
    local list = { { file = "tests/x.lua", name = "x", paths = paths,
      words = words } }
    return table.concat(suites.wrong(list), "\n")
  end
  t.has(wrong({ "base/none.c" }, "x"), "tests/x.lua: there is no base/none.c")
  t.has(wrong({}, nil), 'no paragraph "Guards:"')
  local said = wrong({ "base/str.c", "base/po*.c", "devices/host/check/" }, "x")
  for _, name in ipairs { "str", "pool", "pointer_map" } do
    t.ok(not said:find("base/" .. name .. ".c: no suite", 1, true), name)
  end
  t.ok(not said:find("devices/host/check/race.c: no suite", 1, true))
  t.has(said, "base/clock.c: no suite guards it")
end)

t.done()
