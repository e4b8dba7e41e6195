-- check.lua - check{…}: a kernel run instrumented on the host device, and what
-- was found as a report.
--
--   check.check(t)                 the global check: { k, arguments…, grid = …
--                                  }
--   check.run(k, launch, options)  one launch -> report
--   check.refused(why, …)          the report on a kernel that could not be
--                                  made, or nil
--   check.findings(k, launch, p)   the findings of one launch of a workload, a
--                                  list
--   check.host(k)                  the kernel k for the host device
--   check.arguments(k, launch)     the arguments of a launch by their names
--   check.lists(lists, r)          the unordered lists of several reports, by
--                                  their names
--   check.dress(r, source, file)   what the engine found becomes a report
--
-- The engine (devices/check.h) finds; describe.lua and text.lua have the words.
-- Which device is in use does not matter: the kernel's source is compiled again
-- for the host where it has to be, and the arguments are copied.
local describe = require "lua.check.describe"
local host_kernel = require "lua.workload.host_kernel"
local late = require "mettle.late"
local workload = require "lua.workload.workload"
local text = require "lua.check.text"
local uses = require "lua.workload.uses"
local verdict = require "lua.session.verdict"
local watch = require "mettle.check"

local check = {}

local SEED, SCHEDULES, TOLERANCE = 1, 3, 1e-3

------------------------------------------------------------------- the report

local finding_meta = { __name = "finding" }
finding_meta.__index = function(f, key)
  if key == "text" then return text.finding(f) end
end
function finding_meta:__tostring() return text.finding(self) end

local methods = {}
check.methods = methods
local report_meta = { __name = "report", __index = methods }
function report_meta:__tostring() return text.report(self) end
function report_meta:__show()
  return text.report(self, require "lua.text.style")
end

-- Positions in the grid, by number of sides as in the launch.
local function positions(f)
  local list = setmetatable({}, { __list = true }) -- [] if there is none
  for i, t in ipairs(f.threads) do list[i] = t.grid end
  return list
end

-- The findings as a list in JSON.
function methods:json()
  if #self == 0 then return "[]" end
  local list = {}
  for i, f in ipairs(self) do
    list[i] = { kind = f.kind, kernel = f.kernel, line = f.line or 0,
      column = f.column or 0, buffer = f.buffer,
      file = f.file ~= self.file and f.file or nil, index = f.index,
        length = f.length, other_line = f.other_line,
          other_column = f.other_column,
      threads = positions(f), count = f.count, message = f.message,
      advice = f.advice, seed = f.kind == "schedule" and f.value or nil }
  end
  return require "mettle.json".encode(list, true)
end

