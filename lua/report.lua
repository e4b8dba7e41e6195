-- report.lua - mettle doctor --report: one file that says how Mettle fares on
-- this machine, for those who do not have one like it.
--
-- Every kernel of tests/msl/run with its outcome and its time, on every device
-- there is, then the figures of the standard suite. No names of people or
-- computers, and no paths: what could hold one goes through 'scrub'.
local bench = require "lua.bench"
local progress = require "lua.progress"
local system = require "mettle.system"
local units = require "lua.units"

local report = {}
local STANDARD = "mettle-report.txt"

-------------------------------------------------------------------- scrubbing

-- A folder's name in the text, whatever characters it has.
local function replace(text, what, by)
  if not what or #what < 3 then return text end
  local pattern = what:gsub("%W", "%%%0")
  return (text:gsub(pattern, by))
end

-- The text without names of people, computers and folders.
function report.scrub(text)
  for _, variable in ipairs { "HOME", "PWD" } do
    text = replace(text, os.getenv(variable), "…")
  end
  text = replace(text, system.data, "…")
  -- of any other path the last part tells enough
  text = text:gsub("%f[/%w~]~?/[%w%._%-+]+/[%w%._%-+/]*", function(path)
    return "…/" .. (path:match "([^/]+)/?$" or "")
  end)
  for _, name in ipairs { os.getenv "USER" or "", os.getenv "LOGNAME" or "",
    system.host or "" } do
    if #name >= 3 and name ~= "root" then -- as a word of its own
      text = text:gsub("%f[%w]" .. name:gsub("%W", "%%%0") .. "%f[%W]", "…")
    end
  end
  return text
end

------------------------------------------------------------------ conformance

local function one_line(message)
  if type(message) == "table" then
    message = message.tap or message[1] or "?"
  end
  return (tostring(message):gsub("%s*\n%s*", " | "):sub(1, 300))
end

-- seconds that one kernel may take, with all its sizes
local SECONDS = tonumber(os.getenv "METTLE_REPORT_SECONDS") or 60

-- The kernels to try, and what reads them; nil without the source tree.
local function the_cases(only)
  local folder = (system.data or ".") .. "/tests/msl"
  local there = io.open(folder .. "/case.lua")
  if not there then return end
  there:close()
  local case = dofile(folder .. "/case.lua")
  return case, case.files(folder .. "/run", only)
end

local function short_name(path) return path:match "([^/]+)%.metal$" end

-- One kernel on the device in use: "ok", "no" or "cannot", and why.
local function try(case, path)
  local c
  local ok, why = system.attempt(function()
    c = case.read(path)
    case.run_all(c, case.compile(c))
  end)
  if ok then return "ok", "" end
  if why == "interrupted" then return "cut", "" end
  return c and case.cannot(c, why) and "cannot" or "no", one_line(why)
end

-- The kernels from number 'first' on, a line each before and after, in a
-- process that may hang or crash: the alarm ends it, and who reads its lines
-- (conformance) knows over which kernel.
function report.trial(device, first, only)
  gpu.use(device)
  local case, files = the_cases(only)
  for i = first, #files do
    print(("begin\t%d"):format(i))
    io.flush()
    system.alarm(math.ceil(SECONDS))
    local start = system.now()
    local outcome, why = try(case, files[i])
    system.alarm(0)
    print(("%s\t%.6f\t%s"):format(outcome, system.now() - start, why))
    io.flush()
    if outcome == "cut" then return end
  end
end

-- A trial from 'first' on: calls each(i) before a kernel and done(outcome,
-- seconds, why) after it; gives the number of the kernel that ended the
-- process, or nil.
local function read_trial(name, first, only, each, done)
  local code = ("require('lua.report').trial(%q, %d, %s)"):format(name, first,
    only and ("%q"):format(only) or "nil")
  local quoted = { system.program, "-e", code }
  for i, word in ipairs(quoted) do
    quoted[i] = "'" .. word:gsub("'", "'\\''") .. "'"
  end
  local child <close> = assert(
    io.popen(table.concat(quoted, " ") .. " 2>/dev/null"))
  local under_way
  for line in child:lines() do
    local outcome, seconds, why = line:match "^(%a+)\t([%d%.]+)\t?(.*)$"
    if outcome == "begin" then
      under_way = tonumber(seconds)
      each(under_way)
    elseif outcome then
      done(outcome, tonumber(seconds), why)
      under_way = nil
    end
  end
  return under_way
