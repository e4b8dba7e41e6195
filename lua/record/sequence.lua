-- sequence.lua - record of a function with launches in it: a recording
-- of each, with memory as the launches before it left it.
--
--   local rs = of(s, options)     rs[1], rs[2], …: as record{…} gives them
--   tostring(rs)                  a line for each
local workload = require "lua.workload.workload"
local record = require "lua.record.record"
local sequence = require "lua.workload.sequence"
local units = require "lua.text.units"

local meta = { __name = "recordings" }

local function of(s, options)
  local list = {}
  sequence.each(s, function(step, i)
    local t = { step.kernel }
    for key, v in pairs(options) do if key ~= 1 then t[key] = v end end
    for key, v in pairs(step.launch) do
      t[math.type(key) and key + 1 or key] = v
    end
    local ok, r = pcall(record.make, t)
    if not ok then
      error(("launch %d of %d (%s): %s"):format(i, #s.steps, step.kernel.name,
        workload.plain(r)), 0)
    end
    list[i] = r
    if i < #s.steps then step.kernel(step.launch) end -- the next needs it
  end)
  return setmetatable(list, meta)
end

function meta:__tostring()
  local rows = {}
  for i, r in ipairs(self) do
    rows[i] = { ("%d  %s"):format(i, r.kernel),
      units.count(r.events:slices()), units.count(r.events:count()),
      #record.honest(r) > 1 and "see r[" .. i .. "]" or "" }
  end
  local lines = { units.many(#self, "recording")
    .. ", in the order of the launches",
    "" }
  for _, line in ipairs(units.table({ "launch", "threads", "events", "" },
    rows)) do
    lines[#lines + 1] = line
  end
  lines[#lines + 1] = ""
  lines[#lines + 1] = "r[1]:thread(0) tells what a thread of the first did, "
    .. "step(r[1]) steps through it."
  return table.concat(lines, "\n")
end

return of
