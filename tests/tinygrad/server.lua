-- The far end of metal.py: a Mettle that lives as long as the tests do, makes
-- buffers, compiles kernels and launches them as it is told on standard
-- input. One command a line, words between spaces, one answer a command:
--
--   new ID BYTES                       a buffer, as bytes
--   free ID
--   in ID OFFSET FILE                  bytes of an .npy file into it
--   out ID OFFSET BYTES FILE           and back
--   compile ID NAME BYTES              the source follows, so many bytes
--   launch ID GX GY GZ LX LY LZ ARG…   ARG: b:ID:OFFSET:BYTES or v:NUMBER
--
-- An answer is a line: "ok" and what there is to say, or "error" and how
-- many bytes of a message follow.
--
-- METTLE_TINYGRAD=check runs each kernel's first launch under check as well,
-- and a finding is an error.
local checked = os.getenv "METTLE_TINYGRAD" == "check"
local buffers, kernels = {}, {}

local commands = {}

function commands.new(id, bytes)
  buffers[id] = gpu.buffer("uchar", math.max(tonumber(bytes), 1))
end

function commands.free(id)
  buffers[id]:free()
  buffers[id] = nil
end

commands["in"] = function(id, offset, file)
  local from = gpu.load(file)
  buffers[id]:view(tonumber(offset), #from):fill(from)
end

function commands.out(id, offset, bytes, file)
  buffers[id]:view(tonumber(offset), tonumber(bytes)):save(file)
end

function commands.compile(id, name, bytes)
  local source = io.read(tonumber(bytes))
  -- tinygrad compiles with -fno-fast-math
  kernels[id] = {kernel = gpu.kernel(source, {name = name, math = "safe"})}
  return kernels[id].kernel.max_threads
end

-- An argument as a launch takes it: bytes get the type that the parameter
-- has, so that Mettle's own check of types is met.
local function argument(word, parameter)
  local kind, rest = word:match "^(%a):(.*)$"
  if kind == "v" then return math.tointeger(rest) or tonumber(rest) end
  local id, offset, bytes = rest:match "^(%d+):(%d+):(%d+)$"
  local view = buffers[id]:view(tonumber(offset), tonumber(bytes))
  return view:as(parameter.type)
end

function commands.launch(id, gx, gy, gz, lx, ly, lz, ...)
  local entry = kernels[id]
  local launch = {
    groups = {tonumber(gx), tonumber(gy), tonumber(gz)},
    group = {tonumber(lx), tonumber(ly), tonumber(lz)},
  }
  for i, word in ipairs{...} do
    launch[i] = argument(word, entry.kernel.params[i])
  end
  if checked and not entry.checked then
    entry.checked = true
    local watched = {entry.kernel, groups = launch.groups,
                     group = launch.group, outputs = {}}
    for i, value in ipairs(launch) do watched[i + 1] = value end
    local report = check(watched)
    if not report.ok then error("check: " .. tostring(report), 0) end
  end
  return string.format("%.9f", entry.kernel(launch).time)
end

for line in io.lines() do
  local words = {}
  for word in line:gmatch "%S+" do words[#words + 1] = word end
  local command = commands[words[1]]
  local ok, answer = pcall(command, table.unpack(words, 2))
  if ok then
    io.write("ok ", tostring(answer or ""), "\n")
  else
    local text = tostring(answer)
    io.write("error ", #text, "\n", text)
  end
  io.flush()
end
