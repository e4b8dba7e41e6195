-- verdict.lua - what judges say to the caller, and to the shell.
--
--   return verdict.shown(ok, reason, what)  a judge has printed its verdict on
--                                     'what': true or false and the reason, for
--                                     the caller
--   return verdict.unclear(reason)    nothing could be judged: false and why
--   verdict.printed(...)              an expression gave these values. True if
--                                     their judge has printed them already
--   verdict.of(v)                     true or false of a report, a comparison
--                                     …; nil of anything else
--   return verdict.given(v)           a judge gives the report v
--   verdict.read(v)                   a script looks at it; gives v
--   verdict.status()                  for the shell
--
-- The one idea: a verdict that was shown decides how a script or -e ends: 0
-- right, 1 wrong, 2 nothing could be judged; of several the worst, and of the
-- same task the last. A report that a script looks at itself says nothing to
-- the shell. A wrong one that no code looked at is shown at the end.
local verdict = {}

local status = 0
local wrong = {} -- by task
local said = table.pack() -- by the last judge

local function note(worse) status = math.max(status, worse) end

function verdict.shown(ok, reason, what)
  said = table.pack(ok and true or false, reason)
  wrong[what] = not ok or nil
  return table.unpack(said, 1, said.n)
end

function verdict.unclear(reason)
  said = table.pack(false, reason)
  note(2)
  return false, reason
end

-- Is one of the figures, or of a sweep's points, wrong?
local function all_right(list, is_wrong)
  for _, each in ipairs(list or {}) do
    if is_wrong(each) then return false end
  end
  return true
end

-- By the name of the metatable.
local judged = {
  report = function(v) return v.ok end,
  comparison = function(v) return v.ok end,
  equality = function(v) return v.wrong == 0 end,
  sweep = function(v)
    return all_right(v.points, function(p) return p.wrong end)
  end,
  card = function(v)
    return all_right(v.figures, function(f) return f.ok == false end)
  end,
}

function verdict.of(v)
  local meta = debug.getmetatable(v)
  local judge = type(v) == "table" and type(meta) == "table"
    and judged[rawget(meta, "__name")]
  if not judge then return nil end
  local ok, right = pcall(judge, v)
  if ok and right ~= nil then return right and true or false end
end

------------------------------------------------------ reports without a reader

local MOST = 16 -- that are kept
local waiting = {} -- in their order, and by report: what it has, its metatable

-- A report that waits is empty; at the first use it is as it was.
function verdict.read(v)
  local kept = waiting[v]
  if not kept then return v end
  waiting[v] = nil
  for i, each in ipairs(waiting) do
    if rawequal(each, v) then table.remove(waiting, i) break end
  end
  setmetatable(v, nil)
  for key, value in pairs(kept.fields) do v[key] = value end
  return setmetatable(v, kept.meta)
end

-- Every metamethod reads first.
local touched = {
  __index = function(v, key) return verdict.read(v)[key] end,
  __newindex = function(v, key, value) verdict.read(v)[key] = value end,
  __len = function(v) return #verdict.read(v) end,
  __pairs = function(v) return pairs(verdict.read(v)) end,
}

local function meta_of(meta)
  local all = {}
  for name, f in pairs(meta) do
    all[name] = type(f) == "function" and function(v, ...)
      verdict.read(v)
      return f(v, ...)
    end or f
  end
  for name, f in pairs(touched) do all[name] = f end
  return all
end

-- At the console nothing waits: a person sees what was given, and its fields
-- are completed.
function verdict.given(v)
  if verdict.of(v) ~= false or #waiting >= MOST
    or not package.loaded["mettle.script"] then
    return v
  end
  local meta, fields = getmetatable(v), {}
  for key, value in next, v do fields[key] = value end
  for key in pairs(fields) do rawset(v, key, nil) end
  waiting[#waiting + 1], waiting[v] = v, { fields = fields, meta = meta }
  return setmetatable(v, meta_of(meta))
end

local function show_the_rest()
  while waiting[1] do
    note(1)
    io.stderr:write(tostring(waiting[1]), "\n")
  end
end

local function same(values, others)
  if values.n ~= others.n or values.n == 0 then return false end
  for i = 1, values.n do
    if not rawequal(values[i], others[i]) then return false end
  end
  return true
end

function verdict.printed(...)
  local values = table.pack(...)
  local before = same(values, said)
  said = table.pack()
  for i = 1, values.n do
    if verdict.of(values[i]) == false then note(1) end
  end
  return before
end

function verdict.status()
  show_the_rest()
  return math.max(status, next(wrong) ~= nil and 1 or 0)
end

return verdict
