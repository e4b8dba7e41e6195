-- present.lua - mettle present DEMO.lua: a script step by step, in front of a
-- room.
--
-- lua/present/script.lua reads the script, lua/present/run.lua runs a step,
-- lua/present/view.lua makes rows of it, lua/present/notes.lua serves the
-- second terminal; here are the command line, the keys and the screen.
--
--   present.go(arg)   called by repl/commands/present.c, again and again while
--                     it leaves a word in arg.wants: "console", or "again"
--                     after a step or Ctrl-C
--   present.key(p, name) what a key does; true: it leaves
local notes = require "lua.present.notes"
local run = require "lua.present.run"
local script = require "lua.present.script"
local step = require "lua.step.step"
local style = require "lua.text.style"
local system = require "mettle.system"
local timing = require "lua.workload.timing"
local units = require "lua.text.units"
local view = require "lua.present.view"

local present = {}

local QUICK = 0.05 -- seconds for a measurement while the room waits
local terminal = io.stdout -- heard.lua has another one while a step runs

local usage = [==[
usage: mettle present DEMO.lua | NAME [options]
present: a script step by step, in front of a room; ? shows the keys
  NAME                 one that comes with Mettle, as five-minutes
  --large              large type: titles, and code that fits
  --quick              short timings; the script's global 'quick' is true
  --from N             begin at step N, the ones before run unseen
  --all                all steps one after another, without waiting; so it is
                       without a terminal, too. Status 1 if a step fails
  --notes              on a second terminal: notes, the next step, the time
A step begins with a line '--# Title (4 min)'; '--: …' is a note for you,
'--? expression' must be true once the step has run.
]==]

local fail = require "lua.session.usage"

