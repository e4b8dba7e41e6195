-- target.lua - gpu.target, the GPU that kernels are written for, and a word to a
-- person when one that runs on this machine uses what that GPU lacks.
local families = require "lua.families"
local system = require "mettle.system"
local units = require "lua.units"

local target = {}
local chosen -- nil: not asked for yet; false: none
local told = {} -- "kernel feature"

local function names()
  local list = {}
  for name in pairs(families.gpus) do list[#list + 1] = name end
  table.sort(list)
  return table.concat(list, ", ")
end

local function from_environment()
  local name = os.getenv "METTLE_TARGET"
  if name == "none" then return false end
  return families.gpus[name] and name or "m1"
end

function target.get()
  if chosen == nil then chosen = from_environment() end
  return chosen
end

function target.set(name)
  if name ~= false and not families.gpus[name] then
    error(("gpu.target is a GPU to write for (%s), or false for none"):format(names()), 3)
  end
  chosen, told = name, {}
end

-- What is said of a kernel that uses the feature; nil if it was said before.
local function note(kernel, feature, title)
  local key = kernel .. " " .. feature.name
  if told[key] then return end
  told[key] = true
  return ("note: %s runs here, not on an %s: %s (help \"gpu.target\")"):format(kernel, title, families.sentence(feature))
end

-- A kernel of this source was taken on a device that is no GPU.
function target.taken(source, kernel)
  local gpu = families.gpus[target.get()]
  if not gpu or not system.terminal(2) then return end
  for _, feature in ipairs(families.missing(source, gpu.families, kernel)) do
    local text = note(kernel, feature, gpu.title)
    if text then io.stderr:write(units.fold(text, system.width()), "\n") end
  end
end

return target
