-- sequence.lua - a function with launches in it, in place of a kernel: for
-- compare, sweep, profile, check and record.
--
--   sequence.take(t)           t, or { f, … } with f's launches in place of f;
--                              f itself will do for t
--   sequence.is(v)             is it such a list of launches?
--   sequence.workload(t, who)  a workload of all launches
--   sequence.each(s, visit)    visit(step, i) for each launch, with memory as
--                              the ones before it left it; then all is as it
--                              was
--
-- The function is called once. Its launches are noted
-- (lua/workload/commands.lua) and run as often as it takes, in one command
-- buffer each time.
local on_devices = require "lua.workload.on_devices"
local commands = require "lua.workload.commands"
local own_launch = require "lua.workload.own_launch"
local objects = require "lua.workload.objects"
local references = require "lua.workload.references"
local workload = require "lua.workload.workload"
local uses = require "lua.workload.uses"

local sequence = {}
local meta = { __name = "sequence" }

function sequence.is(v) return getmetatable(v) == meta end

local function copy(t)
  local c = {}
  for key, v in pairs(t) do c[key] = v end
  return c
end

function sequence.take(t)
  if type(t) == "function" then t = { t } end
  if type(t) ~= "table" or type(t[1]) ~= "function" then return t end
  if t.concurrent ~= nil and type(t.concurrent) ~= "boolean" then
    error("concurrent is true or false", 0)
  end
  local taken = copy(t)
  local steps = commands.collect(t[1])
  local phases = commands.phases(steps, t.concurrent)
  taken[1] = setmetatable({ steps = steps, phases = phases,
    concurrent = t.concurrent or false }, meta)
  return taken
end

