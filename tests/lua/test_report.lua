-- test_report.lua - mettle doctor --report: what it holds, and what it must
-- not.
local t = dofile "tests/tap.lua"
local report = require "lua.report"
local system = require "mettle.system"

t.test("nobody's name, computer or folder", function()
  local home = os.getenv "HOME" or ""
  t.equal(report.scrub("it is in " .. home .. "/x/y.metal, line 3"):find(
    home, 1, true), nil)
  t.equal(report.scrub "cannot read /Users/jane/secret plans/../x.h: no", "cannot read …/secret plans/../x.h: no")
  t.equal(report.scrub "/opt/homebrew/bin/clang: version 22", "…/clang: version 22")
  t.equal(report.scrub "~/kernels/thing.metal:4:2: error", "…/thing.metal:4:2: error")
  if system.host and #system.host >= 3 then
    t.equal(report.scrub("on " .. system.host .. "!"), "on …!")
  end
  t.equal(report.scrub "12.5 GB/s, 3/4 of it, float4/half4, 1/2/3", "12.5 GB/s, 3/4 of it, float4/half4, 1/2/3")
end)

local function run(command)
  local p = assert(io.popen(command .. " 2>&1"))
  local said = p:read "a"
  local ok = p:close()
  return ok, said
end

t.test("every kernel and figure, on every device", function()
  local mettle, file = os.getenv "METTLE" or "build/mettle", os.tmpname()
  local ok, said = run(("'%s' doctor --report %s --only add"):format(mettle, file))
  t.ok(ok, said)
  t.has(said, "The report is in " .. file)
  local f = assert(io.open(file))
  local text = f:read "a"
  f:close()
  os.remove(file)
  t.has(text, "Mettle " .. system.version)
  t.has(text, "ok  Lua")
  t.has(text, "vector add, 1M")
  t.has(text, "device host:")
  local right, all = text:match "(%d+) of (%d+) right"
  t.ok(right == all and tonumber(all) > 0, "conformance: " .. tostring(right)
    .. " of " .. tostring(all))
  t.equal(text:find(os.getenv "HOME" or "?", 1, true), nil)
  t.equal(text:find(system.data, 1, true), nil)
end)

-- A source tree of links, whose kernels behave as their names say.
local function a_tree()
  local folder = system.scratch()
  run(("ln -s %s/* %s && rm %s/tests && mkdir -p %s/tests/msl/run"):format(system.data, folder, folder, folder))
  for _, name in ipairs { "a_right", "b_crash", "c_hang", "d_wrong", "e_cannot",
    "f_right" } do
    system.write(folder .. "/tests/msl/run/" .. name .. ".metal",
      "kernel void f() {}")
  end
  system.write(folder .. "/tests/msl/case.lua", [[
    local function files(folder)
      local list = {}
      for _, name in ipairs(require "mettle.system".list(folder)) do list[#list + 1] = folder .. "/" .. name end
      table.sort(list)
      return list
    end
    return { files = files, read = function(path) return path end, compile = function() end,
      cannot = function(path) return path:find "cannot" end,
      run_all = function(path)
        if path:find "crash" then os.exit(3) end
        if path:find "hang" then while true do end end
        if path:find "wrong" or path:find "cannot" then error("no\nGPU", 0) end
      end }
  ]])
  return folder
end

t.test("a kernel that crashes or hangs is told, and the report goes on", function()
  local folder, file = a_tree(), os.tmpname()
  local ok, said = run(("METTLE_DATA=%s METTLE_REPORT_SECONDS=2 '%s' doctor --report %s --only '{'"):format(
    folder, os.getenv "METTLE" or "build/mettle", file))
  local f = assert(io.open(file))
  local text = f:read "a"
  f:close()
  run(("rm -rf %s %s"):format(folder, file))
  t.ok(ok, said)
  for _, line in ipairs { "ok  a_right", "NO  b_crash", "NO  c_hang",
    "NO  d_wrong", "%-%-  e_cannot", "ok  f_right" } do
    t.ok(text:find("\n  " .. line), line .. " in " .. text)
  end
  t.has(text, "did not end in 2 s")
  t.has(text, "no | GPU")
  t.has(text, "2 of 6 right, 1 that this GPU cannot do")
end)

t.test("a file that cannot be written is known at once", function()
  local ok, said = run(("'%s' doctor --report /proc/none/x.txt"):format(os.getenv "METTLE" or "build/mettle"))
  t.ok(not ok)
  t.has(said, "/proc/none/x.txt")
end)
t.done()
