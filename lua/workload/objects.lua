-- objects.lua - buffers, textures and kernels among the values of a launch, and
-- what they hold.
--
--   objects.is_buffer(v), objects.is_texture(v), objects.is_kernel(v)
--   objects.is_float(b)        does the buffer hold floats?
--   objects.flat(v)            a buffer without its shape; else v
--   objects.with(t, changes)   a copy of the table with other fields
--
-- An output is { name =, value = a buffer or texture, … }:
--   objects.copy(output)           a copy of what it holds; of a texture its
--                                  pixels, as a buffer
--   objects.contents(output)       what it holds, to look at
--   objects.put(output, contents)  set it to what a buffer holds
--
-- An argument is { value =, param = } in the order of a kernel's parameters:
--   objects.members(argument)      the buffers and textures in its struct
--   objects.all(arguments)         all of them, those in structs as well
local arguments = require "lua.workload.arguments"

local objects = {}

-- "buffer", "kernel" …, of what Mettle makes.
local function kind_of(v)
  local meta = type(v) == "userdata" and getmetatable(v)
  return type(meta) == "table" and meta.__name
end
local function is_texture(v) return kind_of(v) == "texture" end
local function is_buffer(v) return kind_of(v) == "buffer" end
local function is_kernel(v) return kind_of(v) == "kernel" end
objects.is_buffer, objects.is_kernel, objects.is_texture = is_buffer, is_kernel,
  is_texture
objects.kind_of = kind_of

function objects.is_float(b) return arguments.is_float(b.type) end

function objects.flat(v) return is_buffer(v) and v:reshape(#v) or v end

function objects.with(given, changes)
  local t = {}
  for key, v in pairs(given) do t[key] = v end
  for key, v in pairs(changes) do t[key] = v end
  return t
end

-- A copy of what an output holds; of a texture its pixels, as a buffer.
function objects.copy(output)
  return is_texture(output.value) and output.value:read() or output.value:copy()
end

-- Set an output to what a buffer holds.
function objects.put(output, contents)
  if is_texture(output.value) then
    output.value:write(contents)
  else
    output.value:fill(contents)
  end
end

-- What an output holds, to look at: the buffer itself, or a texture's pixels.
function objects.contents(output)
  return is_texture(output.value) and output.value:read() or output.value
end
-- The buffers and textures in a struct that is given as a table: { param, value
-- }, with what the kernel does with each. 'key' is its field.
function objects.members(a)
  local list = {}
  local given = type(a.value) == "table" and getmetatable(a.value) == nil
  for _, f in ipairs(given and a.param.fields or {}) do
    local v = a.value[f.name]
    if f.access and (is_buffer(v) or is_texture(v)) then
      list[#list + 1] = { value = v, key = f.name, param = {
        name = a.param.name .. "." .. f.name, access = f.access, type = f.type,
        kind = is_buffer(v) and "buffer" or "texture" } }
    end
  end
  return list
end

-- All buffers and textures of a launch, those in structs as well.
function objects.all(order)
  local list = {}
  for _, a in ipairs(order) do
    if type(a.value) == "userdata" then list[#list + 1] = a end
    for _, member in ipairs(objects.members(a)) do list[#list + 1] = member end
  end
  return list
end

function objects.has_texture(order)
  for _, a in ipairs(objects.all(order)) do
    if is_texture(a.value) then return true end
  end
  return false
end

return objects
