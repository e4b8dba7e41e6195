-- commands.lua - gpu.commands(f): several launches in one command buffer.
--
--   commands.commands(f [, options])   the global gpu.commands; also
--                                      { f, concurrent = true }
--   commands.barrier()                 the global gpu.barrier
--   commands.collect(f)                the launches of f, which do not run: a
--                                      list of { kernel, launch, barrier }
--   commands.phases(steps, concurrent) the number of each launch's phase: in
--                                      one phase launches may overlap
--
-- lua/bind/gpu/commands.c notes the launches and runs them. What comes back has
-- the times of the whole and of each launch, and prints as a timeline.
local noted = require "mettle.commands"
local workload = require "lua.workload.workload"
local units = require "lua.text.units"

local commands = {}
local methods = {}
commands.methods = methods -- for completion
local meta = { __name = "commands", __index = methods }

---------------------------------------------------------------- what is asked

local function number(v) return type(v) == "number" and v > 0 end
local words = {
  concurrent = function(v)
    return type(v) == "boolean", "concurrent is true or false"
  end,
  limit = function(v)
    return number(v), "limit is a time in seconds for all launches, more than 0"
  end,
}

local function options_of(what, more)
  if type(what) == "table" and more == nil then what, more = what[1], what end
  if type(what) ~= "function" then
    error("gpu.commands takes a function with launches in it: "
      .. "gpu.commands(function() k{a, grid = 8} k{b, grid = 8} end)", 0)
  end
  if more ~= nil and type(more) ~= "table" then
    error("gpu.commands takes its options as a table: gpu.commands(f, "
      .. "{concurrent = true})", 0)
  end
  for key, v in pairs(more or {}) do
    if key ~= 1 or v ~= what then
      if not words[key] then
        error(("gpu.commands takes concurrent and limit, not '%s'"):format(
          tostring(key)), 0)
      end
      local ok, why = words[key](v)
      if not ok then error(why, 0) end
    end
  end
  return what, more or {}
end

-- The launches of f; they do not run.
function commands.collect(f)
  local list <close>, steps = noted.collect(f)
  if #steps == 0 then
    error("the function launches nothing: there is nothing to run", 0)
  end
  return steps
end

-- Which launches may run at the same time: those of one phase.
function commands.phases(steps, concurrent)
  local phase, list = 0, {}
  for i, step in ipairs(steps) do
    if i == 1 or not concurrent or step.barrier then phase = phase + 1 end
    list[i] = phase
  end
  return list, phase
end

-- Run f's launches: the report, and what f returned. What f raises goes on as
-- it is.
function commands.commands(what, more)
  local f, options = options_of(what, more)
  local got = table.pack(noted.collect(f))
  local list <close>, steps = got[1], got[2]
  if #steps == 0 then
    error("the function of gpu.commands launches nothing: "
      .. "there is nothing to run", 0)
  end
  local ok, r = pcall(noted.run, list, options.concurrent, options.limit)
  if not ok then error(workload.plain(r), 0) end
  r.concurrent = options.concurrent or false
  r.phase = commands.phases(steps, r.concurrent)
  for i, step in ipairs(steps) do r[i] = step.result end
  return setmetatable(r, meta), table.unpack(got, 3, got.n)
end

function commands.barrier(...)
  if select("#", ...) > 0 then error("gpu.barrier takes nothing", 2) end
  if not noted.barrier() then
    error("gpu.barrier orders the launches of gpu.commands: call it inside "
      .. "that function; other launches are ordered as they are", 2)
  end
end

--------------------------------------------------------------------- timeline

local WIDTH = 40 -- columns of the bars

-- Bars of the launches, in shares of the whole: { name, from, to, time }.
local function bars(r)
  local list, last = {}, 0
  for _, one in ipairs(r) do
    if one.time and one.start then
      last = math.max(last, one.start + one.time * one.repeats)
    end
  end
  last = math.max(last, r.time or 0, 1e-12)
  for i, one in ipairs(r) do
    local length = one.time and one.start and one.time * one.repeats
    list[i] = { name = one.kernel, phase = r.phase[i], time = length,
      from = length and one.start / last, to = length
        and (one.start + length) / last }
  end
  return list
end

local function drawn(bar)
  local first = math.floor(bar.from * WIDTH + 0.5)
  local n = math.max(1, math.floor(bar.to * WIDTH + 0.5) - first)
  first = math.min(first, WIDTH - 1)
  return (" "):rep(first) .. ("█"):rep(math.min(n, WIDTH - first))
end

local function head(r)
  local _, phases = r.phase, r.phase[#r.phase]
  local how = #r == 1 and "" or not r.concurrent and ", one after the other"
    or phases == 1 and ", concurrent" or (
      ", concurrent with %s"):format(units.many(phases - 1, "barrier"))
  return ("%s in one command buffer%s"):format(
    units.many(#r, "launch", "launches"), how)
end

local MOST = 32 -- launches that are listed

-- A line for each launch: number, kernel, its bar, its time.
function methods:timeline()
  local lines, wide = {}, 6
  local list = bars(self)
  for i = 1, math.min(#list, MOST) do
    wide = math.max(wide, units.width(list[i].name))
  end
  wide = math.min(wide, 24)
  for i = 1, math.min(#list, MOST) do
    local bar = list[i]
    if self.concurrent and i > 1 and bar.phase ~= list[i - 1].phase then
      lines[#lines + 1] = "      " .. ("╌"):rep(8) .. " barrier"
    end
    lines[#lines + 1] = ("%5d  %s  %s  %s"):format(i,
      units.pad(units.cut(bar.name, wide), wide), bar.time
        and units.pad(drawn(bar), WIDTH) or "",
      bar.time and units.time(bar.time) or "timed with the others")
  end
  if #list > MOST then
    lines[#lines + 1] = ("    … and %s more"):format(units.count(#list - MOST))
  end
  return table.concat(lines, "\n")
end

-- Why some launches have no time of their own; nil: all have.
local function untold(r)
  if not r.joins_launches or not r.concurrent or #r == 1 then return nil end
  for _, one in ipairs(r) do
    if not one.time then
      return "  Launches without a barrier between them share an encoder: "
        .. "Metal times that."
    end
  end
end

function meta:__tostring()
  local where = ("  %s%s on %s (%s)%s"):format(units.time(self.time),
    self.gpu_time and " GPU time" or "", self.device, self.title,
    self.quick and ", with quick code" or "")
  if self.gpu_time then
    where = where .. (", %s with the launch"):format(units.time(self.wall))
  end
  return table.concat({ head(self), self:timeline(), where, untold(self) },
    "\n")
end

-- The timeline as SVG.
function methods:svg()
  return require "lua.plot.svg".timeline {
    title = ("%s: %s on %s (%s)"):format(head(self), units.time(self.time),
      self.device, self.title), whole = self.time, bars = bars(self),
    concurrent = self.concurrent }
end

function methods:save(path)
  if type(path) ~= "string" or not path:find "%.svg$" then
    error('a timeline is saved as SVG: r:save "timeline.svg"', 2)
  end
  require "mettle.system".write(path, self:svg())
  return self
end

return commands
