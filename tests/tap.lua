-- tap.lua - how a Lua suite says what passed: TAP on standard output.
--
--   local t = dofile "tests/tap.lua"
--   t.test("adds", function() t.equal(1 + 1, 2) end)
--   t.done()
--
-- A test is a function; it fails by raising. One failing test does not stop the
-- others. t.skip(name, why) is a result too, t.compiler() where a test or a
-- suite needs one, and t.takes(kernel, 1024) where a test asks for groups that
-- large. Where Mettle itself says that this GPU lacks what a test uses
-- (lua/reference/families.lua), or that this build has no LLVM, that is neither
-- right nor wrong: skipped.
--
-- Measurements are short and the machine's peaks made up (tests/quick.lua);
-- t.measure_peaks is what measures them.
--
-- METTLE_CASE=word runs only the tests with that word in their name, as
-- CASE=word of make test asks for.
--
-- What a test makes at a name of os.tmpname, or at one that begins with it and
-- a dot, is removed at the end, also if the test failed.
local t = { count = 0, failed = 0 }

t.measure_peaks = dofile("tests/quick.lua").measure

local temporary, tmpname, execute = {}, os.tmpname, os.execute
function os.tmpname()
  local name = tmpname()
  temporary[#temporary + 1] = ("'%s' '%s'.*"):format(name, name)
  return name
end

local function show(v)
  if type(v) == "string" then return string.format("%q", v) end
  if type(v) == "number" and math.type(v) == "float" then
    return string.format("%.9g", v)
  end
  return tostring(v)
end

local wanted = os.getenv "METTLE_CASE" or ""

local function left_out(name) return not name:find(wanted, 1, true) end

local function result(ok, name, note)
  t.count = t.count + 1
  if not ok then t.failed = t.failed + 1 end
  print((ok and "ok " or "not ok ") .. t.count .. " - " .. name)
  if note then
    for line in tostring(note):gmatch("[^\n]+") do print("# " .. line) end
  end
  io.stdout:flush()
end

local lacking = { "which Macs have from the", "which macOS has from",
  "this GPU takes no pointers inside of structs",
  "on this GPU only a render pass can fill a texture" }

local function cannot(why)
  if why:find("compiling kernels needs LLVM", 1, true) then return "this build has no LLVM" end
  if not (gpu and gpu.device.is_gpu) then return end
  for _, words in ipairs(lacking) do
    local line = why:match("[^\n]*" .. words .. "[^\n]*")
    if line then return "this GPU cannot: " .. line end
  end
end

function t.test(name, body)
  if left_out(name) then return end
  local ok, why = xpcall(body, function(e)
    if type(e) == "table" and (e.tap or e.skip) then return e.tap or e end
    return debug.traceback(tostring(e), 2)
  end)
  local missing = not ok and (type(why) == "table" and why.skip or cannot(why))
  if missing then return t.skip(name, missing) end
  result(ok, name, not ok and why or nil)
end

-- Ends the test, or with a name the whole suite, as skipped where no device of
-- this build compiles kernels.
local compiles
function t.compiler(suite)
  if compiles == nil then
    local ok, why = pcall(gpu.library, "kernel void f() {}")
    compiles = ok or tostring(why)
  end
  local missing = compiles ~= true and cannot(compiles)
  if not missing then return end
  if not suite then error(compiles, 0) end
  t.skip(suite, missing)
  t.done()
end

-- Ends the test as skipped where this kernel takes fewer threads in a
-- threadgroup than the test is going to ask for. A test that asks for none gets
-- a group that fits.
function t.takes(kernel, threads)
  if kernel.max_threads >= threads then return kernel end
  error({ skip = ("this GPU cannot: %d threads in a threadgroup, where the test wants %d"):format(kernel.max_threads, threads) }, 0)
end

-- The same where an answer asks for its own group, by what the judge said.
function t.takes_said(text)
  local line, most = text:match "([^\n]*threads in a threadgroup are too many[^\n]*at most (%d+)[^\n]*)"
  if line and gpu.device.is_gpu and tonumber(most) < 1024 then
    error({ skip = "this GPU cannot: " .. line }, 0)
  end
end

-- The same for a workload of the library whose group is built into its source.
function t.fits(workload)
  for _, step in ipairs(workload.fixed_group and workload.steps or {}) do
    local group, threads = step.launch.group, 1
    for _, side in ipairs(type(group) == "table" and group or { group }) do
      threads = threads * side
    end
    t.takes(step.kernel, threads)
  end
  return workload
end

function t.skip(name, why)
  if left_out(name) then return end
  t.count = t.count + 1
  print("ok " .. t.count .. " - " .. name .. " # SKIP " .. why)
end

local function fail(message)
  local where = debug.getinfo(3, "Sl")
  error({ tap = where.short_src .. ":" .. where.currentline .. ": "
    .. message }, 0)
end

function t.ok(v, message)
  if not v then fail(message or "was false") end return v
end

function t.equal(got, expected, message)
  if got ~= expected then
    fail((message and message .. ": " or "") .. "got " .. show(got)
      .. ", expected " .. show(expected))
  end
end

function t.near(got, expected, tolerance, message)
  local same = got == expected or (got ~= got and expected ~= expected)
      or math.abs(got - expected) <= tolerance
  if not same then
    fail((message and message .. ": " or "") .. "got " .. show(got)
      .. ", expected "
      .. show(expected) .. " within " .. show(tolerance))
  end
end

-- The text contains 'part', taken literally.
function t.has(text, part, message)
  if type(text) ~= "string" or not text:find(part, 1, true) then
    fail((message and message .. ": " or "") .. "expected " .. show(part)
      .. " in " .. show(text))
  end
end

-- 'body' raises, and the message contains 'part'.
function t.raises(part, body, ...)
  local ok, why = pcall(body, ...)
  if ok then fail("expected an error with " .. show(part) .. ", but none was raised") end
  if not tostring(why):find(part, 1, true) then
    fail("expected an error with " .. show(part) .. ", got " .. show(tostring(why)))
  end
end

-- A failure of the world: nil, and a message that contains 'part'.
function t.fails(part, first, why)
  if first ~= nil then fail("expected nil and a message with " .. show(part) .. ", got " .. show(first)) end
  if not tostring(why):find(part, 1, true) then
    fail("expected a message with " .. show(part) .. ", got " .. show(tostring(why)))
  end
end

function t.done()
  if temporary[1] then execute("rm -rf " .. table.concat(temporary, " ")) end
  print("1.." .. t.count)
  os.exit(t.failed == 0 and 0 or 1, true)
end

return t
