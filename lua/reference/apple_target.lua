-- apple_target.lua - gpu.target, the GPU and the macOS that kernels are written
-- for, and a word to a person when one that runs on this machine uses what
-- these lack.
local families = require "lua.reference.families"
local system = require "mettle.system"
local units = require "lua.text.units"

local target = {}
local chosen -- nil: not asked for yet; false: none
local told = {} -- "kernel feature"

local function names()
  local list = {}
  for name in pairs(families.gpus) do list[#list + 1] = name end
  table.sort(list)
  return table.concat(list, ", ")
end

-- "m1, macOS 13" -> the GPU's name and the version, or nothing if that is no
-- GPU.
local function read(text)
  local name, rest = tostring(text):match "^(%w+)(.*)$"
  local version = rest and rest:lower():match "^[%s,]*macos%s*(%d+)$"
  if not families.gpus[name] or rest ~= "" and not version then return end
  return name, tonumber(version) or families.macos
end

local function from_environment()
  local text = os.getenv "METTLE_TARGET"
  if text == "none" then return false end
  return read(text) and text or "m1"
end

function target.get()
  if chosen == nil then chosen = from_environment() end
  return chosen
end

function target.set(text)
  if text ~= false and not (type(text) == "string" and read(text)) then
    error(
      ("gpu.target is a GPU to write for (%s), perhaps with a macOS as in "
        .. "\"m1, macOS 13\", or false for none"):format(names()), 3)
  end
  chosen, told = text, {}
end

-- What is said of a kernel that uses the feature; nil if it was said before.
local function note(kernel, feature, gpu, macos)
  local key = kernel .. " " .. feature.name
  if told[key] then return end
  told[key] = true
  local with = families.has(feature, gpu.families)
    and (" with macOS %d"):format(macos) or ""
  return (
    "note: %s runs here, not on an %s%s: %s (help \"gpu.target\")"):format(
    kernel, gpu.title, with, families.sentence(feature, gpu.families, macos))
end

-- What is said of a kernel that counts on SIMD-groups of 32 threads, where a
-- GPU may have others; once.
local function width_note(source, kernel, gpu)
  local widths, key = gpu.simd_widths, kernel .. " width"
  if #widths == 1 or told[key] then return end
  if not families.counts_on_width(source, kernel) then return end
  told[key] = true
  return ("note: SIMD-groups have %s or %d threads on an %s, "
    .. "as its compiler chooses for each kernel: %s may count on 32, "
    .. "[[threads_per_simdgroup]] tells (help \"gpu.target\")"):format(
    table.concat(widths, ", ", 1, #widths - 1), widths[#widths], gpu.title,
    kernel)
end

-- What is said of a kernel of this source, each once: a list.
function target.notes(source, kernel)
  local list = {}
  local name, macos = read(target.get())
  local gpu = families.gpus[name]
  if not gpu then return list end
  for _, feature in ipairs(families.missing(source, gpu.families, kernel,
    macos)) do
    list[#list + 1] = note(kernel, feature, gpu, macos)
  end
  list[#list + 1] = width_note(source, kernel, gpu)
  return list
end

-- What is said, once, of a kernel that counts on SIMD-groups of 32 threads on a
-- GPU that gave it others; nil where there is nothing to say.
function target.width_here(source, kernel, width)
  local key = kernel .. " here"
  if width == 32 or told[key] then return end
  if not families.counts_on_width(source, kernel) then return end
  told[key] = true
  return ("note: SIMD-groups of %s have %d threads on this GPU: if it counts "
    .. "on 32 its answers are wrong, [[threads_per_simdgroup]] tells"):format(
    kernel, width)
end

-- A kernel of this source was taken on a GPU, with SIMD-groups of 'width'.
function target.taken_here(source, kernel, width)
  local text = system.terminal(2) and target.width_here(source, kernel, width)
  if text then io.stderr:write(units.fold(text, system.width()), "\n") end
end

-- A kernel of this source was taken on a device that is no GPU.
function target.taken(source, kernel)
  if not system.terminal(2) then return end
  for _, text in ipairs(target.notes(source, kernel)) do
    io.stderr:write(units.fold(text, system.width()), "\n")
  end
end

return target