local function lines_of(source)
  local lines = {}
  for line in (source .. "\n"):gmatch "([^\n]*)\r?\n" do
    lines[#lines + 1] = line
  end
  return lines
end

-- A race or a value that was never set makes the answer depend on the schedule:
-- that it does is a sign of the finding, not another one. r.differs keeps it.
-- And what was written out of bounds is missing inside.
local causes = {}
for _, kind in ipairs(require("mettle.check").kinds) do
  causes[kind.name] = kind.upsets
end
local function set_consequences_apart(r)
  local cause, astray = false, {}
  for _, f in ipairs(r) do
    cause = cause or causes[f.kind]
    if f.kind == "out-of-bounds" and f.how == "write" and f.buffer then
      astray[f.buffer] = true
    end
  end
  for i = #r, 1, -1 do
    local f = r[i]
    if cause and f.kind == "schedule" then r.differs = table.remove(r, i)
    elseif f.kind == "coverage" and astray[f.buffer] then table.remove(r, i) end
  end
end

-- Where the kernel begins: a finding that is about all of it stands there.
local function place_of(kernel, lines)
  for number, line in ipairs(lines) do
    local at = line:find("%f[%w_]" .. kernel .. "%s*%(")
      or line:find("%f[%w_]" .. kernel .. "%s*$")
    if at then return number, at end
  end
end

-- What the engine gave becomes a report: words are added, and what they need.
function check.dress(r, source, file)
  local lines = lines_of(source)
  set_consequences_apart(r)
  r.file, r.ok = file, #r == 0 and not r.stopped
  for _, f in ipairs(r) do
    f.kernel = r.kernel
    if f.kind == "threadgroup-memory" and not f.line then
      f.line, f.column = place_of(r.kernel, lines)
    end
    describe.finding(f, r, lines)
    setmetatable(f, finding_meta)
  end
  if r.differs then describe.finding(r.differs, r, lines) end
  return setmetatable(r, report_meta)
end

---------------------------------------------------------------------- running

check.host = host_kernel.of

local function parameters(k)
  local named = {}
  for _, p in ipairs(k.params) do
    if p.kind ~= "builtin" then named[p.name] = p end
  end
  return named
end

-- Arguments by the parameter's name.
function check.arguments(k, launch)
  local values, number = {}, 0
  for _, p in ipairs(k.params) do
    if p.kind ~= "builtin" and p.kind ~= "threadgroup" then
      number = number + 1
      local v = launch[number]
      if v == nil then v = launch[p.name] end
      values[p.name] = v
    end
  end
  return values
end

-- A list of parameters' names (or one name) as a set.
local function name_set(k, list, word)
  if type(list) == "string" then list = { list } end
  if type(list) ~= "table" then
    error(
      ("%s is a list of the kernel's parameters, as in %s = {\"c\"}"):format(
        word, word), 0)
  end
  local set, known = {}, parameters(k)
  for _, name in ipairs(list) do
    -- of a member of an argument buffer the engine knows more
    local member = word == "undefined" and type(name) == "string"
      and name:match "^([^.]+)%."
    local base = known[member or name]
    local texture = word == "outputs" and base and base.kind == "texture"
    if not base or (base.kind ~= "buffer" and not texture) then
      error(("%s: '%s' is no buffer%s of %s"):format(word, tostring(name),
        word == "outputs" and " or texture" or "", k.name), 0)
    end
    set[name] = true
  end
  return set
end

local launches = setmetatable({}, { __mode = "k" }) -- by finding

-- One instrumented launch -> report.
local function run(k, launch, options)
  local host = check.host(k)
  local r = watch.run(host, launch, {
    seed = options.seed or SEED, schedules = options.schedules or SCHEDULES,
    tolerance = options.tolerance or TOLERANCE, findings = options.findings
      or 0, inplace = options.inplace,
    outputs = options.outputs, undefined = options.undefined or {},
      partial = options.partial,
  })
  r.of_problem = options.of_problem -- which says itself what its outputs are
  check.dress(r, host.source, host.options.file)
  for _, f in ipairs(r) do launches[f] = { kernel = k, launch = launch } end
  return r
end

-- For step(finding): the launch that a finding is from; nil: not known.
function check.launch_of(f) return launches[f] end
function check.is_finding(v) return getmetatable(v) == finding_meta end
function check.is_report(v)
  return getmetatable(verdict.read(v)) == report_meta
end

-- A report about a kernel that cannot even be made, since its variables are too
-- much for a threadgroup; nil if 'why' is another message.
function check.refused(why, source, file)
  local name, bytes,
    limit =
      why:match("kernel '([^']*)' has (%d+) bytes of threadgroup variables; "
        .. "the limit is (%d+)")
  if not name then return nil end
  local f = { kind = "threadgroup-memory", space = "threadgroup",
    value = math.tointeger(bytes),
    expected = math.tointeger(limit), bytes = math.tointeger(bytes), count = 1,
      threads = {} }
  return check.dress({ f, kernel = name, threads = 0, threadgroups = 0,
    grid = { 0, 1, 1 }, group = { 0, 1, 1 }, dropped = 0,
    unchecked = {}, outputs = {}, schedules = 0, seed = 0 }, source, file)
end

-- The names of 'lists' ("a, b", or nil) and of what r calls unordered, each
-- once.
function check.lists(lists, r)
  for name in (r.unordered or ""):gmatch "[^, ]+" do
    if not lists then lists = name
    elseif not (", " .. lists .. ","):find(" " .. name .. ",", 1, true) then
      lists = lists .. ", " .. name
    end
  end
  return lists
end

-- The same, with outputs and undefined as lists of names.
function check.run(k, launch, o)
  local options = {}
  for key, v in pairs(o or {}) do options[key] = v end
  for _, word in ipairs { "outputs", "undefined" } do
    if options[word] then options[word] = name_set(k, options[word], word) end
  end
  return run(k, launch, options)
end

-------------------------------------------------------------- what is asked for

local function number_at_least(least, word, whole)
  return function(v)
    if math.type(v) == "float" and whole and v == math.floor(v) then
      v = math.tointeger(v)
    end
    if type(v) ~= "number" or (whole and math.type(v) ~= "integer")
      or v < least then
      error(("%s is a %snumber of at least %s, not %s"):format(word,
        whole and "whole " or "", least, tostring(v)), 0)
    end
    return v
  end
end

-- Words of check beside those of a launch. A parameter of the kernel that has
-- such a name comes first, unless it is given by its position.
local words = {
  seed = number_at_least(0, "seed", true),
  schedules = number_at_least(0, "schedules", true),
  findings = number_at_least(1, "findings", true),
  tolerance = number_at_least(0, "tolerance"),
  inplace = function(v) return v and true or false end,
  outputs = function(v, k) return name_set(k, v, "outputs") end,
  undefined = function(v, k) return name_set(k, v, "undefined") end,
}
-- compare's: a call can be changed from one to the other.
local of_compare = { cpu = true, bytes = true, operations = true, before = true,
  budget = true, title = true }

-- { k, a, b, grid =, seed = } -> the launch { a, b, grid = }, options { seed =
-- }
function check.split(k, t)
  local launch, options, named = {}, {}, uses.open(k, t)
  for key, v in pairs(t) do
    if math.type(key) == "integer" then
      if key > 1 then launch[key - 1] = v end
    elseif words[key] and not named[key] then
      options[key] = words[key](v, k)
    elseif not of_compare[key] or named[key] then
      launch[key] = v
    end
  end
  if type(t.before) == "function" and not named.before then t.before() end
  return launch, options
end

-- Which parameters of a step hold the answer, and which nothing that means
-- something.
local function of_problem(k, launch, p)
  local values = check.arguments(k, launch)
  -- a workload knows which of its outputs are written all over: those that hold
  -- nonsense before; what is added to, or changed in place, need not be
  local outputs, undefined = {}, {}
  for name, v in pairs(values) do
    for _, output in ipairs(p.outputs or {}) do
      local whole = not p.undefined or p.undefined[v]
      if v == output.value and workload.is_buffer(v) and whole then
        outputs[name] = true
      end
    end
    if p.undefined and p.undefined[v] then undefined[name] = true end
  end
  return outputs, undefined
end

-- Words of check that a kernel of the library takes: its outputs are known.
local of_library = { seed = true, schedules = true, findings = true,
  tolerance = true, limit = true }

-- The findings of one launch of the workload p (lua/workload/workload.lua).
function check.findings(k, launch, p, given)
  local outputs, undefined = of_problem(k, launch, p or {})
  -- a step does a part, from what others left
  if p and #(p.steps or {}) > 1 then outputs, undefined = {}, {} end
  local options = { outputs = outputs, undefined = undefined,
    of_problem = p ~= nil or nil }
  for key, v in pairs(given or {}) do options[key] = v end
  return run(k, launch, options)
end

-- check "relu", check{"relu", n = 1000, seed = 7}: a kernel of the library, all
-- its steps.
local function check_library(t)
  local p, given = require("lua.workload.kernels").take(t, of_library)
  local limit = given.limit -- a word of the launch
  given.limit = nil
  for key, v in pairs(given) do given[key] = words[key](v) end
  p.reset()
  local lists
  for i, step in ipairs(p.steps) do
    step.launch.limit = limit
    local r = check.findings(step.kernel, step.launch, p, given)
    lists = check.lists(lists, r)
    r.unordered = lists
    if not r.ok or i == #p.steps then return r end
    step.kernel(step.launch)
  end
end

-- check() and check(k) are the lesson's, if there is one.
local function for_lesson(...)
  local ok, check_lesson = pcall(function() return late.check_lesson end)
  if ok then return check_lesson(...) end
  error("check takes a launch: check{k, a, b, grid = 1000}; "
    .. 'help "check" says more', 0)
end

-- Words of check that a function of launches takes.
local of_sequence = { seed = true, schedules = true, findings = true,
  tolerance = true, concurrent = true }

local function check_sequence(t)
  local options = {}
  for key, v in pairs(t) do
    if key ~= 1 and not of_sequence[key] then
      error(("check of a function takes concurrent, seed, schedules, "
        .. "findings and tolerance, not '%s': arguments are those "
        .. "of its launches"):format(
        tostring(key)), 0)
    end
    if words[key] then options[key] = words[key](v) end
  end
  return require "lua.check.sequence"(require "lua.workload.sequence".take(
    t)[1],
    options)
end

function check.check(t, ...)
  if type(t) == "string" and not t:find "[%s{;]" then t = { t } end
  if type(t) == "function" and select("#", ...) == 0 then t = { t } end
  if type(t) ~= "table" then return for_lesson(t, ...) end
  local ok, r
  if type(t[1]) == "string" then
    ok, r = pcall(check_library, t)
  elseif type(t[1]) == "function" then
    ok, r = pcall(check_sequence, t)
  elseif workload.is_kernel(t[1]) then
    ok, r = pcall(function()
      local launch, options = check.split(t[1], t)
      options.partial = true
      return run(t[1], launch, options)
    end)
  else
    ok, r = false,
      "check takes a kernel and its arguments: check{k, a, b, grid = 1000}"
  end
  if not ok then error(workload.plain(r), 2) end
  -- what was found so far is shown, and all that runs ends
  if r.interrupted then
    local style = require "lua.text.style"
    print(text.report(r, style.on() and style or nil))
    require "mettle.system".stop()
  end
  return verdict.given(r)
end

return check
