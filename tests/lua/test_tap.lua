-- test_tap.lua - what tests/tap.lua does around the tests of a suite.
--
-- Guards: tests/tap.lua: a suite leaves no temporary files
local t = dofile "tests/tap.lua"

t.test("a suite leaves no temporary files, also if it fails", function()
  local script = os.tmpname()
  local file <close> = assert(io.open(script, "w"))
  file:write [=[
    local t = dofile "tests/tap.lua"
    local name = os.tmpname()
    t.test("fails", function()
      assert(io.open(name .. ".svg", "w")):close()
      print("made " .. name)
      error "on purpose"
    end)
    t.done()
  ]=]
  file:flush()
  local run <close> = io.popen("METTLE_CASE= "
    .. (os.getenv "METTLE" or "build/mettle") .. " " .. script)
  local said = run:read "a"
  t.has(said, "not ok 1 - fails")
  local name = t.ok(said:match "made (%S+)", said)
  t.equal(io.open(name), nil)
  t.equal(io.open(name .. ".svg"), nil)
end)

t.test("METTLE_CASE chooses tests by a word in their name", function()
  local script = os.tmpname()
  local file <close> = assert(io.open(script, "w"))
  file:write [=[
    local t = dofile "tests/tap.lua"
    t.test("a wasp", function() error "was not asked for" end)
    t.test("a bee", function() end)
    t.skip("another bee", "none is here")
    t.skip("another wasp", "none is here")
    t.done()
  ]=]
  file:flush()
  local run <close> = io.popen(("METTLE_CASE=bee %s %s"):format(
    os.getenv "METTLE" or "build/mettle", script))
  t.equal(run:read "a", "ok 1 - a bee\n"
    .. "ok 2 - another bee # SKIP none is here\n1..2\n")
end)

t.done()