-- Names of the scripts that come with Mettle.
local function demos()
  local names = {}
  for _, file in ipairs(system.list((system.data or ".") .. "/demos")) do
    names[#names + 1] = file:match "^(.*)%.lua$"
  end
  return names
end

------------------------------------------------------------- the command line

local flags = { ["--large"] = "large", ["--quick"] = "quick",
  ["--all"] = "all", ["--notes"] = "notes", ["--help"] = "help",
  ["-h"] = "help" }

function present.read(words)
  local o, i = {}, 1
  while words[i] do
    local word = words[i]
    if flags[word] then
      o[flags[word]] = true
    elseif word == "--from" then
      i = i + 1
      o.from = math.tointeger(tonumber(words[i] or ""))
      if not o.from then fail "--from needs the number of a step" end
    elseif word:sub(1, 1) == "-" then
      fail("unknown option %s; mettle present --help lists them", word)
    elseif o.file then
      fail("one script at a time: %s or %s", o.file, word)
    else
      o.file = word
    end
    i = i + 1
  end
  if not (o.file or o.notes or o.help) then
    fail("which script? A file, or one of %s; mettle present --help says more",
      table.concat(demos(), ", "))
  end
  return o
end

-- The file of that name; of those that come with Mettle the one called so.
local function path_of(name)
  if system.there(name) == "file" then return name end
  for _, known in ipairs(demos()) do
    if name:gsub("%.lua$", ""):lower() == known then
      return ("%s/demos/%s.lua"):format(system.data or ".", known)
    end
  end
  return name
end

local function open(o)
  o.file = path_of(o.file)
  local f, why = io.open(o.file)
  if not f then
    fail("%s; those that come with Mettle are %s", why,
      table.concat(demos(), ", "))
  end
  local text = f:read "a"
  f:close()
  if not text then fail("%s cannot be read", o.file) end
  local s = script.read(text, o.file)
  if o.from and (o.from < 1 or o.from > #s.steps) then
    fail("--from %d: %s has %d steps", o.from, o.file, #s.steps)
  end
  return s
end

---------------------------------------------------------------------- the room

local function tell(p)
  if not p.server then return end
  local s, now = p.script.steps[p.at], p.script.steps[p.at + 1]
  p.server:tell { name = p.script.name:match "[^/]*$", at = p.at,
    count = #p.script.steps, title = s.title, state = p.state,
    notes = table.concat(s.notes, "\n"), elapsed = p.elapsed(),
    here = system.now() - p.came, minutes = s.minutes,
    planned = script.planned(p.script, p.at),
    next_title = now and now.title, next_notes = now and table.concat(now.notes,
      "\n"), next_code = now and table.concat(now.code, "\n") }
end

local function write(...) terminal:write(...) end

-- The rows, then nothing below them; every row in its usual size.
local function draw_rows(p, list, first)
  for i, row in ipairs(list) do
    local at = first + i - 1
    if row then
      local plain = p.large == "lines" and not row:find "\27#[34]"
      write(("\27[%d;1H%s%s\27[K"):format(at, plain and "\27#5" or "", row))
    end
  end
end

local function message(p, rows, columns)
  local text = p.asks and p.asks .. p.typed or p.said
  if text then
    write(("\27[%d;1H\27[K%s"):format(rows, units.cut(text, columns - 1)))
  end
end

-- From where on the body is shown, so that its end is not left out.
local function top_of(p, count, area)
  return math.max(0, math.min(p.offset or 0, count - area))
end

function present.draw(p)
  local columns, rows = system.width(), system.height()
  write "\27[?2026h\27[r\27[2J\27[H"
  if p.empty then
    write "\27[?2026l"
    return terminal:flush()
  end
  local list = p.overlay
  local header, body = {}, list
  if not list then header, body = view.page(p, columns) end
  local area = rows - #header - 1
  p.offset = top_of(p, #body, area)
  local part = table.move(body, p.offset + 1, p.offset + area, 1, {})
  draw_rows(p, header, 1)
  draw_rows(p, part, #header + 1)
  if not p.said and not list and #body > area then
    write(("\27[%d;1H%s"):format(rows, style.dim(
      ("lines %d to %d of %d: ↑ ↓"):format(p.offset + 1, p.offset + #part,
        #body))))
  end
  message(p, rows, columns)
  p.drawn = { columns = columns, rows = rows, header = #header }
  write "\27[?2026l"
  terminal:flush()
end

-- Twice a second: the clock, and all of it in a window of another size.
local function refresh(p)
  local columns, rows = system.width(), system.height()
  if p.drawn.columns ~= columns or p.drawn.rows ~= rows then
    return present.draw(p)
  end
  if p.empty or p.overlay then return end
  local clock = view.clock(p.elapsed())
  if clock == p.clock then return end
  p.clock = clock
  write(("\0277\27[1;%dH  %s\0278"):format(columns - #clock - 1,
    style.dim(clock)))
  terminal:flush()
end

------------------------------------------------------------------- running

-- Code above, what it prints below; where that is too much it moves up, and the
-- title stays.
local function make_room(p)
  local columns, rows = system.width(), system.height()
  local header, body = view.page(p, columns)
  local area = rows - #header - 1
  local used = math.min(#body, area - 1)
  write("\27[?2026h\27[r\27[2J")
  draw_rows(p, header, 1)
  draw_rows(p, table.move(body, #body - used + 1, #body, 1, {}), #header + 1)
  write(("\27[%d;%dr\27[%d;1H\27[?2026l\n"):format(#header + 1, rows - 1,
    #header + used))
  terminal:flush()
end

local function out(piece)
  terminal:write(piece)
  terminal:flush()
end

local function finish_page(p, r)
  local columns, rows = system.width(), system.height()
  local header, body = view.page(p, columns)
  write "\27[r"
  if view.is_picture(r.text) then return terminal:flush() end
  p.offset = math.max(0, #body - (rows - #header - 1))
  present.draw(p)
end

-- "1–4, 6" of { 1, 2, 3, 4, 6 }
local function ranges(list)
  local parts, i = {}, 1
  while list[i] do
    local first = i
    while list[i + 1] == list[i] + 1 do i = i + 1 end
    parts[#parts + 1] = first == i and tostring(list[i])
      or ("%d–%d"):format(list[first], list[i])
    i = i + 1
  end
  return table.concat(parts, ", ")
end

-- Said where steps before this one have not run; nil: all have.
local function skipped(p)
  local list = {}
  for i = 1, p.at - 1 do
    if not p.results[i] then list[#list + 1] = i end
  end
  if #list == 0 then return nil end
  return ("%s %s skipped: R runs %s"):format(
    #list == 1 and "step" or "steps", ranges(list) .. (#list == 1
      and " was" or " were"), #list == 1 and "it" or "them")
end

function present.execute(p)
  local s = p.script.steps[p.at]
  p.results[p.at], p.said, p.offset, p.state = nil, nil, 0, "running"
  tell(p)
  make_room(p)
  local r = run.step(p.script, s, out)
  p.results[p.at] = r
  p.state = r.cut and "cut" or r.ok and "ran" or "failed"
  finish_page(p, r)
  local missing = not r.ok and not r.cut and skipped(p)
  if missing then
    p.said = missing .. "; perhaps that is why it failed"
    present.draw(p)
  end
  tell(p)
  p.again = true -- the next step has a Ctrl-C of its own
end

-- Those before this one that were not run, without showing them.
local function catch_up(p)
  local failed = {}
  for i = 1, p.at - 1 do
    if not p.results[i] then
      p.results[i] = run.step(p.script, p.script.steps[i])
      if not p.results[i].ok then failed[#failed + 1] = i end
      if p.results[i].cut then break end
    end
  end
  p.said = #failed == 0 and "the steps before this one have run"
    or "failed: step " .. table.concat(failed, ", ")
end

-------------------------------------------------------------------------- keys

local function go_to(p, n)
  p.at = math.max(1, math.min(n, #p.script.steps))
  p.came, p.offset = system.now(), 0
  local r = p.results[p.at]
  p.state = not r and "shown" or r.cut and "cut" or r.ok and "ran" or "failed"
  p.said = not r and skipped(p) or nil
  present.draw(p)
  tell(p)
end

local function forward(p)
  if not p.results[p.at] then return present.execute(p) end
  if p.at < #p.script.steps then return go_to(p, p.at + 1) end
  p.said = "that was the last step; q leaves"
  present.draw(p)
end

local function scroll(by)
  return function(p)
    p.offset = math.max(0, (p.offset or 0) + by)
    present.draw(p)
  end
end

local function over(list)
  return function(p)
    p.overlay = list(p)
    present.draw(p)
  end
end

local does = {
  [" "] = forward, ["r"] = present.execute,
  left = function(p) go_to(p, p.at - 1) end,
  s = function(p) go_to(p, p.at + 1) end,
  home = function(p) go_to(p, 1) end,
  ["end"] = function(p) go_to(p, #p.script.steps) end,
  up = scroll(-1), down = scroll(1),
  g = function(p)
    p.asks, p.typed = "to step ", ""
    present.draw(p)
  end,
  R = function(p)
    catch_up(p)
    p.again = true
    present.draw(p)
  end,
  t = function(p)
    timing.quick = not timing.quick and QUICK or nil
    p.said = timing.quick and "timings are quick" or "timings take their time"
    present.draw(p)
  end,
  ["+"] = function(p)
    p.large = not p.large and require "lua.present.big_text".way() or nil
    present.draw(p)
  end,
  ["."] = function(p)
    p.empty = true
    present.draw(p)
  end,
  [":"] = function(p) p.wants = "console" end,
  ["?"] = over(function()
    local rows = { style.bold "Keys", "" }
    return table.move(view.keys, 1, #view.keys, 3, rows)
  end),
  l = over(function(p)
    return view.list(p, system.width(), system.height())
  end),
}
does["\n"], does.right, does["page down"] = forward, forward, forward
does.n = forward
does["page up"], does["\127"], does.p = does.left, does.left, does.left
does["\8"], does["="], does.c = does.left, does["+"], does[":"]

local function typing(p, name)
  if name == "\n" or name == "escape" then
    local n = name == "\n" and math.tointeger(tonumber(p.typed))
    p.asks, p.typed = nil, nil
    if n and n >= 1 and n <= #p.script.steps then return go_to(p, n) end
    p.said = name == "\n" and ("a step is a number from 1 to %d"):format(
      #p.script.steps) or nil
  elseif name == "\127" or name == "\8" then
    p.typed = p.typed:sub(1, -2)
  elseif name:find "^%d$" then
    p.typed = p.typed .. name
  end
  present.draw(p)
end

function present.key(p, name)
  if p.asks then
    typing(p, name)
    return false
  end
  if p.empty or p.overlay then -- any key ends it; a digit chooses nothing
    p.empty, p.overlay = nil, nil
    present.draw(p)
    if name ~= "g" then return false end
  end
  if name == "q" then return true end
  p.said = nil
  if does[name] then does[name](p) end
  return false
end

-- Until something is to be done outside: "console", "again" or "end".
local function loop(p)
  local screen = require "mettle.screen"
  local heard = system.now()
  while true do
    local bytes = screen.wait(p.keys == "" and 0.1 or 0)
    if not bytes then return "end" end
    if p.server then bytes = bytes .. p.server:keys() end
    if bytes ~= "" then p.keys, heard = p.keys .. bytes, system.now() end
    while p.keys ~= "" do
      local name
      name, p.keys = step.take(p.keys, system.now() - heard > 0.05)
      if not name then break end
      if present.key(p, name) then return "end" end
      if p.wants or p.again then return p.wants or "again" end
    end
    refresh(p)
  end
end

----------------------------------------------------------------- without a room

local function all(s)
  run.alone()
  local failed = {}
  for i, one in ipairs(s.steps) do
    print(("%s%d/%d %s"):format(i > 1 and "\n" or "", i, #s.steps, one.title))
    for _, line in ipairs(one.code) do
      print((("    " .. line):gsub("%s+$", "")))
    end
    if not run.step(s, one, out).ok then failed[#failed + 1] = i end
  end
  if #failed == 0 then return true end
  io.stderr:write(("mettle: %s: failed: step %s\n"):format(s.name,
    table.concat(failed, ", ")))
  return false
end

------------------------------------------------------------------------- begin

-- What stands before the first step must work, or nothing would.
local function set_up(s)
  local r = run.step(s, s.setup)
  if not r.ok then error(r.text:gsub("\n$", ""), 0) end
end

local function begin(o)
  local s = open(o)
  if o.quick then timing.quick = QUICK end
  _G.quick = o.quick or nil
  set_up(s)
  if o.all or not (system.terminal(1) and system.terminal(0)) then
    return nil, all(s)
  end
  local began = system.now()
  local p = { script = s, at = 1, results = {}, state = "shown", came = began,
    keys = "", -- typed, and not obeyed so far
    elapsed = function() return system.now() - began end,
    large = o.large and require "lua.present.big_text".way() or nil }
  local why
  p.server, why = notes.listen()
  p.at = o.from or 1
  catch_up(p)
  p.said = why and "no notes: " .. why or "? shows the keys"
  return p
end

local shown -- the presentation, while its command runs

local function leave(p)
  require "mettle.screen".leave()
  if p.server then p.server:close() end
  write(("\27[r\27[%d;1H\n"):format(system.height()))
end

local function to_console(p)
  require "mettle.screen".leave()
  write "\27[r\27[2J\27[H"
  print(style.dim(("Ctrl-D goes back to step %d."):format(p.at)))
  p.wants = nil
end

local function start(words)
  local o = present.read(words)
  if o.help then return print((usage:gsub("\n$", ""))) end
  if o.notes then return notes.watch() end
  local p, good = begin(o)
  if not p and not good then words.status = 1 end
  return p
end

function present.go(words)
  words.wants = nil
  shown = shown or start(words)
  local p = shown
  if not p then return end
  if not require "mettle.screen".keys() then
    fail "present needs a terminal; --all runs all steps without one"
  end
  if not p.again then present.draw(p) end
  p.again = nil
  tell(p)
  local ok, what = system.attempt(loop, p)
  if not ok and what ~= "interrupted" then
    leave(p)
    error(what, 0)
  end
  if not ok then what = "again" end
  if what == "end" then return leave(p) end
  words.wants = what
  if what == "console" then to_console(p) end
end

return present
