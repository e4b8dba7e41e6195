-- case.lua - a kernel of tests/msl/run with what it needs and must give: read from
-- the comment lines at its top (README.md has their form), compiled, run, compared.
--
--   local case = dofile "tests/msl/case.lua"
--   for _, path in ipairs(case.files()) do
--     local c = case.read(path)
--     case.run_all(c, case.compile(c))     -- raises {tap = why} if it is wrong,
--   end                                      or not the same on 1, 2, 3 and 7 threads
local system = require "mettle.system"

local known = { section = true, construct = true, grid = true, groups = true, group = true,
  ["in"] = true, out = true, arg = true, threadgroup = true, texture = true, pixels = true,
  sampler = true, constant = true, math = true, repeats = true }

-- ---------------------------------------------------------------- the header

local function header(text)
  local lines = {}
  for line in text:gmatch("[^\n]+") do
    local key, rest = line:match("^//%s*(%a+):%s*(.-)%s*$")
    if not line:find("^//") then break end
    if key then
      if not known[key] then error("unknown line '" .. key .. ":'") end
      lines[#lines + 1] = { key = key, rest = rest }
    elseif #lines > 0 and line:find("^//%s%s") then -- goes on
      lines[#lines].rest = lines[#lines].rest .. " " .. line:match("^//%s*(.-)%s*$")
    end
  end
  return lines
end

local names = { nan = 0 / 0, inf = math.huge, ["-inf"] = -math.huge, ["true"] = true, ["false"] = false }
local function value(word)
  if names[word] ~= nil then return names[word] end
  return tonumber(word) or error("'" .. word .. "' is not a value")
end

-- "1 2*0 3..5" -> {1, 0, 0, 3, 4, 5}; "= formula" -> a function of i and n
local function values(text, env)
  local formula = text:match("^=%s*(.+)$")
  if formula then
    return assert(load("local i, n = ... return " .. formula, "formula", "t", env))
  end
  local list = {}
  for word in text:gmatch("%S+") do
    local times, rest = word:match("^(%d+)%*(.+)$")
    local from, to = word:match("^(-?%d+)%.%.(-?%d+)$")
    if from then
      for k = tonumber(from), tonumber(to), tonumber(from) <= tonumber(to) and 1 or -1 do list[#list + 1] = k end
    else
      for _ = 1, tonumber(times or 1) do list[#list + 1] = value(rest or word) end
    end
  end
  return list
end

local function width_of(type_name)
  return tonumber(type_name:match("%d$")) or 1
end

-- Flat components to what gpu.buffer takes, and back.
local function grouped(list, width)
  if width == 1 then return list end
  local out = {}
  for k = 1, #list, width do out[#out + 1] = table.move(list, k, k + width - 1, 1, {}) end
  return out
end
local function flat(buffer, width)
  local list = {}
  for k = 0, #buffer - 1 do
    local v = buffer[k]
    if width == 1 then list[#list + 1] = v end
    for c = 1, width > 1 and width or 0 do list[#list + 1] = v[c] end
  end
  return list
end

local function number(v) return type(v) == "boolean" and (v and 1 or 0) or v end

local function compare(what, got, expected, within)
  local n = type(expected) == "table" and #expected or #got
  if #got ~= n then error({ tap = what .. ": " .. #got .. " values, expected " .. n }, 0) end
  for k = 1, n do
    local e = expected
    if type(expected) == "function" then e = expected(k - 1, n) else e = expected[k] end
    local g = number(got[k])
    e = number(e)
    local slack = within and (math.abs(e) > 1e-30 and math.abs(e) < math.huge and within * math.abs(e) or within) or 0
    local same = g == e or (g ~= g and e ~= e) or math.abs(g - e) <= slack
    if not same then
      error({ tap = ("%s[%d] is %s, expected %s%s"):format(what, k - 1, tostring(g), tostring(e),
        within and " within " .. within or "") }, 0)
    end
  end
end

-- -------------------------------------------------------------------- a file

local function numbers(text)
  local list = {}
  for word in text:gmatch("%S+") do list[#list + 1] = assert(tonumber(word), "not a size: " .. text) end
  return list
end

local function read_case(path)
  local file = assert(io.open(path, "rb"))
  local case = { source = file:read "a", ins = {}, outs = {}, args = {}, textures = {}, pixels = {},
    samplers = {}, constants = {}, env = { math = math } }
  file:close()
  for _, line in ipairs(header(case.source)) do
    local key, rest = line.key, line.rest
    if key == "in" or key == "out" or key == "arg" then
      local name, kind, tail = rest:match("^(%S+)%s+(%S+)%s+(.+)$")
      if not name then error("'" .. key .. ":' needs a name, a type and values") end
      local within = tail:match("^within%s+(%S+):")
      if within then tail = tail:gsub("^within%s+%S+:%s*", "") end
      local list = values(tail, case.env)
      local item = { name = name, type = kind, values = list, within = tonumber(within) }
      local into = key == "in" and case.ins or key == "out" and case.outs or case.args
      into[#into + 1] = item
      if key == "in" then case.env[name] = function(i) return list[i + 1] end end
    elseif key == "texture" then
      local name, format, size, tail = rest:match("^(%S+)%s+(%S+)%s+([%dx ]+):?%s*(.*)$")
      local flat_size, layers = size:match("^(.-)%s*x%s*(%d+)")
      case.textures[#case.textures + 1] = { name = name, format = format, size = numbers(flat_size or size),
        layers = tonumber(layers), values = values(tail, case.env) }
    elseif key == "pixels" then
      local name, tail = rest:match("^(%S+)%s+(.+)$")
      local within = tail:match("^within%s+(%S+):")
      if within then tail = tail:gsub("^within%s+%S+:%s*", "") end
      case.pixels[#case.pixels + 1] = { name = name, values = values(tail, case.env), within = tonumber(within) }
    elseif key == "sampler" then
      local name, tail = rest:match("^(%S+)%s*(.*)$")
      local s = {}
      for word in tail:gmatch("%S+") do
        local field = (word == "linear" or word == "nearest") and "filter"
          or (word == "pixel" or word == "normalized") and "coord" or "address"
        s[field] = word
      end
      case.samplers[name] = s
    elseif key == "constant" then
      local index, _, v = rest:match("^(%S+)%s+(%S+)%s+(.+)$")
      case.constants[tonumber(index)] = value(v)
    elseif key == "grid" or key == "groups" then
      case[key] = numbers(rest)
    elseif key == "group" then
      case.group = {}
      for part in rest:gmatch("[^,]+") do case.group[#case.group + 1] = numbers(part) end
    elseif key == "threadgroup" then
      case.threadgroup = #numbers(rest) == 1 and numbers(rest)[1] or numbers(rest)
    else
      case[key] = rest
    end
  end
  assert(case.section and case.construct, "no section: or construct:")
  assert(case.grid or case.groups, "no grid: or groups:")
  assert(#case.outs + #case.pixels > 0, "no out: or pixels:, so nothing could fail")
  return case
end

-- ------------------------------------------------------------------- running

local function make_texture(d)
  local o = { format = d.format, width = d.size[1], height = d.size[2], depth = d.size[3], layers = d.layers }
  if d.layers then o.kind = d.size[2] and "2d_array" or "1d_array" end
  local tex = gpu.texture(o)
  if type(d.values) == "function" or #d.values > 0 then
    local list = d.values
    if type(list) == "function" then
      local channels = #d.format:match("^(%a-)%d")
      local n, made = channels * (d.layers or 1), {}
      for _, s in ipairs(d.size) do n = n * s end
      for k = 1, n do made[k] = list(k - 1, n) end
      list = made
    end
    tex:write(gpu.buffer(tex:read().type, list))
  end
  return tex
end

-- The buffers and textures after a launch, by their names.
local function launched(case, kernel, group)
  local launch, buffers, textures = { grid = case.grid, groups = case.groups, group = group,
    threadgroup = case.threadgroup }, {}, {}
  for _, b in ipairs(case.ins) do
    buffers[b.name] = gpu.buffer(b.type, grouped(b.values, width_of(b.type)))
  end
  for _, b in ipairs(case.outs) do
    if not buffers[b.name] then
      local n = 1
      for d, s in ipairs(case.grid or case.groups) do n = n * s * (case.grid and 1 or group and group[d] or 1) end
      if type(b.values) == "table" then n = #b.values // width_of(b.type) end
      buffers[b.name] = gpu.buffer(b.type, n)
    end
  end
  for _, a in ipairs(case.args) do
    launch[a.name] = width_of(a.type) == 1 and a.values[1] or a.values
  end
  for _, d in ipairs(case.textures) do
    textures[d.name] = make_texture(d)
    launch[d.name] = textures[d.name]
  end
  for name, s in pairs(case.samplers) do launch[name] = gpu.sampler(s) end
  for name, b in pairs(buffers) do launch[name] = b end
  kernel(launch)
  return buffers, textures
end

local function run(case, kernel, group)
  local buffers, textures = launched(case, kernel, group)
  for _, b in ipairs(case.outs) do
    compare(b.name, flat(buffers[b.name], width_of(b.type)), b.values, b.within)
  end
  for _, p in ipairs(case.pixels) do
    compare(p.name, flat(textures[p.name]:read(), 1), p.values, p.within)
  end
end

-- ------------------------------------------------------------------- threads

local function bits_of(case, buffers, textures)
  local all = {}
  local function add(list)
    for k, v in ipairs(list) do list[k] = string.pack("n", number(v)) end
    all[#all + 1] = table.concat(list)
  end
  for _, b in ipairs(case.outs) do add(flat(buffers[b.name], width_of(b.type))) end
  for _, p in ipairs(case.pixels) do add(flat(textures[p.name]:read(), 1)) end
  return table.concat(all)
end

-- The answer has the same bits with any number of threads; but sums of floats
-- by atomics, whose order is not promised.
local function same_bits(case, kernel, group)
  if case.source:find("atomic_float", 1, true) or case.source:find("atomic<float>", 1, true) then return end
  local one
  for _, n in ipairs { 1, 2, 3, 7 } do
    system.threads(n)
    local ok, bits = pcall(function() return bits_of(case, launched(case, kernel, group)) end)
    system.threads(0)
    if not ok then error(bits, 0) end
    if one and bits ~= one then error({ tap = ("not the same bits with 1 and with %d threads"):format(n) }, 0) end
    one = bits
  end
end

local function threads(size)
  local n = 1
  for _, s in ipairs(size) do n = n * s end
  return n
end

-- ---------------------------------------------------------------- geometries

-- Threadgroup sizes that find edges: one thread, a SIMD-group and one more or
-- less, the most there may be, and shapes. All are tried with METTLE_TESTS=all;
-- else each kernel has one of them, its neighbour in the alphabet another: each
-- size is code of its own.
local edges = { { 1 }, { 2 }, { 31 }, { 32 }, { 33 }, { 64 }, { 100 }, { 256 }, { 1000 }, { 1024 },
  { 8, 8 }, { 16, 3 }, { 4, 4, 4 }, { 5, 3, 2 } }
local every = os.getenv "METTLE_TESTS" == "all"
local turn = 0

local function sizes_for(case)
  if case.group then return case.group end
  if every then return edges end
  turn = turn + 5
  return { edges[turn % #edges + 1] }
end

-- The same kernel over its data again and again, if each thread has its own part
-- of it: small cases become grids of whole and of cut threadgroups.
local function repeated(case, times)
  local n = case.grid and #case.grid == 1 and case.grid[1]
  if not n or case.group or case.repeats == "no" or #case.textures > 0 then return nil end
  local function again(list, width)
    if type(list) == "function" then return function(i, all) return list(i % (all // times), all // times) end end
    if #list % (n * width) ~= 0 then return nil end
    local long = {}
    for k = 0, times - 1 do table.move(list, 1, #list, k * #list + 1, long) end
    return long
  end
  local big = setmetatable({ grid = { n * times }, ins = {}, outs = {} }, { __index = case })
  for i, b in ipairs(case.ins) do
    local list = again(b.values, width_of(b.type))
    big.ins[i] = list and setmetatable({ values = list }, { __index = b }) or b
  end
  for i, b in ipairs(case.outs) do
    local list = again(b.values, width_of(b.type))
    if type(b.values) == "table" and #b.values ~= n * width_of(b.type) then list = nil end -- not one for each thread
    if not list then return nil end
    big.outs[i] = setmetatable({ values = list }, { __index = b })
  end
  return big
end

local function list_files(folder, word)
  local list = {}
  for _, name in ipairs(require("mettle.system").list(folder)) do
    if name:find("%.metal$") and (not word or name:find(word, 1, true)) then list[#list + 1] = folder .. "/" .. name end
  end
  return list
end

-- The kernel of a case, compiled as it asks for.
local function compile(case)
  local options = { constants = next(case.constants) and case.constants or nil, math = case.math }
  return next(options) and gpu.kernel(case.source, options) or gpu.kernel(case.source)
end

-- A GPU's pipeline may take fewer threads than 1024: a size that has more is
-- replaced by a row of as many as it takes.
local function fitting(case, kernel, group)
  if case.group or threads(group) <= kernel.max_threads then return group end
  return { kernel.max_threads }
end

local function run_sizes(case, kernel, sizes)
  for _, size in ipairs(sizes) do
    local group = fitting(case, kernel, size)
    local ok, why = pcall(run, case, kernel, group)
    if ok and size == sizes[1] then ok, why = pcall(same_bits, case, kernel, group) end
    if not ok then
      local text = type(why) == "table" and why.tap or tostring(why)
      error({ tap = ("grid %s, threadgroups of %s: %s"):format(table.concat(case.grid or case.groups, " x "),
        table.concat(group, " x "), text) }, 0)
    end
  end
end

-- With every threadgroup size; raises what went wrong with which.
local function run_all(case, kernel)
  local sizes = sizes_for(case)
  local big = repeated(case, 1100 // (case.grid and case.grid[1] or 1))
  if big then run_sizes(big, kernel, sizes) end
  run_sizes(case, kernel, big and not every and { sizes[1] } or sizes)
end

-- Is it the GPU that cannot, rather than Mettle that is wrong? Only where Apple's
-- tables say that this GPU lacks what the kernel uses, or where the case itself
-- asks for more threads than this pipeline takes.
local function cannot(case, why)
  if not gpu.device.is_gpu then return false end
  if #require "lua.reference.families".missing(case.source, gpu.device.families, nil, gpu.device.macos) > 0 then return true end
  local text = type(why) == "table" and why.tap or tostring(why)
  return case.group ~= nil and text:find("threads in a threadgroup are too many", 1, true) ~= nil
end

return { cannot = cannot, threads = threads, files = function(folder, word) return list_files(folder or "tests/msl/run", word) end, read = read_case, compile = compile, run_all = run_all }
