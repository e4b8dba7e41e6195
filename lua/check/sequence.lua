-- sequence.lua - check of a function with launches in it: each launch by
-- itself, and in a concurrent command buffer those that may overlap with each
-- other.
--
--   of(s, options)   a list of findings like check's: f.launch is the number of
--                    its launch; a race between two has f.launches = {1, 3}
--                    and apart = "launches"
--
-- Two launches with no barrier in between must not access the same bytes,
-- unless both read or both use atomics. Which bytes a launch accesses, the
-- profiler notes (devices/profile.h); of textures only that they are used.
local check = require "lua.check.check"
local counts = require "mettle.profile"
local workload = require "lua.workload.workload"
local sequence = require "lua.workload.sequence"
local units = require "lua.text.units"

local meta = { __name = "report", __index = check.methods }

------------------------------------------------------------- between launches

local verb = { read = "reads", write = "writes", atomic = "changes atomically" }

local function side(i, step, name, index, how)
  return ("launch %d (%s) %s %s[%d]"):format(i, step.kernel.name, verb[how],
    name, index)
end

local function race(a, b, s, one)
  local first, second = s.steps[a], s.steps[b]
  local more = one.count > 1 and (", and %s more element%s"):format(
    units.count(one.count - 1), one.count == 2 and "" or "s") or ""
  local f = { kind = "race", apart = "launches", launches = { a, b },
    launch = b, kernel = second.kernel.name, other_kernel = first.kernel.name,
    buffer = one.other_buffer, other_buffer = one.buffer,
    index = one.other_index, other_index = one.index, how = one.other_how,
    other_how = one.how, count = one.count, threads = {}, look = "race" }
  f.message = one.texture
    and ("launch %d (%s) %s texture '%s' and launch %d (%s) %s the same "
      .. "texture as '%s': no barrier is between them"):format(
      a, f.other_kernel, verb[one.how], one.buffer, b, f.kernel,
      verb[one.other_how], one.other_buffer)
    or ("%s and %s, which is the same element%s: "
      .. "no barrier is between them"):format(
      side(a, first, one.buffer, one.index, one.how),
      side(b, second, one.other_buffer, one.other_index, one.other_how), more)
  f.advice = ("call gpu.barrier() between launch %d and launch %d, "
    .. "or leave out concurrent = true"):format(
    b - 1, b)
  return f
end

-- Textures by name and access; of those inside an argument buffer it is not
-- known: they count as read.
local function textures(step)
  local list = {}
  for _, one in ipairs(sequence.values(step)) do
    if workload.is_texture(one.value) then
      list[#list + 1] = { value = one.value, name = one.name,
        how = not one.inside and one.access:find "write" and "write" or "read" }
    end
  end
  return list
end

local function shared_textures(a, b)
  local list = {}
  for _, x in ipairs(textures(a)) do
    for _, y in ipairs(textures(b)) do
      if x.value == y.value and (x.how == "write" or y.how == "write") then
        list[#list + 1] = { texture = true, buffer = x.name,
          other_buffer = y.name, how = x.how, other_how = y.how, count = 1,
          index = 0, other_index = 0 }
      end
    end
  end
  return list
end

-- Hold launch i against those of its phase that came before.
local function hold_against(s, i, maps, report)
  for before = i - 1, 1, -1 do
    if s.phases[before] ~= s.phases[i] then return end
    local found = counts.overlap(maps[before], maps[i])
    table.move(shared_textures(s.steps[before], s.steps[i]), 1, 100,
      #found + 1, found)
    for _, one in ipairs(found) do
      report[#report + 1] = race(before, i, s, one)
    end
  end
end

-------------------------------------------------------------------- the report

local function add_report(report, r, i)
  for _, f in ipairs(r) do
    f.launch = i
    report[#report + 1] = f
  end
  for _, sentence in ipairs(r.unchecked) do
    report.unchecked[#report.unchecked + 1] = ("launch %d: %s"):format(i,
      sentence)
  end
  report.unordered = check.lists(report.unordered, r)
  if r.stopped then
    report.stopped = report.stopped or ("launch %d: %s"):format(i, r.stopped)
  end
end

local function of(s, options)
  local report = setmetatable({ unchecked = {}, reports = {},
    name = sequence.name(s), launches = #s.steps, concurrent = s.concurrent,
    dropped = 0 }, meta)
  local maps = {}
  sequence.each(s, function(step, i)
    local alone = not s.concurrent or s.phases[i] ~= s.phases[i - 1]
      and s.phases[i] ~= s.phases[i + 1]
    if not alone then
      local why
      maps[i], why = counts.accesses(check.host(step.kernel), step.launch)
      if why then
        report.unchecked[#report.unchecked + 1] =
          ("launch %d with the others: %s"):format(i, why)
      end
    end
    local o = { outputs = {}, undefined = {}, inplace = true }
    for key, v in pairs(options or {}) do o[key] = v end
    local r = check.run(step.kernel, step.launch, o)
    report.reports[i] = r
    add_report(report, r, i)
    if not alone then hold_against(s, i, maps, report) end
  end)
  report.ok = #report == 0 and not report.stopped
  return report
end

local function text_of(r, style)
  local text, lines = require "lua.check.text", {}
  local plain = setmetatable({},
    { __index = function() return function(words) return words end end })
  style = style or plain
  for _, f in ipairs(r) do
    if f.launches then
      lines[#lines + 1] = units.wrap(style.bad "race: " .. f.message, 79, "",
        "  ")
      lines[#lines + 1] = units.wrap("fix: " .. f.advice, 79, "  ", "       ")
    else
      lines[#lines + 1] = ("launch %d (%s):"):format(f.launch, f.kernel)
      lines[#lines + 1] = text.finding(f, style)
    end
    lines[#lines + 1] = ""
  end
  local how = r.concurrent and ", concurrent" or ""
  if #r == 0 then
    lines[1] = ("%s %s, %s%s"):format(style.good "clean:", r.name,
      units.many(r.launches, "launch", "launches"), how)
    lines[2] = units.wrap(
      "Every launch by itself, with what the ones before it left"
        .. (r.concurrent
          and "; no two between barriers touch the same elements." or "."),
      79, "  ", "  ")
  else
    lines[#lines + 1] = ("%s in %s%s"):format(
      units.many(#r, "finding"),
      units.many(r.launches, "launch", "launches"), how)
  end
  for i, one in ipairs(r.reports) do
    local sentence = text.unordered(one)
    if sentence then
      lines[#lines + 1] = units.wrap(
        ("Unordered, launch %d: "):format(i) .. sentence, 79, "  ", "  ")
    end
  end
  for _, sentence in ipairs(r.unchecked) do
    lines[#lines + 1] = units.wrap("Not checked: " .. sentence, 79, "  ", "  ")
  end
  if r.stopped then
    lines[#lines + 1] = "  Stopped before the end: " .. r.stopped
  end
  return table.concat(lines, "\n")
end

function meta:__tostring() return text_of(self) end
function meta:__show() return text_of(self, require "lua.text.style") end

return of
