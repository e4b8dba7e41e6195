-- sequence.lua - profile of a function with launches in it: what each
-- costs, and all of them together.
--
--   of(s, options)    the profile of a sequence (lua/workload/sequence.lua):
--     p.launches[i]   the profile of each launch, as profile{…} gives it
--     p.total         their counters, added up; each by its own name too,
--                     p.device_reads
--     p.cost, p.bytes, p.unique_bytes, p.operations, p.intensity   of all
local profile = require "lua.profile.profile"
local sequence = require "lua.workload.sequence"
local units = require "lua.text.units"

local methods = {}
local meta = { __name = "profile of launches", __methods = methods }
function meta.__index(p, key) return methods[key] or rawget(p, "total")[key] end

local function add(to, from)
  for key, v in pairs(from) do
    if type(v) == "number" then to[key] = (to[key] or 0) + v
    elseif type(v) == "table" then
      to[key] = to[key] or {}
      add(to[key], v)
    end
  end
end

local function of(s, options)
  local p = { launches = {}, total = {}, bytes = 0, unique_bytes = 0,
    threads = 0, name = sequence.name(s) }
  sequence.each(s, function(step, i)
    local one = profile.counts(step.kernel, step.launch, options)
    p.launches[i] = one
    add(p.total, one.total)
    for _, key in ipairs { "bytes", "unique_bytes", "threads" } do
      p[key] = p[key] + one[key]
    end
    p.textures, p.stopped = p.textures or one.textures, p.stopped or one.stopped
    if i < #s.steps then step.kernel(step.launch) end -- the next needs it
  end)
  profile.add_cost(p.total)
  for _, one in ipairs(p.launches) do
    one.share = p.total.cost > 0 and one.total.cost / p.total.cost or 0
  end
  if not p.textures and p.unique_bytes > 0 then
    p.intensity = p.total.operations / p.unique_bytes
  end
  return setmetatable(p, meta)
end

function methods:json()
  local list = {}
  for i, one in ipairs(self.launches) do
    list[i] = { kernel = one.kernel, threads = one.threads, share = one.share,
      total = one.total, bytes = one.bytes, unique_bytes = one.unique_bytes }
  end
  return require "mettle.json".encode({ total = self.total, launches = list,
    bytes = self.bytes, unique_bytes = self.unique_bytes }, true)
end

local function heaviest(p)
  local at = 1
  for i, one in ipairs(p.launches) do
    if one.share > p.launches[at].share then at = i end
  end
  return at
end

local MOST = 24 -- rows

function meta:__tostring()
  local rows = {}
  for i, one in ipairs(self.launches) do
    if i > MOST then break end
    rows[i] = { ("%d  %s"):format(i, one.kernel), units.percent(one.share),
      units.count(one.instructions), units.count(one.total.lines),
      units.percent(one.coalescing), units.percent(one.active),
      one.intensity and units.three(one.intensity) or "-" }
  end
  rows[#rows + 1] = { "all", "", units.count(self.total.instructions),
    units.count(self.total.lines), units.percent(self.total.coalescing),
    units.percent(self.total.active), self.intensity
      and units.three(self.intensity) or "-" }
  local lines = { ("profile of %s, counted by a model of a GPU"):format(
    units.many(#self.launches, "launch", "launches")), "" }
  for _, line in ipairs(units.table({ "launch", "cost", "instructions", "lines",
    "coalesced", "active", "FLOP/byte" }, rows)) do
    lines[#lines + 1] = line
  end
  if #self.launches > MOST then
    lines[#lines + 1] = "  … and "
      .. units.many(#self.launches - MOST, "more launch", "more launches")
  end
  local at = heaviest(self)
  lines[#lines + 1] = ""
  lines[#lines + 1] = ("Launch %d has most of the cost, %s:"):format(at,
    units.percent(self.launches[at].share))
  lines[#lines + 1] = tostring(self.launches[at])
  return table.concat(lines, "\n")
end

return of
