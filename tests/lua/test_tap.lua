-- test_tap.lua - what tests/tap.lua does around the tests of a suite.
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
  local run <close> = io.popen((os.getenv "METTLE" or "build/mettle") .. " "
    .. script)
  local said = run:read "a"
  t.has(said, "not ok 1 - fails")
  local name = t.ok(said:match "made (%S+)", said)
  t.equal(io.open(name), nil)
  t.equal(io.open(name .. ".svg"), nil)
end)

t.done()
