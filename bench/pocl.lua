-- pocl.lua - PoCL as a contender: the same workload, through OpenCL.
--
--   local pocl = dofile "bench/pocl.lua"
--   local child = pocl.open("build/bench/opencl")   nil, reason if it is not
--                                                   there
--   child:load(p, { kernel = "saxpy" })   a workload of kernels.workload
--   child:verify()                        its answer, judged as Mettle's own
--   child:run(n)                          seconds of one of n runs: wall, CPU
--
-- bench/opencl.c runs as a child (bench/child.lua). Arguments travel as .npy
-- files, so PoCL works on the same numbers, and what it computed is read back
-- and compared.
local children = dofile "bench/child.lua"
local pocl = {}
local methods = {}
local function tell(self, ...) return self.child:tell(...) end
pocl.fast = "-cl-fast-relaxed-math -cl-mad-enable" -- as Metal's own default

-- 'settings' are environment variables for PoCL.
function pocl.open(program, folder, settings)
  if not os.execute("test -x " .. program) then
    return nil, program:find "opencl$" and "PoCL's packages are not installed: make bench installs them on Debian"
      or program .. " was not built"
  end
  local c, why = children.open(("env %s %s"):format(settings or "", program),
    folder)
  if not c then return nil, why end
  local self = setmetatable({ folder = folder, files = {}, child = c },
    { __index = methods })
  self.name = tell(self, "device")
  return self
end

-------------------------------------------------------------- a workload's data

local function three(v)
  if type(v) == "number" then v = { v } end
  return { math.tointeger(v[1]), math.tointeger(v[2] or 1),
    math.tointeger(v[3] or 1) }
end

-- Whole groups: OpenCL's guards do the rest.
local function range_of(launch)
  local group, global = three(launch.group), three(launch.groups or launch.grid)
  for i = 1, 3 do
    global[i] = launch.groups and global[i] * group[i]
      or (global[i] + group[i] - 1) // group[i] * group[i]
  end
  return table.concat(global, " ") .. " " .. table.concat(group, " ")
end

local function file_of(self, buffer)
  local name = self.files[buffer]
  if name then return name end
  self.count = (self.count or 0) + 1
  name = ("%s/%d.npy"):format(self.folder, self.count)
  buffer:save(name)
  self.files[buffer] = name
  return name
end

function methods:file(buffer) return file_of(self, buffer) end

local function give(self, param, value)
  if type(value) == "userdata" then
    tell(self, "data", file_of(self, value))
  elseif type(value) == "table" then
    tell(self, "value", "float2", ("%.9g %.9g"):format(value[1], value[2]))
  else
    local number = param.type:find "float" and ("%.9g"):format(value)
      or ("%d"):format(value)
    tell(self, "value", param.type:match "float" or "uint", number)
  end
end

-- Hand over the launches of a workload. 'other' may name the kernel and give
-- compiler options.
function methods:load(p, other)
  self.workload = p
  for _, step in ipairs(p.steps) do
    tell(self, "step", "bench/kernels.cl", other.kernel or p.name, pocl.fast,
      other.options or "")
    local position = 0
    for _, param in ipairs(step.kernel.params) do
      if param.kind ~= "builtin" then
        position = position + 1
        local value = step.launch[param.name]
        if value == nil then value = step.launch[position] end
        give(self, param, value)
      end
    end
    tell(self, "range", range_of(step.launch))
  end
end

function methods:run(n)
  local wall, work = tell(self, "run", n):match "(%S+) (%S+)"
  return tonumber(wall), tonumber(work)
end

-- Judge PoCL's answer as the workload judges Mettle's.
function methods:verify()
  local p = setmetatable({}, { __index = self.workload })
  local child = self
  function p:run()
    child:run(1)
    for _, output in ipairs(self.outputs) do
      local file = child.files[output.value]
      tell(child, "save", file)
      output.value:reshape(#output.value):fill(
        gpu.load(file):as(output.value.type))
    end
  end
  return p:verify()
end

function methods:clear()
  tell(self, "clear")
  for _, name in pairs(self.files) do os.remove(name) end
  self.files = {}
end

function methods:close() self.child:close() end

return pocl
