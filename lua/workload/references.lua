-- references.lua - what a CPU reference gets from a launch, and how exact its
-- answer can be.
--
--   references.of(given, order)            cpu = …: a function of the outputs
--                                          and the way, and the reference of
--                                          cpu.* or nil
--   references.arguments(ref, order, out)  what a reference of cpu.* is called
--                                          with, and whether it reads its
--                                          outputs
--   references.operations(ref)             a function of its arguments: how
--                                          many it does
--   references.allowance(ref, order)       the tolerance where none is said,
--                                          the scale, and the terms of a sum
--
-- 'order' is the launch's arguments as { value =, param = }.
local objects = require "lua.workload.objects"
local tolerance = require "lua.workload.tolerance"
local uses = require "lua.workload.uses"

local references = {}

local is_buffer, is_texture, writes = objects.is_buffer, objects.is_texture,
  uses.writes

-- What a reference of cpu.* is called with: its inputs are the buffers that the
-- kernel reads, in order, its outputs those that it writes, its numbers the
-- plain numbers that come as values of the kind the reference wants.
function references.arguments(reference, order, out)
  local reads, written, both, numbers = {}, {}, {}, {}
  local all = objects.all(order)
  for _, a in ipairs(order) do
    if type(a.value) ~= "userdata" then all[#all + 1] = a end
  end
  for _, a in ipairs(all) do
    if is_buffer(a.value) and writes(a.param) then
      written[#written + 1] = out[a.param.name]
      both[#both + 1] = a.value
    elseif is_texture(a.value) and writes(a.param) then
      written[#written + 1] = out[a.param.name]
      both[#both + 1] = a.value:read()
    elseif is_buffer(a.value) then
      reads[#reads + 1] = a.value
    elseif is_texture(a.value) then
      reads[#reads + 1] = a.value:read()
    elseif type(a.value) == "number" and a.param.type ~= "uint"
      and a.param.type ~= "int" then
      numbers[#numbers + 1] = a.value
    end
  end
  local list, used, reads_outputs = {}, { ["in"] = 0, out = 0, number = 0 },
    false
  for i, want in ipairs(reference.args) do
    used[want.role] = used[want.role] + 1
    local n = used[want.role]
    if want.role == "in" then
      list[i] = reads[n] or both[n - #reads]
      reads_outputs = reads_outputs or reads[n] == nil
    elseif want.role == "out" then list[i] = written[n]
    else list[i] = numbers[n] end
    if list[i] == nil and want.role ~= "out" then
      error(
        ("cpu.%s needs '%s', and the kernel has no such argument: give a "
          .. "function instead, as in cpu = function(…) return cpu.%s(…) end")
        :format(reference.name, want.name, reference.name), 0)
    end
  end
  return list, reads_outputs
end

local TOLERANCE = 1e-5 -- of an element, where nothing better is known
references.TOLERANCE = TOLERANCE

-- Operations of a few references, from their arguments.
local operations_of = {
  add = function(a) return #a[1] end, sub = function(a) return #a[1] end,
    mul = function(a) return #a[1] end,
  relu = function(a) return #a[1] end, sum = function(a) return #a[1] end,
    mean = function(a) return #a[1] end,
  max = function(a) return #a[1] end, saxpy = function(a) return 2 * #a[2] end,
    dot = function(a) return 2 * #a[1] end,
  scan = function(a) return #a[1] end,
  matmul =
    function(a) return 2 * a[1].shape[1] * a[1].shape[2] * a[2].shape[2] end,
  linear =
    function(a) return 2 * a[1].shape[1] * a[1].shape[2] * a[2].shape[2] end,
}

-- The root mean square of a buffer of floats.
local function size_of(b)
  local floats = (b.type == "float" and b or b:as "float"):reshape(b.bytes // 4)
  return math.sqrt(cpu.dot(floats, floats) / #floats)
end

-- References that add up: how many terms, and how large they can be together,
-- by which rounding is measured where they cancel each other out.
local sums_of = {
  sum = function(a) return #a[1], #a[1] * size_of(a[1]) end,
  mean = function(a) return #a[1], size_of(a[1]) end,
  scan = function(a) return #a[1], #a[1] * size_of(a[1]) end,
  dot = function(a) return #a[1], #a[1] * size_of(a[1]) * size_of(a[2]) end,
  matmul = function(a) return a[1].shape[2],
    a[1].shape[2] * size_of(a[1]) * size_of(a[2]) end,
  linear = function(a) return a[1].shape[2] + 1,
    a[1].shape[2] * size_of(a[1]) * size_of(a[2]) + size_of(a[3]) end,
  conv1d = function(a) return #a[2], #a[2] * size_of(a[1]) * size_of(a[2]) end,
  conv2d = function(a) return #a[2], #a[2] * size_of(a[1]) * size_of(a[2]) end,
  softmax = function(a) return a[1].shape[#a[1].shape], 1 end,
  layernorm = function(a) return a[1].shape[#a[1].shape], 1 end,
  attention = function(a) return #a[2] // a[2].shape[#a[2].shape], 1 end,
}

-- The tolerance where none is said, the scale, and the terms of a sum.
function references.allowance(ref, order)
  local sums = ref and sums_of[ref.name]
  if not sums then return TOLERANCE end
  local fits, list = pcall(references.arguments, ref, order, {})
  local known, n, scale = pcall(function() return sums(list) end)
  if not (fits and known and n > 0) then return TOLERANCE end
  return TOLERANCE + tolerance.of_sum(n), scale > 1
    and scale < math.huge and scale or nil, n
end

-- What a reference gets for a struct: its outputs are copies that it may fill.
local function with_outputs(a, out)
  local members = objects.members(a)
  local v = #members > 0 and objects.with(a.value, {}) or a.value
  for _, member in ipairs(members) do
    v[member.key] = out[member.param.name] or v[member.key]
  end
  return v
end

function references.of(given, order)
  if given == nil then return nil end
  local reference = objects.kind_of(given) == objects.kind_of(cpu.add)
    and given
  if not reference and type(given) ~= "function" then
    local hint = type(given) == "string" and cpu[given]
      and (": write cpu = cpu.%s"):format(given) or ""
    error("cpu is a reference such as cpu.add, or a function, not a "
      .. type(given) .. hint, 0)
  end
  if reference then
    -- The arguments are made once for the same outputs, which a batch fills
    -- thousands of times; what a texture holds is read each time.
    local stay, list, made_for = not objects.has_texture(order), nil, nil
    return function(out, way)
      if made_for ~= out then
        list = references.arguments(reference, order, out)
      end
      made_for = stay and out or nil
      list[#reference.args + 1] = way
      return reference(table.unpack(list, 1,
        #reference.args + (way and 1 or 0)))
    end, reference
  end
  return function(out)
    local list, n = {}, 0
    for _, a in ipairs(order) do
      if a.param.kind ~= "threadgroup" then
        n = n + 1
        list[n] = out[a.param.name] or with_outputs(a, out)
      end
    end
    return given(table.unpack(list, 1, n))
  end
end

-- The function that counts a reference's operations, or nil.
function references.operations(ref) return ref and operations_of[ref.name] end

return references
