-- compare.lua - compare{…}: is it right, and how fast is it beside the CPU?
--
--   compare{k, a, b, c, grid = n, group = 256, cpu = cpu.add}
--   compare "matmul_tiled"          a kernel of the library
--   compare{"matmul_tiled", n = 512, m = 512, k = 512}
--   compare{"matmul_tiled", devices = {"host", "cuda"}}   or "all"
--
-- In this order: verify (a wrong kernel gets no times), measure the device,
-- then each way the CPU reference can go. What comes back prints as a table
-- with bars, and has the same as data.
local compare_devices = require "lua.measure.compare_devices"
local compare_text = require "lua.measure.compare_text"
local on_devices = require "lua.workload.on_devices"
local own_launch = require "lua.workload.own_launch"
local progress = require "lua.session.progress"
local rows = require "lua.measure.rows"
local workload = require "lua.workload.workload"

local compare = {}
compare.methods = compare_text.methods -- for completion
local meta = { __index = compare_text.methods, __name = "comparison",
  __tostring = compare_text.of }

----------------------------------------------------------------- what is asked

local sequence
local settings = { budget = true, devices = true, group = true,
  group_sizes = true, over = true }

local function set_group(p, group)
  if group == nil then return end
  if p.fixed_group then
    error(
      p.name
        .. " has its threadgroup size built into the source: "
          .. "it cannot be chosen", 0)
  end
  for _, step in ipairs(p.steps) do step.launch.group = group end
end

-- Loaded late: it needs much that a kernel by itself does not.
function sequence() return require "lua.workload.sequence" end

-- A string that is a source or a file of one, not a name of the library.
local function is_source(text)
  return text:find "[\n{;]" ~= nil or text:find "%.metal$" ~= nil
end

-- The launch with its kernel compiled for the device in use.
local function here(launch)
  local t = {}
  for key, v in pairs(launch) do t[key] = v end
  if type(t[1]) == "string" then t[1] = gpu.kernel(t[1])
  elseif workload.is_kernel(t[1]) then t[1] = on_devices.kernel(t[1]) end
  return t
end

-- The workload that the argument stands for, on the device in use: a name with
-- sizes, or a launch.
function compare.workload(what, more, who)
  if type(what) == "string" then what = { what } end
  what = sequence().take(what)
  if type(what) ~= "table" then
    error(
      ("%s takes a kernel and its arguments, %s{k, a, b, c, grid = 1000, "
        .. "cpu = cpu.add}, or the name of one of the library, %s \"add\"")
      :format(who, who, who), 0)
  end
  if type(what[1]) == "string" and not is_source(what[1]) then
    local all = {}
    for key, v in pairs(what) do all[key] = v end
    for key, v in pairs(type(more) == "table" and more or {}) do
      all[math.type(key) == "integer" and key + 1 or key] = v
    end
    local p, given = require("lua.workload.kernels").take(all, settings)
    set_group(p, given.group)
    return p, what
  end
  if sequence().is(what[1]) then return sequence().workload(what, who), what end
  return own_launch.workload(here(what), who), what
end

-- The device to use if none is named: a kernel runs on its own.
function compare.device(what)
  if type(what) == "table" and sequence().is(what[1]) then
    return what[1].steps[1].kernel.device
  end
  return type(what) == "table" and workload.is_kernel(what[1])
    and what[1].device
    or gpu.device.name
end

-- Everything about one workload. Ctrl-C while it measures gives what there is.
function compare.run(p, options)
  local bar = progress.new("compare " .. p.name, 3 + #p:ways())
  bar:step("verifying", rows.long_work(p))
  local r = setmetatable(rows.report(gpu.device), meta)
  r.name, r.heading, r.sizes = p.name, p.title, p.sizes
  r.budget = options.budget
  r.check = p:verify()
  r.ok, r.workload = r.check.ok, p
  if r.ok == false then
    bar:done()
    return r
  end
  bar:step "this machine"
  rows.size_up(p, r)
  r.cut = rows.measure_device(p, r, options, bar)
  r.base = r.rows[1]
  rows.measure_cpus(p, r, options, bar)
  rows.add_gpu_cost(p, r, options)
  -- leaves the answer of one run
  if p.reset and r.check.wanted then p:verify() end
  bar:done()
  rows.finish(p, r)
  return r
end

-- compare{…}, compare(name [, sizes])
function compare.compare(what, more)
  local k = type(what) == "table" and what[1]
  local open = workload.is_kernel(k) and require("lua.workload.uses").open(k,
    what) or {}
  local function option(name)
    local v
    if type(what) == "table" and not open[name] then v = what[name] end
    if v == nil and type(more) == "table" then v = more[name] end
    return v
  end
  local budget, devices = option "budget", option "devices"
  if budget ~= nil and not (type(budget) == "number" and budget > 0) then
    error("budget is a time in seconds for each row, more than 0", 2)
  end
  local options = { budget = budget }
  local taken
  taken, what = pcall(sequence().take, what)
  if not taken then error(workload.plain(what), 2) end
  local function make() return (compare.workload(what, more, "compare")) end
  local done, r = pcall(function()
    if devices == nil then
      return on_devices.run(compare.device(what),
        function() return compare.run(make(), options) end)
    end
    local names, missing = on_devices.devices(devices)
    return setmetatable(compare_devices(make, names, missing,
      type(what) == "table" and on_devices.home(what) or nil, options), meta)
  end)
  if not done then error(workload.plain(r), 2) end
  return require "lua.session.verdict".given(r)
end

return compare
