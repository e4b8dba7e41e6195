-- twins.lua - the corrected kernels of tests/zoo give on the cuda device what
-- they give on the host (tests/cuda/test_twins.sh).
--
-- METTLE_ZOO=race runs those whose name holds the word, METTLE_ZOO_EVERY=8 one
-- in eight.
local t = dofile "tests/tap.lua"
local arguments = require "lua.check.arguments"
local command = require "lua.check.command"
local system = require "mettle.system"
local multiset_compare = require "lua.workload.multiset_compare"

-- Hash tables: which place a key gets is for the order of the threads to say.
local SOMEWHERE = { ["race/hash-slot-looked-at-first.metal"] = true, ["schedule/value-of-a-key.metal"] = true,
  ["schedule/order-of-a-list.metal"] = true,
  ["schedule/slots-within-a-group.metal"] = true }

local only = os.getenv "METTLE_ZOO"
local every = tonumber(os.getenv "METTLE_ZOO_EVERY" or 1)

local function words_of(path)
  local run, fixed
  for line in io.lines(path) do
    run = run or line:match "^// run: (.*)"
    fixed = fixed or line:match "^// fixed: (.*)"
  end
  local list = { path, "-DFIXED" }
  for word in (fixed or run):gmatch "%S+" do list[#list + 1] = word end
  return list
end

local function kernel_of(o)
  local file = assert(io.open(o.file))
  local source = file:read "a"
  file:close()
  return gpu.kernel(source, { name = o.kernel, file = o.file,
    defines = o.defines, include = o.include,
    math = o.safe and "safe" or "fast", constants = next(o.constants)
    and o.constants or nil })
end

-- What the buffers and textures hold after a launch on that device, by the
-- names of the parameters.
local function answers(device, path)
  gpu.use(device)
  local o = command.read(words_of(path))
  local k = kernel_of(o)
  local values = arguments.make(o.specs, k, o.seed or 1)
  local launch, shared, found = { grid = o.grid, groups = o.groups,
    group = o.group, limit = 60 }, {}, {}
  for _, p in ipairs(k.params) do
    local v = values[p.name]
    if p.kind == "threadgroup" then shared[#shared + 1] = v or p.size
    elseif p.kind ~= "builtin" then launch[#launch + 1] = v end
  end
  if #shared > 0 then launch.threadgroup = shared end
  k(launch)
  for name, v in pairs(values) do
    local kind = type(v) == "userdata" and getmetatable(v).__name
    if kind == "buffer" then found[name] = v:copy() end
    if kind == "texture" then found[name] = v:read() end
  end
  return found
end

local function flat(b) return b:reshape(#b) end

local number = 0
for _, class in ipairs(system.list "tests/zoo") do
  for _, file in ipairs(system.list("tests/zoo/" .. class)) do
    local name = class .. "/" .. file
    if file:find "%.metal$" and (not only or name:find(only, 1, true)) then
      number = number + 1
      if number % every == 0 then
        t.test(name, function()
          local here, there = answers("host", "tests/zoo/" .. name),
            answers("cuda", "tests/zoo/" .. name)
          for what, b in pairs(here) do
            local got, ok, report = flat(there[what])
            if SOMEWHERE[name] then ok, report = multiset_compare.equals(
              got, flat(b), 0.001)
            else ok, report = got:equals(flat(b), 0.001) end
            t.ok(ok, what .. ": " .. tostring(report))
          end
        end)
      end
    end
  end
end
t.done()
