-- recording.lua - a launch recorded on the host device (devices/record.h): what
-- draw and record share.
--
--   recording.words { … }                   words of draw or record, with those
--                                           of both
--   recording.split(k, t, words)            { k, a, grid =, line = } -> launch,
--                                           options
--   recording.run(k, launch, options, how)  what mettle.record gives, and the
--                                           host's kernel
--
-- 'how': what = "a drawing", events = the most of them, values = true for lines
-- and variables as well.
local check = require "lua.check.check"
local units = require "lua.text.units"
local uses = require "lua.workload.uses"
local watch = require "mettle.record"

local recording = {}

local THREADS = 4 << 20 -- one by one they take seconds

----------------------------------------------------------------- what is asked

function recording.one_of(word, list)
  return function(v)
    for _, known in ipairs(list) do
      if v == known then return v end
    end
    error(("%s is \"%s\", not %s"):format(word, table.concat(list, '" or "'),
      type(v) == "string" and '"' .. v .. '"' or tostring(v)), 0)
  end
end

function recording.whole(word, least)
  return function(v)
    local n = math.tointeger(v)
    if type(v) ~= "number" or not n or n < least then
      error(("%s is a whole number of at least %d, not %s"):format(word, least,
        tostring(v)), 0)
    end
    return n
  end
end

function recording.table_of(word, example)
  return function(v)
    if type(v) ~= "table" then
      error(("%s is a table, as in %s"):format(word, example), 0)
    end
    return v
  end
end

-- The order of threads: a word of SCHEDULES, or a seed.
local SCHEDULES = { threads = 0, lines = 1, reversed = 2 }
local SHUFFLED = 3

function recording.schedule(v)
  if SCHEDULES[v] then return v end
  local n = math.tointeger(v)
  if type(v) == "number" and n and n >= 0 then return n end
  error(('schedule is "threads", "lines", "reversed" or a seed '
    .. 'such as 7, not %s'):format(
    type(v) == "string" and '"' .. v .. '"' or tostring(v)), 0)
end

function recording.schedule_words(r)
  local s = r.schedule
  if s == "lines" then
    return "line by line in each SIMD-group (schedule = \"lines\")"
  end
  if s == "reversed" then
    return "thread by thread from the last on (schedule = \"reversed\")"
  end
  if math.type(s) == "integer" then
    return ("thread by thread in a shuffled order (schedule = %d)"):format(s)
  end
  return "thread by thread (schedule = \"threads\")"
end

-- A place in 'sizes' (x, y, z from 0 on), or its number, as a number.
local function number_in(v, sizes, what, word)
  local at = type(v) == "table" and v or nil
  local n = math.tointeger(v)
  if at then
    n = 0
    for d = 3, 1, -1 do
      local x = math.tointeger(at[d] or 0)
      if not x or x < 0 or x >= sizes[d] then n = nil break end
      n = n * sizes[d] + x
    end
  end
  local count = sizes[1] * sizes[2] * sizes[3]
  if not n or n < 0 or n >= count then
    error(("%s: there is no %s %s; they are numbered from 0 to %s"):format(
      word, what, at and "{" .. table.concat(at, ", ") .. "}" or tostring(v),
      units.count(count - 1)), 0)
  end
  return n
end

-- A size of a launch as x, y, z; nil if it has none, or a wrong one.
local function sizes_of(v)
  if type(v) == "number" then v = { v } end
  if type(v) ~= "table" then return nil end
  local out = {}
  for d = 1, 3 do out[d] = math.tointeger(v[d] or 1) or 1 end
  return out
end

-- { k, a, b, grid =, line = } -> the launch, the options. A parameter of the
-- kernel that has the name of an option comes first, unless it is given by its
-- position, as in check{…}.
function recording.split(k, t, words)
  local launch, options, named = {}, {}, uses.open(k, t)
  for key, v in pairs(t) do
    if math.type(key) == "integer" then
      if key > 1 then launch[key - 1] = v end
    elseif words[key] and not named[key] then
      options[key] = words[key](v)
    else
      launch[key] = v
    end
  end
  return launch, options
