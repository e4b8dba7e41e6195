-- report.lua - mettle doctor --report: one file that says how Mettle fares on
-- this machine, for those who do not have one like it.
--
-- Every kernel of tests/msl/run with its outcome and its time, on every device
-- there is, then the figures of the standard suite. No names of people or
-- computers, and no paths: what could hold one goes through 'scrub'. The file
-- is written line by line: what ends the program, or the machine, leaves all
-- that was known until then, and the name of the kernel that was tried.
--
--   METTLE_REPORT_SECONDS=60   what one kernel may take
--   METTLE_REPORT_EVERY=12     every twelfth kernel, and one figure
local bench = require "lua.measure.bench"
local progress = require "lua.session.progress"
local system = require "mettle.system"
local units = require "lua.text.units"

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
  -- Lua leaves out the beginning of a long one
  text = text:gsub("%.%.%.[^\n:]*/([^/\n:]+%.lua:%d)", "…/%1")
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

-- The first 'most' bytes, or fewer: no character is cut in two.
local function cut_at(text, most)
  if #text <= most then return text end
  while most > 0 and text:byte(most + 1) & 0xc0 == 0x80 do most = most - 1 end
  return text:sub(1, most)
end

-- What is not UTF-8 is a question mark: other tools stop at it.
local function readable(text)
  local good, bad = utf8.len(text)
  while not good do
    text = text:sub(1, bad - 1) .. "?" .. text:sub(bad + 1)
    good, bad = utf8.len(text, bad)
  end
  return text
end

function report.one_line(message, most)
  if type(message) == "table" then
    message = message.tap or message[1] or "?"
  end
  return cut_at(readable(tostring(message):gsub("%s*\n%s*", " | ")),
    most or 300)
end
local one_line = report.one_line

-- seconds that one kernel may take, with all its sizes
local SECONDS = tonumber(os.getenv "METTLE_REPORT_SECONDS") or 60
-- of so many kernels one is tried
local EVERY = math.max(1,
  math.tointeger(tonumber(os.getenv "METTLE_REPORT_EVERY")) or 1)

