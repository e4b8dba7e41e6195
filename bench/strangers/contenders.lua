-- contenders.lua - what runs the kernels of bench/strangers beside Mettle: each
-- is a process that speaks bench/protocol.h.
--
--   local contenders = dofile "bench/strangers/contenders.lua"
--   local c, why = contenders.open("pocl")   also cc, nvcc; nil, why not
--   c:give(kernel, t)   its code is made, and the arguments of 't' are copied
--   c:run(n)            seconds of one of n runs: by the wall, of CPU time
--   c:answer(t, i)      argument i as it is now, a buffer
--   c:clear()  c:close()
--
-- Environment: CXX_FLAGS of plain C (-O3 -march=native), NVCC (nvcc),
-- NVCC_FLAGS (-O3 -arch=native), STRANGERS_CUBINS a folder with cubins that
-- were made elsewhere.
local children = dofile "bench/child.lua"
local texts = dofile "bench/strangers/texts.lua"
local FOLDER = "build/bench/strangers"
local contenders = { folder = FOLDER }
local methods = {}

local function shell(command) return os.execute(command) == true end

-- Make 'target' of the kernel's text, unless it was made of the same.
local function compile(kernel, language, target, command)
  local path, same = texts.write(kernel, language, FOLDER, command)
  target = ("%s/%s.%s"):format(FOLDER, kernel.name, target)
  if same and shell("test -e " .. target) then return target end
  if not shell(command:format(target, path)) then
    os.remove(target)
    error(kernel.name .. ": " .. command:match "%S+" .. " cannot compile it", 0)
  end
  return target
end

local kinds = {}

kinds.pocl = { name = "PoCL", program = "build/bench/opencl",
  missing = "PoCL's packages are not installed (scripts/deps bench)",
  options = "-cl-fast-relaxed-math -cl-mad-enable" }
function kinds.pocl.code(kernel)
  return (texts.write(kernel, "opencl", FOLDER))
end

kinds.cc = { name = "cc", program = "build/bench/plain",
  missing = "there is no C compiler", options = "" }
function kinds.cc.code(kernel)
  local flags = os.getenv "CXX_FLAGS" or "-O3 -march=native"
  return compile(kernel, "c", "so", (os.getenv "CC" or "cc") .. " -x c++ -w "
    .. flags .. " -shared -fPIC -o %s %s -lm")
end

kinds.nvcc = { name = "nvcc", program = "build/bench/cubin",
  missing = "there is no CUDA driver", options = "" }
function kinds.nvcc.code(kernel)
  local made = os.getenv "STRANGERS_CUBINS"
  if made then return ("%s/%s.cubin"):format(made, kernel.name) end
  return compile(kernel, "cuda", "cubin", (os.getenv "NVCC" or "nvcc") .. " "
    .. (os.getenv "NVCC_FLAGS" or "-O3 -arch=native") .. " -cubin -w -o %s %s")
end

function contenders.open(word, settings)
  local kind = kinds[word]
  if not kind then return nil, "no contender is called that" end
  if not shell("test -x " .. kind.program) then return nil, kind.missing end
  if word == "nvcc" and not os.getenv "STRANGERS_CUBINS" and
    not shell("command -v " .. (os.getenv "NVCC" or "nvcc") .. " >/dev/null")
  then
    return nil, "nvcc is not installed"
  end
  local child, why = children.open(("env %s %s"):format(settings or "",
    kind.program), FOLDER)
  if not child then return nil, why end
  local self = { kind = kind, name = kind.name, child = child, word = word }
  self.about = child:tell "device"
  return setmetatable(self, { __index = methods })
end

------------------------------------------------------------------- a contender

-- All share the files of arguments, which 't.files' has by position.
function methods:give(kernel, t)
  self.child:tell("step", self.kind.code(kernel), kernel.name,
    self.kind.options)
  for i, argument in ipairs(t.arguments) do
    if argument.buffer then
      self.child:tell("data", t.files[i])
    else
      self.child:tell("value", argument.type == "float" and "float" or "uint",
        (argument.type == "float" and "%.9g" or "%d"):format(argument.value))
    end
  end
  local g, l = t.grid, t.group
  self.child:tell("range", g[1], g[2] or 1, g[3] or 1, l[1], l[2] or 1,
    l[3] or 1)
end

function methods:run(n)
  local wall, work = self.child:tell("run", n):match "(%S+) (%S+)"
  return tonumber(wall), tonumber(work)
end

-- The file keeps what the kernel begins with: that is put back after the answer
-- was read.
function methods:answer(t, i)
  self.child:tell("save", t.files[i])
  local answer = gpu.load(t.files[i])
  t.arguments[i].start:save(t.files[i])
  return answer
end

function methods:clear() self.child:tell "clear" end
function methods:close() self.child:close() end

return contenders
