-- test_report.lua - mettle doctor --report: what it holds, and what it must
-- not.
--
-- Guards: lua/measure/report.lua, `mettle doctor --report`: every kernel is
-- tried, what was known stays when it is killed, the last words of a crash,
-- nothing personal is in it; devices/report.c, lua/report_worker.c,
-- repl/commands/doctor.c
local t = dofile "tests/tap.lua"
local report = require "lua.measure.report"
local system = require "mettle.system"

t.test("nobody's name, computer or folder", function()
  local home = os.getenv "HOME" or ""
  t.equal(report.scrub("it is in " .. home .. "/x/y.metal, line 3"):find(
    home, 1, true), nil)
  t.equal(report.scrub "cannot read /Users/jane/secret plans/../x.h: no", "cannot read …/secret plans/../x.h: no")
  t.equal(report.scrub "/opt/homebrew/bin/clang: version 22", "…/clang: version 22")
  t.equal(report.scrub "figures: ...ane/my plans/mettle/lua/x/peaks.lua:12: no", "figures: …/peaks.lua:12: no")
  t.equal(report.scrub "from 1 ... to 3/4: a.lua", "from 1 ... to 3/4: a.lua")
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
        if path:find "crash" then
          io.stderr:write("one\ntwo\nthree\nfour \xff\n-[MTLDebug x]: failed assertion `a' caf\u{e9}\n")
          os.execute "kill -ABRT $PPID"
        end
        if path:find "hang" then while true do end end
        if path:find "wrong" then io.stderr:write "a warning of Metal\n" end
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
  t.has(text, "ended the program by signal 6 (abort)")
  t.has(text, "two | three | four ? | -[MTLDebug x]: failed assertion `a' café")
  t.has(text, "no | GPU; it said: a warning of Metal\n")
  t.has(text, "2 of 6 right, 1 that this GPU cannot do")
end)

-- Until 'there' is in the file, for at most a minute.
local function wait_for(file, there)
  local text, stop = "", system.now() + 60
  repeat
    system.sleep(0.02)
    local f = io.open(file)
    text = f and f:read "a" or ""
    if f then f:close() end
  until text:find(there, 1, true) or system.now() > stop
  return text
end

t.test("a report that is killed leaves what it knew", function()
  local folder, file = a_tree(), os.tmpname()
  run(("rm %s/tests/msl/run/b_crash.metal"):format(folder))
  local child = io.popen(("METTLE_DATA=%s exec '%s' doctor --report %s --only '{' 2>&1 & echo $!"):format(
    folder, os.getenv "METTLE" or "build/mettle", file))
  local pid = child:read "n"
  local text = wait_for(file, "c_hang")
  -- the trial, which outlives it, is a child of it
  run(("kids=$(pgrep -P %d); kill -KILL %d $kids"):format(pid, pid))
  child:close()
  run(("rm -rf %s %s"):format(folder, file))
  t.has(text, "ok  Lua")
  t.has(text, "  ok  a_right")
  t.ok(text:find("  %.%.  c_hang +under way\n$"), text)
end)

t.test("a long text is cut between two characters", function()
  for extra = 0, 3 do
    local line = report.one_line(("x"):rep(297 + extra) .. ("€"):rep(20))
    t.ok(utf8.len(line) and #line <= 300 and #line > 296, line)
  end
  t.equal(report.one_line "a\xe2\x82 b\n\xff c", "a?? b | ? c")
end)

t.test("some of the kernels", function()
  local folder, file = a_tree(), os.tmpname()
  run(("METTLE_DATA=%s METTLE_REPORT_EVERY=5 '%s' doctor --report %s --only '{'"):format(
    folder, os.getenv "METTLE" or "build/mettle", file))
  local text = wait_for(file, "right")
  run(("rm -rf %s %s"):format(folder, file))
  t.has(text, "2 of 2 right")
end)

t.test("a file that cannot be written is known at once", function()
  local ok, said = run(("'%s' doctor --report /proc/none/x.txt"):format(os.getenv "METTLE" or "build/mettle"))
  t.ok(not ok)
  t.has(said, "/proc/none/x.txt")
end)
t.done()
