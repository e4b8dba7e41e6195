-- own_launch.lua - a person's own launch, { k, arguments…, grid = … }, as a
-- workload.
--
--   own_launch.workload(t, who)   the workload of { k, arguments…, grid =,
--                                 group =, cpu =, tolerance =, bytes =,
--                                 operations =, before =, verify =,
--                                 unordered = }
--   own_launch.take(t, who, words [, small])
--                                 a kernel and its launch, from such a table or
--                                 from a name of the library
--   own_launch.keep_contents(outputs)   keeps what they hold; a function that
--                                 gives it back
--   own_launch.mark_unordered(given, outputs)
--
-- 'who' is the function that was called, for messages.
local objects = require "lua.workload.objects"
local references = require "lua.workload.references"
local uses = require "lua.workload.uses"
local workload = require "lua.workload.workload"

local own_launch = {}

local is_buffer, is_float, is_kernel, is_texture = objects.is_buffer,
  objects.is_float, objects.is_kernel, objects.is_texture
local writes = uses.writes

-- Words of a launch that are not for the launch itself.
local words = { cpu = true, tolerance = true, bytes = true, operations = true,
  before = true, verify = true, unordered = true,
  budget = true, devices = true, title = true, over = true, group_sizes = true,
    repeats = true, plot = true }

