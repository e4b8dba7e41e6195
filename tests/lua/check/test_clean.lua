-- test_clean.lua - check has nothing to say about correct kernels: those of the
-- library at the sizes that are likely to break them, and those of
-- tests/msl/run, which must give their known answers when checked too.
-- It is of no device: check runs on the host whichever is in use.
--
-- Of the library each kernel is tried at one of its sizes, the next at another.
-- Of tests/msl/run every sixth kernel is tried, for time. What breaks is a kind
-- of instruction or a probe, and with it whole families of kernels: these have
-- a common prefix and, of six or more, one in the sample. A kernel that alone
-- was called wrong goes into 'always'. METTLE_TESTS=all tries all of them, in a
-- minute or two: after a change below devices/host/check or instrument, and in
-- make test-all. METTLE_CLEAN=scan tries those whose name holds the word.
--
-- Guards: no findings in the kernel library and in tests/msl/run, which give
-- their answers when instrumented, too
local t = dofile "tests/tap.lua"
local case = dofile "tests/msl/case.lua"
local check = require "lua.check.check"
local kernels = require "lua.workload.kernels"

local only, all = os.getenv "METTLE_CLEAN", os.getenv "METTLE_TESTS" == "all"
local function wanted(name) return not only or name:find(only, 1, true) end

local THREADS = 70000 -- larger launches show nothing that these do not

local function threads_of(launch)
  local n, group = 1, type(launch.group) == "table" and launch.group
    or { launch.group or 1 }
  local grid = launch.grid or launch.groups
  for i, side in ipairs(type(grid) == "table" and grid or { grid }) do
    n = n * side * (launch.groups and group[i] or 1)
  end
  return n
end

local function try(name, sizes)
  local p = kernels.workload(name, sizes)
  for _, step in ipairs(p.steps) do
    if threads_of(step.launch) > THREADS then return end
  end
  p.reset()
  for i, step in ipairs(p.steps) do
    local r = check.findings(step.kernel, step.launch, p)
    t.ok(r.ok, ("%s, step %d: a false alarm:\n%s"):format(kernels.sizes_text(p.sizes), i, tostring(r)))
    if i < #p.steps then step.kernel(step.launch) end
  end
  return true
end

for number, name in ipairs(kernels.names()) do
  if wanted(name) then
    t.test("the library's " .. name, function()
      local tried, list = 0, kernels.data(name).try or { {} }
      for i = 1, #list do
        local sizes = list[(number + i) % #list + 1]
        if tried < (all and 3 or 1) and try(name, sizes) then
          tried = tried + 1
        end
      end
      t.ok(tried > 0, "none of its sizes is small enough")
    end)
  end
end

-- Those that are about what Metal does with a mistake: a texel outside, a read
-- through a null pointer whose value is never used, a division by zero, a shift
-- too far.
local mistakes = {
  ["tex_read_outside.metal"] = "out-of-bounds", ["tex_write_outside.metal"] = "out-of-bounds",
  ["null_unused.metal"] = "out-of-bounds", ["barrier_lanes_part.metal"] = "divergent-barrier",
  ["barrier_none_idle.metal"] = "divergent-barrier", ["barrier_some_lanes.metal"] = "divergent-barrier",
  ["divide_by_zero_in_twins.metal"] = "division-by-zero",
  ["divide_by_zero_in_recursion.metal"] = "division-by-zero",
  ["shift_too_far_in_twins.metal"] = "shift", ["shift_too_far.metal"] = "shift",
}
-- Those that were called wrong once.
local always = {
  ["bit_fields.metal"] = true, ["divide_by_zero_in_twins.metal"] = true,
  ["divide_by_zero_in_recursion.metal"] = true, ["shift_too_far_in_twins.metal"] = true,
  ["shift_too_far.metal"] = true, ["as_type_narrow_store.metal"] = true,
  ["packed_members.metal"] = true,
}

-- A last group that is cut and several SIMD-groups: one size is enough here.
for i, path in ipairs(case.files()) do
  local name = path:match "[^/]+$"
  if wanted(name) and (only or all or i % 6 == 0 or always[name]) then
    t.test(name, function()
      local c = case.read(path)
      if c.group then c.group = { c.group[#c.group] }
      else
        c.group = { ({ { 5 }, { 3, 2 }, { 2, 3, 2 } })[#(c.grid or { 1 })] } end
      local k = case.compile(c)
      case.run_all(c, function(launch)
        local r = check.run(k, launch, { inplace = true, outputs = {},
          schedules = 1 })
        local expected = mistakes[name]
        if expected then
          t.ok(#r > 0, "no finding")
          for _, finding in ipairs(r) do
            t.ok(finding.kind == expected, "another finding:\n" .. tostring(r))
          end
        elseif not r.ok then
          error({ tap = "a false alarm:\n" .. tostring(r) }, 0) end
      end)
    end)
  end
end
t.done()