-- "scale, add and 3 more"
function sequence.name(s)
  local names = {}
  for i, step in ipairs(s.steps) do names[i] = step.kernel.name end
  local some = table.concat(names, ", ", 1, math.min(#names, 3))
  return #names > 3 and ("%s and %d more"):format(some, #names - 3) or some
end

---------------------------------------------------------------- what it touches

local function access_of_field(p, key)
  for _, f in ipairs(p and p.fields or {}) do
    if f.name == key then return f.access end
  end
end

-- The buffers and textures inside a struct's table or a list. Of fields of
-- parameter 'p' it is known what the kernel does with them; others may be
-- written.
local function add_members(list, v, name, p, access)
  if workload.is_buffer(v) or workload.is_texture(v) then
    list[#list + 1] = { value = v, name = name, access = access or "read_write",
      inside = true }
  elseif type(v) == "table" and getmetatable(v) == nil then
    for key, member in pairs(v) do
      add_members(list, member, math.type(key) and ("%s[%d]"):format(name,
        key - 1) or name .. "." .. tostring(key), nil, access_of_field(p, key))
    end
  end
end

-- The buffers and textures of a launch: { value, name, access, inside }.
function sequence.values(step)
  local list, number = {}, 0
  for _, p in ipairs(uses.params(step.kernel)) do
    if p.kind ~= "builtin" then
      local v
      if p.kind ~= "threadgroup" then
        number = number + 1
        v = step.launch[number]
      end
      if v == nil then v = step.launch[p.name] end
      local several = p.kind == "texture" and type(v) == "table"
      for _, one in ipairs(several and v or { v }) do
        if workload.is_buffer(one) or workload.is_texture(one) then
          list[#list + 1] = { value = one, name = p.name, access = p.access }
        elseif not several then add_members(list, one, p.name, p) end
      end
    end
  end
  return list
end

-- Calls visit(value, { name, access }, i) for those of all launches.
local function each_value(s, visit)
  for i, step in ipairs(s.steps) do
    for _, one in ipairs(sequence.values(step)) do visit(one.value, one, i) end
  end
end

local function writes(p) return p.access ~= nil and p.access:find "write" end
local function reads(p) return p.access == nil or p.access:find "read" end

-- Everything that a launch writes, in the order of the first use: { name,
-- value, access, last, read_later }.
local function written(s)
  local list, of, first, used = {}, {}, {}, {}
  each_value(s, function(v, p, i)
    if not first[v] then first[v] = p.access end
    if writes(p) then
      if not of[v] then
        list[#list + 1] = { value = v }
        of[v] = list[#list]
      end
      of[v].last, of[v].name = i, p.name
    end
    if reads(p) then used[v] = i end
  end)
  local taken = {}
  for _, output in ipairs(list) do
    local v = output.value
    output.access = first[v] == "write" and "write" or "read_write"
    output.read_later = (used[v] or 0) > output.last
    while taken[output.name] do output.name = output.name .. "'" end
    taken[output.name] = true
  end
  return list
end

local USAGE =
  "outputs are buffers or textures that the launches write, "
    .. "by a name of yours: outputs = {total = sums}"

-- The outputs that are compared: those that are named, or what no later launch
-- reads.
local function chosen(all, given)
  if given == nil then
    local list = {}
    for _, output in ipairs(all) do
      if not output.read_later then list[#list + 1] = output end
    end
    return list
  end
  if type(given) ~= "table" then error(USAGE, 0) end
  local list, of = {}, {}
  for _, output in ipairs(all) do of[output.value] = output end
  for name, v in pairs(given) do
    local output = of[v]
    if not output then error(USAGE, 0) end
    if type(name) == "string" then output.name = name end
    list[#list + 1] = output
  end
  table.sort(list, function(a, b) return a.name < b.name end)
  return list
end

local function bytes_of(s)
  local total, seen = 0, {}
  each_value(s, function(v, _, i)
    local key = tostring(v) .. i
    if seen[key] then return end
    seen[key] = true
    total = total + (workload.is_buffer(v) and v or v:read()).bytes
  end)
  return total
end

------------------------------------------------------------------ a workload

local words = { cpu = true, verify = true, before = true, unordered = true,
  outputs = true, tolerance = true, bytes = true, operations = true,
  title = true, budget = true, devices = true, concurrent = true,
  group_sizes = true, over = true, plot = true }

local function check_words(t, who)
  for key in pairs(t) do
    if key ~= 1 and not words[key] then
      error(("%s takes a function alone, with cpu, verify, "
        .. "before, outputs and others that help \"%s\" names, not '%s': "
        .. "arguments and sizes are those of its launches"):format(
        who, who, tostring(key)), 0)
    end
  end
  for _, word in ipairs { "cpu", "verify", "before" } do
    if t[word] ~= nil and type(t[word]) ~= "function" then
      error(("with a function of launches %s is a function%s"):format(word,
        word == "before" and ", called before each run"
          or ", which gets the outputs by name: " .. word
            .. " = function(out) … end"), 0)
    end
  end
end

-- The steps with their kernels on the device in use; the launches are copies.
local function steps_here(s)
  local list, kernels = {}, {}
  for i, step in ipairs(s.steps) do
    local k = step.kernel
    kernels[k] = kernels[k] or on_devices.kernel(k)
    list[i] = { kernel = kernels[k], launch = copy(step.launch),
      barrier = step.barrier }
  end
  return list
end

function sequence.workload(t, who)
  check_words(t, who)
  local s = t[1]
  local all = written(s)
  local outputs = chosen(all, t.outputs)
  own_launch.mark_unordered(t.unordered, outputs)
  local by_name, marked, values = {}, {}, {}
  each_value(s, function(v) values[v] = v end)
  for _, output in ipairs(outputs) do
    by_name[output.name] = output.value
    if workload.is_buffer(output.value) then marked[#marked + 1] = output end
  end
  local restore = own_launch.keep_contents(all)
  return workload.new {
    name = sequence.name(s), title = t.title or sequence.name(s),
    steps = steps_here(s), concurrent = s.concurrent, sequence = s,
    outputs = outputs, marked = marked, held = all, values = values, order = {},
    reset = function()
      restore()
      if t.before then t.before() end
    end,
    restore = function()
      for _, output in ipairs(all) do objects.put(output, output.initial) end
    end,
    before = t.before,
    accept = t.verify and function() return t.verify(by_name) end or nil,
    reference = t.cpu, reference_key = t.cpu,
    tolerance = t.tolerance or references.TOLERANCE,
    bytes = t.bytes or bytes_of(s), operations = t.operations,
  }
end

------------------------------------------------------------ one after the other

-- Call visit(step, i), which leaves the launch's results in its buffers or lets
-- 'run' do it; what they held before comes back at the end, also after an
-- error.
function sequence.each(s, visit)
  local all = written(s)
  own_launch.keep_contents(all)
  local ok, why = pcall(function()
    for i, step in ipairs(s.steps) do visit(step, i) end
  end)
  for _, output in ipairs(all) do objects.put(output, output.initial) end
  if not ok then error(why, 0) end
end

return sequence