end

-- What does not fit gets a sentence with the way out.
local function refuse(r, options, what)
  if r.left_out > 0 then
    local narrow = options.only and "threads = {0, 31}"
      or "only = {group = 0} or threads = {0, 31}"
    local all = r.left_out + r.events:count()
    error(("the launch makes %s %s, and %s has %s: take a part of it with %s, "
      .. "a smaller grid, or give events = %d")
      :format(units.count(all), what == "a drawing" and "accesses" or "events",
      what, units.count(r.events:count()), narrow, all), 0)
  end
  if r.stopped and not r.faulted then error(r.stopped, 0) end
  if r.events:count() == 0 then
    error(options.threads
      and "the threads that were asked for make no access" or
      ("kernel '%s' makes no access to memory"):format(r.kernel), 0)
  end
end

local function too_many(launch)
  local grid = sizes_of(launch.grid or launch.groups)
  local group = sizes_of(launch.groups and launch.group or 1)
  if not grid or not group then return end
  local n = group[1] * group[2] * group[3] * grid[1] * grid[2] * grid[3]
  if n > THREADS then
    error(("a launch of %s threads is too large to record: they run one by one "
      .. "here; a grid of a few threadgroups shows the same")
      :format(units.count(n)), 0)
  end
end

-- The recorder's options: numbers of a group, of threads.
local function narrow(options, launch, most)
  local o = { events = options.events or most }
  local group, grid = sizes_of(launch.group), sizes_of(launch.grid)
  local groups = sizes_of(launch.groups)
  if group and groups then
    grid = {}
    for d = 1, 3 do grid[d] = groups[d] * group[d] end
  end
  if options.only then
    for key in pairs(options.only) do
      if key ~= "group" then
        error(("only takes group = …, not %s"):format(tostring(key)), 0)
      end
    end
    if not group or not grid then
      error("only needs the size of a threadgroup: give group = …", 0)
    end
    local all = {}
    for d = 1, 3 do all[d] = (grid[d] + group[d] - 1) // group[d] end
    o.group = number_in(options.only.group, all, "threadgroup", "only")
  end
  if options.threads and grid then
    o.threads = {}
    for i, v in ipairs(options.threads) do
      o.threads[i] = number_in(v, grid, "thread", "threads")
    end
    if #o.threads == 0 then
      error("threads is a list of threads, as in threads = {0, 31}", 0)
    end
  end
  return o
end

function recording.run(k, launch, options, how)
  too_many(launch)
  local host = check.host(k)
  local o = narrow(options, launch, how.events)
  o.values = how.values
  if options.schedule then
    o.schedule = SCHEDULES[options.schedule] or SHUFFLED
    o.seed = math.tointeger(options.schedule) or 0
  end
  local r = watch.run(host, launch, o)
  refuse(r, options, how.what)
  r.kernel_params = {}
  for i, p in ipairs(host.params) do r.kernel_params[i] = p.name end
  r.source = r.file and r.source or host.source
  r.schedule = options.schedule or "threads"
  r.narrowed = options.threads ~= nil
  return r, host
end

local ROUNDING = 1e-3 -- as in check: what may come of other fused operations

-- What the plain launch's answer has to be told of, a list of sentences.
function recording.differences(r)
  local list = {}
  for i, diff in ipairs(r.differences) do
    local n = units.many(diff.elements, "element")
    list[i] = diff.worst <= ROUNDING
      and ("The plain launch rounds %s of %s differently, "
        .. "by %.1g of the value at most.")
        :format(n, diff.name, diff.worst)
      or ("The plain launch gives another %s (%s, the first is %d): "
        .. "its answer depends on the order of threads. check{…} says more.")
        :format(diff.name, n, diff.first)
  end
  return list
end

-- The words of both, and those in 'own'.
function recording.words(own)
  own.events = recording.whole("events", 1)
  own.only = recording.table_of("only", "only = {group = 3}")
  own.threads = recording.table_of("threads", "threads = {0, 31}")
  return own
end

return recording
