-- compare_text.lua - a comparison as text and as bars.
--
--   compare_text.methods   of a comparison: table(), timeline(), chart(),
--                          save(path)
--   compare_text.of(r)     what the console prints
local contest = require "lua.workload.contest"
local objects = require "lua.workload.objects"
local plot = require "lua.plot.plot"
local style = require "lua.text.style"
local timing = require "lua.workload.timing"
local units = require "lua.text.units"

local compare_text = {}
local methods = {}
compare_text.methods = methods

local function number(v) return v ~= v and "nan" or ("%.7g"):format(v) end

-- A few wrong elements: index, got, expected.
local function wrong_elements(r)
  local lines = {}
  for _, report in ipairs(r.check.reports) do
    local output = objects.flat(objects.contents(
      r.workload.outputs[report.output]))
    local wanted = objects.flat(r.check.wanted[report.output])
    if not report.ok and not report.unordered
      and type(output[0]) == "number" then
      local offset = objects.is_buffer(wanted) and 0 or 1
      lines[#lines + 1] = ("  %12s  %14s  %14s"):format(report.name, "got",
        "expected")
      for at = 0, math.min(#output, 200000) - 1 do
        local got, expected = output[at], wanted[at + offset]
        local apart = math.abs(got - expected) / math.max(r.workload.scale or 1,
          math.abs(expected))
        if not (apart <= report.tolerance) and got ~= expected
          and (got == got or expected == expected) then
          lines[#lines + 1] = ("  %12s  %14s  %14s"):format("[" .. at .. "]",
            number(got), number(expected))
          if #lines > 5 then break end
        end
      end
    end
  end
  return lines
end

local function cells(r, row)
  if not row.median then
    return { row.name, row.wrong and "wrong" or "cannot run" }
  end
  local function of(v)
    return v and (v < 1e8 and "%.2f" or "%s"):format(
      v < 1e8 and v / 1e9 or units.three(v / 1e9)) or "-"
  end
  return { row.name, units.time(row.median),
    row.runs == 1 and "1 run" or "±" .. units.percent(row.spread),
    of(row.bandwidth), of(row.rate), row.share
      and ("%s %.0f %%"):format(row.bound, row.share * 100) or "-",
    row.speedup and contest.text(r.base, row) or "" }
end

function methods:table()
  local rows = {}
  for i, row in ipairs(self.rows) do rows[i] = cells(self, row) end
  return units.table({ "", "median", "", "GB/s", "GFLOP/s", "of peak",
    self.devices and #self.devices > 1 and self.base
      and ("the kernel on %s is"):format(self.base.device) or "the kernel is" },
        rows)
end

local LISTED = 16 -- launches

-- The launches of a function, with their share of the time.
local function launch_lines(r, lines, several)
  local rows = {}
  for i, one in ipairs(r.launches) do
    if i > LISTED then break end
    rows[i] = { ("%d  %s"):format(i, one.kernel), units.time(one.time),
      units.percent(one.share) }
  end
  lines[#lines + 1] = ""
  local title = several and "launch on " .. r.device or "launch"
  local time = r.launches.alone and "median, by itself" or "median"
  for _, line in ipairs(units.table({ title, time, "of all" }, rows)) do
    lines[#lines + 1] = line
  end
  if #r.launches > LISTED then
    lines[#lines + 1] = ("  … and %d more"):format(#r.launches - LISTED)
  end
end

-- The last run's launches over time; a sentence where there is one launch.
function methods:timeline()
  if not self.commands then
    error("a timeline is of several launches: compare{function() … end}", 2)
  end
  return self.commands:timeline()
end

function methods:chart()
  local rows = {}
  for _, row in ipairs(self.rows) do
    if row.median then
      rows[#rows + 1] = { row.name, row.median, units.time(row.median),
        best = row.device ~= nil }
    end
  end
  return plot.bars { title = "time, shorter is better", rows = rows }
end

-- Save the bars as SVG.
function methods:save(path)
  local chart = self:chart()
  if #chart.rows == 0 then
    error("there is nothing to save: the kernel gave a wrong answer", 2)
  end
  local places = {}
  for i, part in ipairs(self.parts or { self }) do
    places[i] = ("%s (%s)"):format(part.device, part.device_title)
  end
  chart.title = self.heading .. ", on " .. table.concat(places, ", ")
  chart:save(path)
  return self
end

local function place_of(part)
  return style.fold(("  on %s (%s)%s"):format(part.device, part.device_title,
    part.is_gpu and "" or ", which is this machine's CPU, not a GPU"))
end

-- The head of a report on several devices: where it ran, whether it was right
-- there, and whether the answers are the same.
local function head_of_parts(r, lines)
  for _, part in ipairs(r.parts) do lines[#lines + 1] = place_of(part) end
  for _, part in ipairs(r.parts) do
    local text = part.failed and "cannot run it: " .. part.failed or part.check
      and part.check.text
    if text then
      lines[#lines + 1] = style.fold(("  %s: %s"):format(part.device, text))
    end
  end
  for _, a in ipairs(r.agreement or {}) do
    lines[#lines + 1] = style.fold("  " .. a.text)
  end
end

-- A wrong answer: what is wrong, and that nothing was measured.
local function add_wrong(r, lines)
  if not r.parts then
    table.move(wrong_elements(r), 1, 6, #lines + 1, lines)
  end
  lines[#lines + 1] = r.check.ok == false
    and "  A wrong answer has no speed: nothing was measured."
    or style.fold("  The devices disagree, and which is right is not known: "
      .. "give cpu = … or verify = …; nothing was measured.")
end

-- The launches of each device, and what a launch costs there.
local function add_launches(r, lines)
  for _, part in ipairs(r.parts or { r }) do
    if part.launches then launch_lines(part, lines, r.parts) end
  end
  for _, part in ipairs(r.parts or { r }) do
    if part.overhead then
      lines[#lines + 1] = style.fold(
        "  " .. (r.parts and part.device .. ": " or "")
          .. timing.overhead_text(part.overhead))
    end
  end
end

function compare_text.of(r)
  local lines = { r.heading }
  if r.parts then head_of_parts(r, lines)
  else
    lines[2] = place_of(r)
    lines[3] = style.fold("  " .. r.check.text)
  end
  if r.ok == false and not r.base then
    add_wrong(r, lines)
    return table.concat(lines, "\n")
  end
  lines[#lines + 1] = ""
  for _, line in ipairs(r:table()) do lines[#lines + 1] = line end
  lines[#lines + 1] = ""
  if r.base then lines[#lines + 1] = tostring(r:chart()) end
  add_launches(r, lines)
  for _, note in ipairs(r.notes) do
    lines[#lines + 1] = style.fold("  ! " .. note)
  end
  return table.concat(lines, "\n")
end

return compare_text