-- The kernels to try, and what reads them; nil without the source tree.
local function the_cases(only)
  local folder = (system.data or ".") .. "/tests/msl"
  local there = io.open(folder .. "/case.lua")
  if not there then return end
  there:close()
  local case = dofile(folder .. "/case.lua")
  local files = {}
  for i, file in ipairs(case.files(folder .. "/run", only)) do
    if (i - 1) % EVERY == 0 then files[#files + 1] = file end
  end
  return case, files
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

-- What a trial writes to standard error before kernel i.
local function mark(i) return ("\1kernel %d\n"):format(i) end

-- The kernels from number 'first' on, a line each before and after, in a
-- process that may hang or crash: the alarm ends it, and the reader of its
-- lines (conformance) knows at which kernel.
function report.trial(device, first, only)
  gpu.use(device)
  local case, files = the_cases(only)
  for i = first, #files do
    io.stderr:write(mark(i))
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

-- The last lines that came to standard error during kernel i (nil: all of it):
-- Metal says there what was wrong before it ends the program.
local function last_words(errors, i)
  local f = io.open(errors, "rb")
  if not f then return "" end
  f:seek("set", math.max(0, f:seek "end" - 8000))
  local text = f:read "a" or ""
  f:close()
  local _, from = text:find(mark(i or 0), 1, true)
  local to = text:find(mark((i or 0) + 1), 1, true)
  local lines = {}
  for line in text:sub((from or 0) + 1, (to or 0) - 1):gmatch "[^\r\n]+" do
    lines[#lines + 1] = line
  end
  return one_line(table.concat(lines, "\n", math.max(1, #lines - 3)), 900)
end

local signals = { [4] = "illegal instruction", [5] = "trap", [6] = "abort",
  [8] = "arithmetic", [9] = "killed", [11] = "segmentation fault" }
local ALARM = 14

-- How a trial ended over a kernel, in words.
local function how_it_ended(kind, number)
  if kind ~= "signal" then
    return ("ended the program with status %d"):format(number)
  elseif number == ALARM then
    return ("did not end in %g s"):format(SECONDS)
  end
  return ("ended the program by signal %d%s"):format(number,
    signals[number] and " (" .. signals[number] .. ")" or "")
end

local function command(words)
  local quoted = {}
  for i, word in ipairs(words) do
    quoted[i] = "'" .. word:gsub("'", "'\\''") .. "'"
  end
  return table.concat(quoted, " ")
end

-- A trial from 'first' on: calls each(i) before a kernel and done(outcome,
-- seconds, why) after it; gives how the process ended, if it did over a kernel.
-- The file 'errors' has what it says to standard error.
local function read_trial(name, first, only, errors, each, done)
  local code = ("require('lua.measure.report').trial(%q, %d, %s)"):format(name,
    first,
    only and ("%q"):format(only) or "nil")
  local child <close> = assert(io.popen("exec "
    .. command { system.program, "-e", code } .. " 2>" .. command { errors }))
  local under_way
  for line in child:lines() do
    local outcome, seconds, why = line:match "^(%a+)\t([%d%.]+)\t?(.*)$"
    if outcome == "begin" then
      under_way = tonumber(seconds)
      each(under_way)
    elseif outcome then
      local said = outcome == "no" and last_words(errors, under_way) or ""
      done(outcome, tonumber(seconds),
        why .. (said ~= "" and "; it said: " .. said or ""))
      under_way = nil
    end
  end
  local _, kind, number = child:close()
  local said = last_words(errors, under_way)
  return under_way and how_it_ended(kind, number), said
end

-- The outcomes as lines of the report; the kernel that is tried has one, too,
-- until its outcome is known.
local function outcomes(out, files, bar)
  local o = { counts = { ok = 0, no = 0, cannot = 0 }, next_one = 1,
    cut = false }
  local marks = { ok = "ok", no = "NO", cannot = "--" }
  local short = "?"
  function o.each(i)
    short, o.next_one = short_name(files[i]), i + 1
    bar:step(("%d of %d, %s"):format(i, #files, short), true)
    out.try(("  ..  %s  under way"):format(units.pad(short, 28)))
  end
  function o.done(outcome, seconds, why)
    if outcome == "cut" and not o.cut then
      o.cut = true
      out.add(("  ..  %s  interrupted"):format(units.pad(short, 28)))
    end
    if not o.counts[outcome] then return end
    o.counts[outcome] = o.counts[outcome] + 1
    out.add(("  %s  %s  %s%s"):format(marks[outcome], units.pad(short, 28),
      units.time(seconds), why ~= "" and "  " .. why or ""))
  end
  return o
end

-- Trial after trial: each that a kernel ended is followed by another, which
-- begins after it.
local function try_all(out, o, count, name, only)
  local folder = system.scratch()
  local errors = folder .. "/errors"
  while o.next_one <= count and not o.cut do
    local before, begun = o.next_one, system.now()
    local ok, ended, said = system.attempt(read_trial, name, o.next_one, only,
      errors, o.each, o.done)
    if not ok then o.done "cut"
    elseif ended then
      o.done("no", system.now() - begun,
        ended .. (said ~= "" and "; it said: " .. said or ""))
    elseif o.next_one == before then
      out.add("  the trial did not begin"
        .. (said ~= "" and "; it said: " .. said or ""))
      break
    end
  end
  os.remove(errors)
  os.remove(folder)
end

local function conformance(out, name, only)
  local _, files = the_cases(only)
  if not files then
    out.add("  conformance kernels: not here; run this in the source tree, "
      .. "build/mettle doctor --report")
    return
  end
  local bar, start = progress.new("kernels on " .. name, #files), system.now()
  local o = outcomes(out, files, bar)
  try_all(out, o, #files, name, only)
  bar:done()
  local counts = o.counts
  out.add(("  %d of %d right%s, in %s%s"):format(counts.ok, #files,
    counts.cannot > 0 and (", %d that this GPU cannot do"):format(counts.cannot)
      or "",
    units.time(system.now() - start), o.cut and "; interrupted" or ""))
  return o.cut, counts.ok + counts.cannot == #files
end

---------------------------------------------------------------------- figures

local function figures(out, only)
  if EVERY > 1 then only = only or "add-1M" end
  local measured = {}
  local function each(title, f)
    if f and f.time then
      measured[#measured + 1] = ("  %s  %s\n"):format(units.pad(f.title, 28),
        units.time(f.time.median))
    end
    out.try(table.concat(measured) .. "  " .. title .. ": under way")
  end
  local ok, card = system.attempt(bench.run,
    { only = only, budget = 0.1, each = each })
  if not ok then
    if card == "interrupted" then return true end
    out.add("  figures: " .. one_line(card))
    return
  end
  for line in tostring(card):gmatch "[^\n]+" do out.add("  " .. line) end
  return card.cut
end

------------------------------------------------------------------------ a file

-- The report as it grows: add(line), and try(line), which stands at the end
-- until the next call. The file is whole at any time.
local function opened(file)
  local lines, out = {}, {}
  function out.try(line)
    lines[#lines + 1] = report.scrub(line) .. "\n"
    system.write(file, table.concat(lines))
    lines[#lines] = nil
  end
  function out.add(line)
    lines[#lines + 1] = report.scrub(line) .. "\n"
    system.write(file, table.concat(lines))
  end
  return out
end

local function header(out, findings)
  out.add("Mettle " .. system.version .. ", report of " .. os.date "%Y-%m-%d")
  out.add(("%s %s, %s, %s"):format(system.os or "?", system.release or "?",
    system.architecture or "?", units.many(system.cores, "thread")))
  out.add ""
  for line in findings:gmatch "[^\n]+" do out.add(line) end
end

local function device(out, name, only)
  out.add ""
  local ok, d = pcall(gpu.use, name)
  if not ok then
    out.add(("device %s: not available: %s"):format(name, one_line(d)))
    return
  end
  out.add("device " .. tostring(d))
  local cut, good = conformance(out, name, only)
  if not cut then cut = figures(out, only) end
  return cut, good
end

-- The words of the command line: FILE, findings of the doctor [, --only WORD].
function report.main(arguments)
  local file, findings, only = arguments[1] ~= "" and arguments[1] or STANDARD,
    arguments[2], arguments[3]
  local out, all_good, cut = opened(file), true, false
  header(out, findings)
  for _, entry in ipairs(gpu.devices()) do
    local good
    cut, good = device(out, entry.name, only)
    all_good = all_good and good ~= false
    if cut then
      out.add "interrupted: this is what there is so far"
      break
    end
  end
  print(require("lua.text.style").fold(
    ("The report is in %s: %s. Have a look at it before you send it; "
      .. "it should name no person, computer or folder.")
    :format(file, cut and "interrupted, this is what there is so far"
      or all_good and "every kernel is right" or "some kernels are wrong")))
end

return report
