-- test_msl.lua - every kernel of tests/msl/run gives its known answer, at
-- several threadgroup sizes. tests/msl/README.md has the form of their comment
-- lines.
--
-- Guards: msl/ and the host device: every kernel of tests/msl/run gives its
-- known answer, at several threadgroup sizes, with the same bits on 1, 2, 3 and
-- 7 threads; devices/compiler/prepare/passes.c,
-- devices/host/emit/{simdgroup_matrix, simdgroup_multiply}.c, msl/{compile,
-- kernels, memory, plain}.c, msl/passes/{builtins, comparisons, functions,
-- global_initialisers, passes, spaces, undefined}.c, msl/reader/{bools,
-- comparisons, functions, parameters, reader, spaces, step}.c, msl/include/
local t = dofile "tests/tap.lua"
local case = dofile "tests/msl/case.lua"

-- A build without a device that runs kernels has nothing to try them on.
local there, why = pcall(gpu.kernel, "kernel void f(device float *a [[buffer(0)]]) { a[0] = 1; }")
if not there and tostring(why):find("no device that runs kernels", 1, true) then
  t.skip("kernels with known answers", tostring(why))
  t.done()
end

local only = os.getenv "METTLE_MSL" -- METTLE_MSL=exp runs those with "exp"
local every = tonumber(os.getenv "METTLE_MSL_EVERY" or 1) -- 8: one in eight

-- METTLE_MSL_DONE=FILE: those named in the file are left out, and those that
-- pass are added to it, so that a run of hours can be broken off and gone on
-- with.
local list, done = os.getenv "METTLE_MSL_DONE", {}
if list then
  for name in (io.open(list) or io.tmpfile()):lines() do done[name] = true end
end
local function note(name)
  local file = list and assert(io.open(list, "a"))
  if file then file:write(name, "\n"):close() end
end

for number, path in ipairs(case.files()) do
  local name = path:match("[^/]+$")
  if number % every == 0 and (not only or name:find(only, 1, true))
    and not done[name] then
    t.test(name, function()
      local c = case.read(path)
      local kernel = case.compile(c)
      for _, group in ipairs(c.group or {}) do
        t.takes(kernel, case.threads(group))
      end
      case.run_all(c, kernel)
      note(name)
    end)
  end
end
if next(done) then t.skip("the others", "they passed before, as " .. list .. " says") end
t.done()
