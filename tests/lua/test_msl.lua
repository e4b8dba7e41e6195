-- test_msl.lua - every kernel of tests/msl/run gives its known answer, at several
-- threadgroup sizes. tests/msl/README.md has the form of their comment lines.
local t = dofile "tests/tap.lua"
local case = dofile "tests/msl/case.lua"

-- A build without a device that runs kernels has nothing to try them on.
local there, why = pcall(gpu.kernel, "kernel void f(device float *a [[buffer(0)]]) { a[0] = 1; }")
if not there and tostring(why):find("no device that runs kernels", 1, true) then
  t.skip("kernels with known answers", tostring(why))
  t.done()
end

local only = os.getenv "METTLE_MSL" -- METTLE_MSL=exp runs those with "exp"
for _, path in ipairs(case.files()) do
  local name = path:match("[^/]+$")
  if not only or name:find(only, 1, true) then
    t.test(name, function()
      local c = case.read(path)
      case.run_all(c, case.compile(c))
    end)
  end
end
t.done()
