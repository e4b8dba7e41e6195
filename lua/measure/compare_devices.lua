-- compare_devices.lua - one workload on several devices, side by side.
--
--   local r = compare_devices(make, names, missing, home, options)
--
-- make() gives the workload on the device in use. It is verified everywhere,
-- against the reference and against the device that came first, before anything
-- is measured.
local on_devices = require "lua.workload.on_devices"
local progress = require "lua.session.progress"
local rows = require "lua.measure.rows"
local system = require "mettle.system"
local timing = require "lua.workload.timing"
local workload = require "lua.workload.workload"

-- Why a device has no times: it cannot run the kernel. True if Ctrl-C came.
local function fails(part, why)
  if why == "interrupted" then return true end
  part.failed = workload.plain(why)
end

-- "host and cuda: every element is the same", or by how much they differ.
local function agreement(part, first, reports, close)
  local worst
  for _, report in ipairs(reports) do
    if not worst or report.worst_error > worst.worst_error then
      worst = report
    end
  end
  local text = "every element is the same"
  if worst and not close then
    for _, report in ipairs(reports) do
      if not report.ok then worst = report end
    end
    text = ("they differ: %s: %s"):format(worst.name, tostring(worst))
  elseif worst and worst.worst_error > 0 then
    text = ("they differ by %.2g at most%s"):format(worst.worst_error,
      worst.unordered and "" or (" (%s[%d])"):format(worst.name, worst.index))
  end
  return { device = part.device, with = first, close = close,
    worst = worst and worst.worst_error or 0,
    text = ("%s and %s: %s"):format(first, part.device, text) }
end

-- Run it once on the device in use: against the reference, which is asked once
-- for all of them, and against the device that came first.
local function verify_part(part, state, make)
  local p = make()
  part.workload, p.work_out = p, state.work_out
  part.check = p:verify(state.wanted)
  part.ok = part.check.ok
  state.wanted, state.work_out = state.wanted or part.check.wanted, p.work_out
  if not state.answers then
    state.answers, state.first = p:answers(), part.device
  else
    part.agrees = agreement(part, state.first, p:differences(state.answers))
  end
  if p.restore then p.restore() end -- the next device begins from the same
end

-- Ctrl-C gives true, as for timing.measure.
local function measure_part(part, options, bar)
  local p = part.workload
  if part.ok == false then return end -- a wrong answer has no speed
  if p.reset then p.reset() end
  bar:step(part.device)
  rows.size_up(p, part)
  local cut = rows.measure_device(p, part, options, bar)
  if p.restore then p.restore() end
  return cut
end

-- Call f(part, …) for each that has not failed, with its device in use; the one
-- of 'last' at the end, so that the person's own buffers come back to where
-- they were. True if Ctrl-C came.
local function each_part(r, last, f, ...)
  local order = {}
  for _, part in ipairs(r.parts) do
    if part.device ~= last then order[#order + 1] = part end
  end
  for _, part in ipairs(r.parts) do
    if part.device == last then order[#order + 1] = part end
  end
  for _, part in ipairs(order) do
    if not part.failed then
      local ok, cut = system.attempt(on_devices.run, part.device, f, part, ...)
      if not ok then cut = fails(part, cut) end
      if cut then
        r.cut = true
        return true
      end
    end
  end
end

-- Right on all of them? nil: not known. Without a reference they must agree.
local function all_right(r)
  local known, ok = false, true
  r.agreement = {}
  for _, part in ipairs(r.parts) do
    if part.ok ~= nil then known, ok = true, ok and part.ok end
    r.agreement[#r.agreement + 1] = part.agrees
  end
  if known then return ok end
  for _, a in ipairs(r.agreement) do if not a.close then return false end end
  return nil
end

-- The rows of all devices, in the order asked for, each with how the first
-- compares.
local function join_rows(r)
  for _, part in ipairs(r.parts) do
    for _, note in ipairs(part.notes) do
      r.notes[#r.notes + 1] = part.device .. ": " .. note
    end
    if #part.rows == 0 and (part.failed or part.ok == false) then
      part.rows[1] = { name = part.device, device = part.device,
        failed = part.failed, wrong = not part.failed }
    end
    for _, row in ipairs(part.rows) do
      r.rows[#r.rows + 1] = row
      if row.median and not r.base then r.base, r.bytes, r.operations = row,
        part.bytes, part.operations
      elseif row.median and row.device then
        rows.compare_with(r.base, row)
      end
    end
  end
end

local function first_that(r, test)
  for _, part in ipairs(r.parts) do if test(part) then return part end end
end

-- Verified everywhere before anything is measured; the CPU's ways once.
local function run_parts(r, make, home, options)
  local state = {}
  local bar = progress.new("compare", 2 * #r.parts + 4)
  bar:step("verifying", true)
  local cut = each_part(r, home, verify_part, state, make)
  local ran = first_that(r, function(part) return part.check
    and not part.failed end)
  if not ran then
    bar:done()
    if cut then timing.fail "interrupted" end
    error(r.parts[1].failed, 0) -- on no device: it is not about the devices
  end
  local p = ran.workload
  r.name, r.heading, r.sizes, r.workload, r.check, r.ok = p.name, p.title,
    p.sizes, p, ran.check, all_right(r)
  local right = first_that(r, function(part) return part.ok end)
  -- wrong on all, or it is not known which is right
  local split = r.ok == false and not right
  if not cut and not split then
    each_part(r, home, measure_part, options, bar)
  end
  join_rows(r)
  if r.base then
    local host = first_that(r,
      function(part) return not part.is_gpu and #part.rows > 0
        and part.rows[1].median end)
    local of = host or right or ran
    on_devices.run(of.device, rows.measure_cpus, of.workload, r, options, bar)
  end
  bar:done()
  rows.finish(p, r)
end

-- Leaves the answer of one run in the person's buffers, if their own device is
-- among these, as with one device; else what they held.
local function leave(r, home)
  local own = first_that(r, function(part) return part.device == home end)
  local any = own and own.workload and own
    or first_that(r, function(part) return part.workload end)
  if not any or not any.workload.restore then return end
  on_devices.run(any.device, function()
    if any == own and not any.failed and any.check and any.check.wanted
      and not r.cut then any.workload:verify(any.check.wanted)
    else any.workload.restore() end
  end)
end

-- compare{…, devices = …}: make() gives the workload on the device in use.
return function(make, names, missing, home, options)
  local r = { devices = names, parts = {}, rows = {}, notes = {},
    budget = options.budget }
  for i, name in ipairs(names) do
    r.parts[i] = on_devices.run(name, function() return rows.report(
      gpu.device) end)
  end
  r.device, r.device_title, r.is_gpu = names[1], r.parts[1].device_title,
    r.parts[1].is_gpu
  table.move(missing, 1, #missing, 1, r.notes)
  local ok, why = system.attempt(run_parts, r, make, home, options)
  leave(r, home)
  if not ok then timing.fail(why) end
  if r.cut and not r.base then timing.fail "interrupted" end
  return r
end
