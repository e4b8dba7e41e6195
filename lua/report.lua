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
  for _, variable in ipairs { "HOME", "PWD" } do text = replace(text, os.getenv(variable), "…") end
  text = replace(text, system.data, "…")
  -- of any other path the last part tells enough
  text = text:gsub("%f[/%w~]~?/[%w%._%-+]+/[%w%._%-+/]*", function(path)
    return "…/" .. (path:match "([^/]+)/?$" or "")
  end)
  for _, name in ipairs { os.getenv "USER" or "", os.getenv "LOGNAME" or "", system.host or "" } do
    if #name >= 3 and name ~= "root" then -- as a word of its own
      text = text:gsub("%f[%w]" .. name:gsub("%W", "%%%0") .. "%f[%W]", "…")
    end
  end
  return text
end

------------------------------------------------------------------ conformance

local function one_line(message)
  if type(message) == "table" then message = message.tap or message[1] or "?" end
  return (tostring(message):gsub("%s*\n%s*", " | "):sub(1, 300))
end

-- One kernel on the device in use: true or false and why; seconds.
local function try(case, path)
  local start = system.now()
  local ok, why = system.attempt(function()
    local c = case.read(path)
    case.run_all(c, case.compile(c))
  end)
  return ok, why, system.now() - start
end

local function conformance(add, name, only)
  local folder = (system.data or ".") .. "/tests/msl"
  local there = io.open(folder .. "/case.lua")
  if not there then
    add "  conformance kernels: not here; run this in the source tree, build/mettle doctor --report"
    return
  end
  there:close()
  local case = dofile(folder .. "/case.lua")
  local files = case.files(folder .. "/run", only)
  local bar, right, start, cut = progress.new("kernels on " .. name, #files), 0, system.now(), false
  for i, path in ipairs(files) do
    local short = path:match "([^/]+)%.metal$"
    bar:step(("%d of %d, %s"):format(i, #files, short), true)
    local ok, why, seconds = try(case, path)
    if not ok and why == "interrupted" then
      cut = true
      break
    end
    if ok then right = right + 1 end
    add(("  %s  %s  %s%s"):format(ok and "ok" or "NO", units.pad(short, 28), units.time(seconds), ok and "" or "  " .. one_line(why)))
  end
  bar:done()
  add(("  %d of %d right, in %s%s"):format(right, #files, units.time(system.now() - start), cut and "; interrupted" or ""))
  return cut, right == #files
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
  add(("%s %s, %s, %d threads"):format(system.os or "?", system.release or "?", system.architecture or "?", system.cores))
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
  local file, findings, only = arguments[1] ~= "" and arguments[1] or STANDARD, arguments[2], arguments[3]
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
  print(require("lua.style").fold(("The report is in %s: %s. Have a look at it before you send it; it should name no person, computer or folder.")
    :format(file, cut and "interrupted, this is what there is so far" or all_good and "every kernel is right" or "some kernels are wrong")))
end

return report