end

local function conformance(add, name, only)
  local _, files = the_cases(only)
  if not files then
    add "  conformance kernels: not here; run this in the source tree, build/mettle doctor --report"
    return
  end
  local bar, start, cut = progress.new("kernels on " .. name, #files),
    system.now(), false
  local counts = { ok = 0, no = 0, cannot = 0 }
  local marks = { ok = "ok", no = "NO", cannot = "--" }
  local short, next_one = "?", 1
  local function each(i)
    short, next_one = short_name(files[i]), i + 1
    bar:step(("%d of %d, %s"):format(i, #files, short), true)
  end
  local function done(outcome, seconds, why)
    cut = cut or outcome == "cut"
    if not counts[outcome] then return end
    counts[outcome] = counts[outcome] + 1
    add(("  %s  %s  %s%s"):format(marks[outcome], units.pad(short, 28),
      units.time(seconds), why ~= "" and "  " .. why or ""))
  end
  while next_one <= #files and not cut do
    local before, begun = next_one, system.now()
    local ok, ended = system.attempt(read_trial, name, next_one, only, each,
      done)
    if not ok then cut = true
    elseif ended then
      local seconds = system.now() - begun
      done("no", seconds, ("ended the program, or did not end in %g s"):format(
        SECONDS))
    elseif next_one == before then
      add "  the trial did not begin"
      break
    end
  end
  bar:done()
  add(("  %d of %d right%s, in %s%s"):format(counts.ok, #files,
    counts.cannot > 0 and (", %d that this GPU cannot do"):format(counts.cannot)
      or "",
    units.time(system.now() - start), cut and "; interrupted" or ""))
  return cut, counts.ok + counts.cannot == #files
end

---------------------------------------------------------------------- figures

local function figures(add, only)
  local ok, card = system.attempt(bench.run, { only = only, budget = 0.1 })
  if not ok then
    if card == "interrupted" then return true end
    add("  figures: " .. one_line(card))
    return
  end
  for line in tostring(card):gmatch "[^\n]+" do add("  " .. line) end
  return card.cut
end

------------------------------------------------------------------------ a file

local function header(add, findings)
  add("Mettle " .. system.version .. ", report of " .. os.date "%Y-%m-%d")
  add(("%s %s, %s, %s"):format(system.os or "?", system.release or "?",
    system.architecture or "?", units.many(system.cores, "thread")))
  add ""
  for line in findings:gmatch "[^\n]+" do add(line) end
end

local function device(add, name, only)
  add ""
  local ok, d = pcall(gpu.use, name)
  if not ok then
    add(("device %s: not available: %s"):format(name, one_line(d)))
    return
  end
  add("device " .. tostring(d))
  local cut, good = conformance(add, name, only)
  if not cut then cut = figures(add, only) end
  return cut, good
end

local function write(file, lines)
  local text = report.scrub(table.concat(lines, "\n")) .. "\n"
  system.write(file, text)
end

-- The words of the command line: FILE, findings of the doctor [, --only WORD].
function report.main(arguments)
  local file, findings, only = arguments[1] ~= "" and arguments[1] or STANDARD,
    arguments[2], arguments[3]
  local lines, all_good, cut = {}, true, false
  local function add(line) lines[#lines + 1] = line end
  header(add, findings)
  write(file, lines) -- if it cannot be written, that is known at once
  for _, entry in ipairs(gpu.devices()) do
    local good
    cut, good = device(add, entry.name, only)
    all_good = all_good and good ~= false
    if cut then
      add "interrupted: this is what there is so far"
      break
    end
  end
  write(file, lines)
  print(require("lua.style").fold(
    ("The report is in %s: %s. Have a look at it before you send it; it should name no person, computer or folder.")
    :format(file, cut and "interrupted, this is what there is so far"
      or all_good and "every kernel is right" or "some kernels are wrong")))
end

return report
