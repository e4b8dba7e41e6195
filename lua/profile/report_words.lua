-- report_words.lua - the words of a check or a profile that another program has
-- made (lua/report_worker.c): libmettle finds and counts, and has no
-- Lua.
--
--   report.check(r, source, file, outputs)  text, JSON, a list of findings
--   report.profile(p, source)               text, JSON, a list of numbers
local check = require "lua.check.check"
local profile = require "lua.profile.profile"

local report = {}

-- The program is written in C or Python.
require "lua.check.describe".own = false

-- 'number' is the place of a finding in the engine's list: some are left out,
-- since they follow from others.
local function row(f)
  return { number = f.number, line = f.line or 0, column = f.column or 0,
    other_line = f.other_line or 0, other_column = f.other_column or 0,
    message = f.message, advice = f.advice, text = f.text }
end

function report.check(r, source, file, outputs)
  r.outputs = {}
  for name in outputs:gmatch "%S+" do table.insert(r.outputs, name) end
  for i, f in ipairs(r) do f.number = i - 1 end
  check.dress(r, source, file)
  local rows = {}
  for i, f in ipairs(r) do rows[i] = row(f) end
  return tostring(r), r:json(), rows
end

-- Every number of a table by its name, those of tables in it as "issued.float".
local function numbers(t, prefix, list)
  for key, v in pairs(t) do
    if type(key) == "string" and type(v) == "number" then
      table.insert(list, { name = prefix .. key, value = v })
    end
  end
end

function report.profile(p, source)
  profile.finish(p, { source = source })
  local json, list = p:json(), {}
  for _, kinds in ipairs { "issued", "lanes" } do
    numbers(p.total[kinds], kinds .. ".", list)
  end
  numbers(p.busiest, "busiest.", list)
  numbers(p.total, "", list)
  numbers(p, "", list)
  table.sort(list, function(a, b) return a.name < b.name end)
  -- this process measures nothing: the text does without the machine's peaks
  p.peaks = function() error "not measured" end
  return tostring(p), json, list
end

return report