local function parameters(k)
  local list = {}
  for _, p in ipairs(uses.params(k)) do
    if p.kind ~= "builtin" then list[#list + 1] = p end
  end
  return list
end

-- The arguments by name, and in the order of the kernel's parameters.
local function bound(k, launch)
  local values, order, number = {}, {}, 0
  for _, p in ipairs(parameters(k)) do
    local v
    if p.kind ~= "threadgroup" then
      number = number + 1
      v = launch[number]
    end
    if v == nil then v = launch[p.name] end
    order[#order + 1] = { param = p, value = v }
    values[p.name] = v
  end
  return values, order
end

-- Every byte once: what the kernel reads and what it writes.
local function bytes_of(order)
  local total = 0
  for _, a in ipairs(objects.all(order)) do
    local v = a.value
    if is_texture(v) then v = v:read() end
    local used = is_buffer(v) and a.param.access ~= "none"
    if used then total = total + v.bytes end
  end
  return total
end

-- Textures that the kernel only writes are filled with nonsense before.
-- Buffers, and what it reads too, get back what they held at the start: a
-- kernel may write some elements and leave the others as they are.
function own_launch.keep_contents(outputs)
  for _, output in ipairs(outputs) do
    output.initial = objects.copy(output)
    if output.access == "write" and is_texture(output.value) then
      output.start = output.initial:copy():fill(
        is_float(output.initial) and 0 / 0 or 85)
    end
  end
  return function()
    for _, output in ipairs(outputs) do
      objects.put(output, output.start or output.initial)
    end
  end
end

-- The arguments as the kernel has them, without threadgroup memory.
local function plain_arguments(order)
  local list, n = {}, 0
  for _, a in ipairs(order) do
    if a.param.kind ~= "threadgroup" then
      n = n + 1
      list[n] = a.value
    end
  end
  return list, n
end

-- verify = function(a, b, …): called with the kernel's own arguments after a
-- run.
local function accept_of(given, order)
  if given == nil then return nil end
  if type(given) ~= "function" then
    error(
      "verify is a function that gets the kernel's arguments after "
        .. "a run and returns true, or false and why not: verify = function(a, "
        .. "b) return b[0] == 1 end", 0)
  end
  local list, n = plain_arguments(order)
  return function() return given(table.unpack(list, 1, n)) end
end

-- unordered = true, "hits" or {"hits", …}: outputs whose elements may stand in
-- any order.
function own_launch.mark_unordered(given, outputs)
  if not given then return end
  local names, known = {}, {}
  for _, output in ipairs(outputs) do known[#known + 1] = output.name end
  for _, name in ipairs(given == true and known or type(given) == "table"
    and given or { given }) do
    names[name] = true
  end
  for _, output in ipairs(outputs) do
    output.unordered, names[output.name] = names[output.name], nil
  end
  local other = next(names)
  if other ~= nil then
    error(
      ("unordered names outputs of the kernel (%s), or is true for all; "
        .. "there is no '%s'"):format(
      #known > 0 and table.concat(known, ", ") or "it has none",
        tostring(other)), 0)
  end
end

-- A kernel and { k, arguments…, grid = … }, for those who look at one launch:
-- from such a table, or from a name of the library with sizes, of which it is
-- the first step. 'words' are the caller's own beside those of a launch. With
-- 'small' the library's kernels have small sizes where none is given.
function own_launch.take(t, who, words, small)
  if type(t) == "string" then t = { t } end
  if type(t) == "table" and is_kernel(t[1]) then return t[1], t end
  if type(t) ~= "table" or type(t[1]) ~= "string" then
    error(("%s takes a kernel and its arguments: %s{k, "
      .. "a, b, grid = 64}"):format(
      who, who), 0)
  end
  local p, all = require("lua.workload.kernels").take(t, words, small)
  p.reset()
  local step = p.steps[1]
  all[1] = step.kernel
  for key, v in pairs(step.launch) do
    all[math.type(key) == "integer" and key + 1 or key] = v
  end
  return step.kernel, all
end

-- What the launch writes. Where only the declaration is known, a launch shows
-- it: what does not change is an input.
local function outputs_of(k, launch, order)
  local outputs, open = {}, {}
  for _, a in ipairs(objects.all(order)) do
    if writes(a.param) then
      local one = { name = a.param.name, value = a.value,
        access = a.param.access, param = a.param }
      outputs[#outputs + 1] = one
      if a.param.declared and is_buffer(a.value) then open[#open + 1] = one end
    end
  end
  if #open < 2 or not uses.observe(function() k(launch) end, open) then
    return outputs
  end
  local changed = {}
  for _, one in ipairs(outputs) do
    if one.observed ~= false then changed[#changed + 1] = one end
  end
  if #changed == 0 then return outputs end
  for _, one in ipairs(open) do
    if one.observed == false then one.param.access = "read" end
  end
  return changed
end

-- Outputs that the reference does not fill are not compared with it, unless it
-- fills none: then it works in place.
local function mark_apart(ref, list, outputs)
  local filled, any = {}, false
  for i, want in ipairs(ref and list and ref.args or {}) do
    if want.role == "out" and list[i] ~= nil then
      filled[list[i]], any = true, true
    end
  end
  for _, output in ipairs(outputs) do
    output.apart = any and not filled[output.value] or nil
  end
end

-- The kernel, its launch, and the words that are for the workload alone.
local function read(t, who)
  if type(t) ~= "table" or not is_kernel(t[1]) then
    error(("%s takes a kernel and its arguments: "
      .. "%s{k, a, b, c, grid = 1000, cpu = cpu.add}"):format(who, who), 0)
  end
  local launch, own, open = {}, {}, uses.open(t[1], t)
  for key, v in pairs(t) do
    if math.type(key) == "integer" then launch[key - 1] = key > 1 and v or nil
    elseif words[key] and not open[key] then own[key] = v
    else launch[key] = v end
  end
  if own.before ~= nil and type(own.before) ~= "function" then
    error("before is a function, called before each run: "
      .. "before = function() total:fill(0) end", 0)
  end
  return t[1], launch, own
end

-- What the reference compares of the outputs is marked; does it read them?
local function reads_outputs(ref, order, outputs)
  local by_name = {}
  for _, output in ipairs(outputs) do by_name[output.name] = output.value end
  local fits, list, reads = pcall(references.arguments, ref or { args = {} },
    order, by_name)
  mark_apart(ref, fits and list, outputs)
  return fits and reads
end

-- The reference's operations, worked out from arguments that are made once.
local function operations_of(ref, order)
  local count, arguments = references.operations(ref), nil
  return count and function(out)
    arguments = arguments or references.arguments(ref, order, out)
    return count(arguments)
  end or nil
end

-- The buffers among the outputs: those that can be marked.
local function buffers_of(outputs)
  local list = {}
  for _, output in ipairs(outputs) do
    if is_buffer(output.value) then list[#list + 1] = output end
  end
  return list
end

-- The fields that judge an answer: the reference, and how far it may be off.
local function add_judges(p, own)
  local tolerance, scale, terms = references.TOLERANCE, nil, nil
  p.reference, p.cpu = references.of(own.cpu, p.order)
  p.reference_key, p.accept = own.cpu, accept_of(own.verify, p.order)
  if own.tolerance == nil then
    tolerance, scale, terms = references.allowance(p.cpu, p.order)
  end
  p.tolerance, p.scale, p.terms = own.tolerance or tolerance, scale, terms
end

-- Those that set its outputs and give them back.
local function add_contents(p, own)
  local restore = own_launch.keep_contents(p.outputs)
  function p.reset()
    restore()
    -- what the reference reads is ready too
    if own.before then own.before() end
  end
  function p.restore()
    for _, output in ipairs(p.outputs) do
      objects.put(output, output.initial)
    end
  end
  p.before = own.before
end

function own_launch.workload(t, who)
  local k, launch, own = read(t, who)
  local values, order = bound(k, launch)
  local outputs = outputs_of(k, launch, order)
  own_launch.mark_unordered(own.unordered, outputs)
  local p = { name = k.name, title = own.title or k.name,
    steps = { { kernel = k, launch = launch } }, outputs = outputs,
    values = values, order = order, marked = buffers_of(outputs) }
  add_judges(p, own)
  add_contents(p, own)
  p.reads_outputs = reads_outputs(p.cpu, order, outputs)
  p.bytes = own.bytes or bytes_of(order)
  p.operations = own.operations or operations_of(p.cpu, order)
  return workload.new(p)
end

return own_launch
