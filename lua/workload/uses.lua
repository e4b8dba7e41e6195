-- uses.lua - what a kernel reads and writes, for those who tell inputs from
-- outputs.
--
--   uses.params(k)     as k.params, with 'access' as the kernel's code has it
--   uses.writes(p)     is it memory that the kernel writes?
--   uses.open(k, t)    parameters that a table of arguments leaves to names
--   uses.word(t, name) t[name], if it is not for such a parameter of t[1]
--   uses.observe(run, candidates)   marks those that a launch changes
--
-- A device that compiles kernels itself knows it from their code; p.declared is
-- true where another compiler does, and a pointer without const may be
-- anything. Then the host device's compiler is asked about the same source.
-- Where there is none either, candidates are written to see what a launch makes
-- of them.
local host_kernel = require "lua.workload.host_kernel"

local uses = {}

local known = setmetatable({}, { __mode = "k" })

-- Is there more to know than the declaration says?
local function is_open(p)
  local links = false
  for _, f in ipairs(p.fields or {}) do links = links or f.access ~= nil end
  return p.declared and (links or p.access:find "write" ~= nil)
end

-- The same parameters on the host device, or nil.
local function on_host(k)
  local found, host = pcall(function() return host_kernel.of(k) end)
  return found and #host.params == #k.params and host.params or nil
end

local function take(p, other)
  if other and other.name == p.name and other.declared == false then
    p.access, p.declared = other.access, false
    p.fields = other.fields or p.fields
  end
end

local function ask_host(params, k)
  local open = false
  for _, p in ipairs(params) do open = open or is_open(p) end
  local others = open and on_host(k) or {}
  for i, p in ipairs(params) do take(p, others[i]) end
  return params
end

function uses.params(k)
  known[k] = known[k] or ask_host(k.params, k)
  return known[k]
end

function uses.writes(p)
  return (p.kind == "buffer" or p.kind == "texture")
    and p.access:find "write" ~= nil
end

-- The parameters that { k, a, b, … } does not give by their position: a name
-- of one of these is the parameter's. Any other name may be a word of the
-- function that takes the table.
function uses.open(k, t)
  local names, number = {}, 1
  for _, p in ipairs(k.params) do
    if p.kind == "threadgroup" then names[p.name] = p
    elseif p.kind ~= "builtin" then
      number = number + 1
      if t[number] == nil then names[p.name] = p end
    end
  end
  return names
end

-- What { k, …, name = … } gives to the function that takes the table, and not
-- to the kernel.
function uses.word(t, name)
  local k = t[1]
  local is_kernel = type(k) == "userdata" and k.params ~= nil
  if is_kernel and uses.open(k, t)[name] then return nil end
  return t[name]
end

---------------------------------------------------------------- by observation

local function same(b, held) return (b:equals(held, 0)) end

-- What no float of a person's is likely to be; whole numbers may be indices, so
-- they get one that is small and is not there already.
local function mark_of(b)
  if require "lua.workload.arguments".is_float(b.type) then return 12345.5 end
  return b[0] == 0 and 1 or 0
end

-- candidates: { { value = buffer, … }, … }. Sets one.observed to true if a
-- launch changes the buffer, to false if it does not; all are nil if the launch
-- fails. Contents are as before at the end. One by one, since a kernel that
-- reads marks may write what it would not write else.
function uses.observe(run, candidates)
  local held = {}
  for i, one in ipairs(candidates) do held[i] = one.value:copy() end
  local function restore()
    for i, one in ipairs(candidates) do one.value:fill(held[i]) end
  end
  local ok = pcall(function()
    run()
    for i, one in ipairs(candidates) do
      one.observed = not same(one.value, held[i])
    end
    for _, one in ipairs(candidates) do
      if not one.observed and type(one.value[0]) == "number" then
        restore()
        one.value:fill(mark_of(one.value))
        local marked = one.value:copy()
        run()
        one.observed = not same(one.value, marked)
      end
    end
  end)
  restore()
  if not ok then
    for _, one in ipairs(candidates) do one.observed = nil end
  end
  return ok
end

return uses
