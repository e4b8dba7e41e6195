-- on_devices.lua - the same work on several devices: which ones, and one at a
-- time.
--
--   on_devices.devices(asked)   "all", a name or a list of names: the names of
--                               those that work here, and a sentence for each
--                               that does not
--   on_devices.run(name, f, …)  what f gives while that device is in use
--   on_devices.kernel(k)        the same kernel on the device in use
--   on_devices.home(launch)     the device that the launch's first buffer is on
local workload = require "lua.workload.workload"
local system = require "mettle.system"
local timing = require "lua.workload.timing"

local on_devices = {}

-- Call f(…) with that device in use. The one in use before is in use again
-- after it, whatever happens.
function on_devices.run(name, f, ...)
  local before = gpu.device.name
  if name == before then return f(...) end
  gpu.use(name)
  local results = table.pack(system.attempt(f, ...))
  gpu.use(before)
  if not results[1] then timing.fail(results[2]) end
  return table.unpack(results, 2, results.n)
end

local function works(name)
  return pcall(on_devices.run, name, function() return gpu.device.name end)
end

local USAGE =
  'devices is "all", or a list of names: devices = {"host", "cuda"}; '
    .. 'gpu.devices() lists them'

local function all()
  local names, missing = {}, {}
  for _, entry in ipairs(gpu.devices()) do
    local ok, why = works(entry.name)
    if ok then names[#names + 1] = entry.name
    else missing[#missing + 1] = ("not on %s: %s"):format(entry.name,
      workload.plain(why)) end
  end
  return names, missing
end

-- Names, each once, in the order asked for; a list of sentences. One that is
-- named and does not work here is an error.
function on_devices.devices(asked)
  if asked == "all" then return all() end
  if type(asked) == "string" then asked = { asked } end
  if type(asked) ~= "table" or #asked == 0 then error(USAGE, 0) end
  local names, seen = {}, {}
  for _, name in ipairs(asked) do
    if type(name) ~= "string" then error(USAGE, 0) end
    if name == "all" then
      error('devices = "all" stands alone, not in a list', 0)
    end
    local ok, own = works(name)
    if not ok then
      error(("devices: '%s' cannot be used here: %s"):format(name,
        workload.plain(own)), 0)
    end
    if not seen[own] then names[#names + 1] = own end
    seen[own] = true
  end
  return names, {}
end

function on_devices.kernel(k)
  if k.device == gpu.device.name then return k end
  return gpu.kernel(k.source, k.options)
end

function on_devices.home(launch)
  local k = launch[1]
  if type(k) == "table" and k.steps then -- a sequence: of its first launch
    return on_devices.home({ k.steps[1].kernel,
      table.unpack(k.steps[1].launch) })
  end
  for i = 2, #launch do
    if workload.is_buffer(launch[i]) or workload.is_texture(launch[i]) then
      return launch[i].device
    end
  end
  for _, v in pairs(launch) do
    if workload.is_buffer(v) or workload.is_texture(v) then return v.device end
  end
  return workload.is_kernel(k) and k.device or gpu.device.name
end

return on_devices
