-- step.lua - step{…}: a recording in the terminal's whole screen, line by line,
-- forwards and backwards.
--
--   step.step(t)          the global step: { k, arguments…, grid = … }, a
--                         recording, or a finding of check
--   step.key(s, name)     what a key does to a stepper; true: it leaves
--
-- The model is lua/step/stepper.lua, the rows are lua/step/view.lua.
local workload = require "lua.workload.workload"
local stepper = require "lua.step.stepper"
local system = require "mettle.system"
local view = require "lua.step.view"

local step = {}

------------------------------------------------------------------------- keys

-- What is typed after g, G, c and t.
local questions = {
  g = { "to line", function(s, text)
    local line = math.tointeger(tonumber(text))
    if line then s:to_line(line, 1) else s.said = "a line is a number" end
  end },
  G = { "back to line", function(s, text)
    local line = math.tointeger(tonumber(text))
    if line then s:to_line(line, -1) else s.said = "a line is a number" end
  end },
  c = { "stop where", function(s, text)
    local line, condition = text:match "^%s*(%d+)%s+(.+)$"
    if not line then line = text:match "^%s*(%d+)%s*$" end
    if line then condition = condition and condition:gsub("^if%s+", "") end
    s:stop(math.tointeger(line), condition or not line and text or nil)
  end },
  t = { "thread", function(s, text)
    local at = {}
    for n in text:gmatch "%d+" do at[#at + 1] = math.tointeger(n) end
    if #at == 0 then s.said = "a thread is a number, or x, y" return end
    s:thread(#at == 1 and at[1] or at)
  end },
}

local function along(by)
  return function(s)
    s.element = math.max(0, (s.element or 0) + by)
    s.pinned = true
  end
end

local does = {
  right = function(s) s:line(1) end, left = function(s) s:line(-1) end,
  o = function(s) s:over(1) end, O = function(s) s:over(-1) end,
  u = function(s) s:out(1) end, U = function(s) s:out(-1) end,
  b = function(s) s:barrier(1) end, B = function(s) s:barrier(-1) end,
  r = function(s) s:run(1) end, R = function(s) s:run(-1) end,
  f = function(s) s:finding(1) end, F = function(s) s:finding(-1) end,
  ["end"] = function(s) s:ends(1) end, home = function(s) s:ends(-1) end,
  up = function(s) s:lane(-1) end, down = function(s) s:lane(1) end,
  s = function(s) s:simdgroup(1) end, S = function(s) s:simdgroup(-1) end,
  ["]"] = function(s) s:group(1) end, ["["] = function(s) s:group(-1) end,
  ["\t"] = function(s) s:swap() end, x = function(s) s:toggle(s.visit.line) end,
  v = function(s) s:choose_lanes() end,
  m = function(s) s:choose_object(1) end,
  M = function(s) s:choose_object(-1) end,
  ["<"] = function(s) s:caller(1) end, [">"] = function(s) s:caller(-1) end,
  ["+"] = along(16), ["-"] = along(-16),
  ["?"] = function(s) s.help = true end,
}
does.n, does[" "], does.p = does.right, does.right, does.left
does["="] = does["+"]

local function typing(s, name)
  if name == "escape" then
    s.asks, s.typed, s.said = nil, nil, nil
  elseif name == "\n" then
    local answer, text = s.answer, s.typed
    s.asks, s.typed, s.said = nil, nil, nil
    if text ~= "" then answer(s, text) end
  elseif name == "\127" or name == "\8" then
    s.typed = s.typed:gsub(utf8.charpattern .. "$", "")
  elseif #name == 1 and name:byte() >= 32 then
    s.typed = s.typed .. name
  end
end

function step.key(s, name)
  if s.help then
    s.help = nil
    return name == "q"
  end
  if s.asks then
    typing(s, name)
    return false
  end
  if name == "q" or name == "escape" then return true end
  s.said = nil
  if questions[name] then
    s.asks, s.answer, s.typed = questions[name][1], questions[name][2], ""
  elseif does[name] then
    does[name](s)
  end
  return false
end

---------------------------------------------------------------- the terminal

local ESCAPE = 0.05 -- seconds after which ESC is a key, no sequence's beginning
local ends = { A = "up", B = "down", C = "right", D = "left", H = "home",
  F = "end" }
local numbered = { ["1"] = "home", ["4"] = "end", ["5"] = "page up",
  ["6"] = "page down", ["7"] = "home", ["8"] = "end" }

-- One key from the front of what was typed: its name, and what is left; nil: it
-- is not all there.
function step.take(typed, waited)
  if typed:byte() ~= 27 then
    local b = typed:byte()
    local size = b >= 0xf0 and 4 or b >= 0xe0 and 3 or b >= 0xc0 and 2 or 1
    if #typed < size then return nil, typed end
    local name = typed:sub(1, size)
    return name == "\r" and "\n" or name, typed:sub(size + 1)
  end
  local number, final, rest = typed:match "^\27[%[O]([%d;?<>=]*)([@-~])()"
  if final then
    local name = ends[final] or final == "~" and numbered[number]
    if final == "M" and number:match "^<6[45];" then -- the wheel
      name = number:match "^<64" and "left" or "right"
    end
    return name or "", typed:sub(rest)
  end
  if not waited and typed:match "^\27[%[O]?[%d;?<>=]*$" then
    return nil, typed
  end
  return "escape", typed:sub(2)
end

local function show(screen, s, last)
  local columns, rows = system.width(), system.height()
  local colour = view.colour()
  local list = s.help and view.keys(columns, rows)
    or view.rows(s, columns, rows, colour)
  local out = {}
  local resized = last.columns ~= columns or last.rows ~= rows
  if resized then last.text = {} end
  last.columns, last.rows = columns, rows
  for i, text in ipairs(list) do
    if last.text[i] ~= text then
      out[#out + 1] = ("\27[%d;1H%s\27[K"):format(i, text)
      last.text[i] = text
    end
  end
  if resized then table.insert(out, 1, "\27[2J") end
  if #out > 0 then
    screen.write("\27[?2026h" .. table.concat(out) .. "\27[?2026l")
  end
end

local function loop(screen, s)
  local typed, heard, last = "", system.now(), { text = {} }
  while true do
    show(screen, s, last)
    local bytes = screen.wait(0.25)
    if not bytes then return end
    if bytes ~= "" then typed, heard = typed .. bytes, system.now() end
    while typed ~= "" do
      local name
      name, typed = step.take(typed, system.now() - heard > ESCAPE)
      if not name then break end
      if step.key(s, name) then return end
    end
  end
end

-- The screen is given back whatever happens.
local function on_screen(s)
  local screen = require "mettle.screen"
  if not screen.page() then
    error("step needs a terminal with a whole screen; r:thread(0) tells "
      .. "the same as text", 0)
  end
  local ok, why = system.attempt(loop, screen, s)
  screen.leave()
  if not ok and why ~= "interrupted" then error(why, 0) end
end

------------------------------------------------------------------ what is asked

local check = require "lua.check.check"

-- A stepper of a recording, with what check finds in the same launch.
function step.open(r)
  local s = stepper.new(r)
  if r.faulted then -- where it was stopped: back is how it came there
    s:at(r.events:count())
    s.said = r.stopped
  end
  return s
end

-- At a finding: the launch that was checked is recorded.
function step.at_finding(f)
  local record = require "lua.record.record"
  local again = check.launch_of(f)
  if not again then
    error("step takes a finding of check{…}: step(check{k, …}[1])", 0)
  end
  local t = { again.kernel }
  for key, v in pairs(again.launch) do
    t[math.type(key) == "integer" and key + 1 or key] = v
  end
  local s = step.open(record.make(t))
  s:set_findings { f }
  if #s.findings == 0 then
    error("the finding has no place in the recording: it is about the whole "
      .. "launch, or its thread was stopped before", 0)
  end
  s:finding(1)
  return s
end

local USE = "step takes a kernel and its arguments, a recording or a finding: "
  .. "step{k, a, b, grid = 64}, step(r), step(check{k, …}[1])"

function step.make(v)
  local record = require "lua.record.record"
  if record.is(v) then return step.open(v) end
  if check.is_finding(v) then return step.at_finding(v) end
  if check.is_report(v) then
    if #v == 0 then error("the report has no finding to step to", 0) end
    return step.at_finding(v[1])
  end
  local first = type(v) == "table" and v[1] or v
  if workload.is_kernel(first) or type(first) == "string" then
    return step.open(record.record(v))
  end
  error(USE, 0)
end

function step.step(v)
  local ok, s = pcall(step.make, v)
  if ok then ok, s = pcall(on_screen, s) end
  if not ok then error(workload.plain(s), 2) end
end

return step
