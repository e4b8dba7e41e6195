-- test_pattern.lua - lua/bind/core/pattern.c gives what Lua's own find, match,
-- gmatch and gsub give, results and errors, on texts and patterns at random:
-- of no device.
--
-- Guards: lua/bind/core/pattern.c gives what Lua's own find, match, gmatch and
-- gsub give, at random; finalisers that were wrapped
local t = dofile "tests/tap.lua"
local own = require "mettle.pattern"
local lua = own.lua

local seed = 5
local function random(n)
  seed = seed * 6364136223846793005 + 1442695040888963407
  return (seed >> 33) % n + 1
end
local function pick(list) return list[random(#list)] end

local function text_of(n)
  local parts = {}
  for i = 1, random(n) - 1 do
    parts[i] = pick { "a", "b", "a", "b", "c", "A", "1", " ", "(", ")", "-",
      "]", "\0", "\xe9", "%", "." }
  end
  return table.concat(parts)
end

local singles = { "a", "b", ".", "%a", "%A", "%d", "%s", "%w", "%W", "%p", "%c",
  "%x", "%u", "%l", "%g", "%%", "%.", "%]", "[ab]", "[^ab]",
  "[a-c]", "[^%w]", "[%a-]", "[]]", "[^]]", "[a-]", "[%]x]", "[%w_]", "\0", "(",
  ")", "-", "]", "\xe9" }
local function pattern_of()
  local parts = { random(6) == 1 and "^" or "" }
  for _ = 1, random(6) do
    local kind = random(14)
    local piece
    if kind <= 9 then piece = pick(singles) .. pick {
      "", "", "*", "+", "-", "?" }
    elseif kind == 10 then
      piece = "(" .. pick(singles) .. pick { "", "*", "+", "-" } .. ")"
    elseif kind == 11 then
      piece = pick { "()", "%b()", "%bab", "%f[%w]", "%f[^a]", "%f[%z]" }
    elseif kind == 12 then piece = "%" .. random(4)
    elseif kind == 13 then
      piece = "((" .. pick(singles) .. "*)" .. pick(singles) .. ")"
    else
      piece = pick { "%", "[", "[^", "[a", "(", ")", "%b", "%bx", "%f", "%fa",
        "$", "^", "[a-", "[%" } end
    parts[#parts + 1] = piece
  end
  if random(5) == 1 then parts[#parts + 1] = "$" end
  return table.concat(parts)
end

local function outcome(f, ...)
  local r = table.pack(pcall(f, ...))
  for i = 1, r.n do
    r[i] = math.type(r[i]) == "integer" and "i" .. r[i] or type(r[i]) .. ":"
      .. tostring(r[i])
  end
  -- the words differ between versions of Lua
  return (table.concat(r, "\n", 1, r.n):gsub("to '[^']*'", "to it"):gsub(" in pattern$", ""):gsub(" in replacement string$", ""))
end

local function all_matches(gmatch)
  return function(s, p, init)
    local list = {}
    for a, b, c in gmatch(s, p, init) do
      list[#list + 1] = tostring(a) .. "," .. tostring(b) .. "," .. tostring(c)
      if #list > 50 then break end
    end
    return table.concat(list, ";")
  end
end

local function same(what, ours, theirs, ...)
  local mine, real = outcome(ours, ...), outcome(theirs, ...)
  if mine ~= real then
    local given = table.pack(...)
    for i = 1, given.n do given[i] = ("%q"):format(tostring(given[i])) end
    error({ tap = ("%s(%s): got %s, Lua gives %s"):format(what, table.concat(given, ", "), mine, real) }, 0)
  end
end

local replacements = { "x", "", "%0", "<%1>", "%2", "%%", "%", "%a", 5,
  { a = "y", b = false, ab = 7, [1] = "one" },
  { a = {} }, function(...) return ... end, function() return false end,
  function() return {} end, false }

t.test("at random, as Lua's own", function()
  for _ = 1, 40000 do
    local s, p = text_of(14), pattern_of()
    local init = pick { nil, nil, nil, 1, 2, 5, -1, -3, 0, 20, -20,
      math.mininteger, math.maxinteger }
    same("find", own.find, lua.find, s, p, init)
    same("find", own.find, lua.find, s, text_of(4), init, true)
    same("match", own.match, lua.match, s, p, init)
    same("gmatch", all_matches(own.gmatch), all_matches(lua.gmatch), s, p, init)
    same("gsub", own.gsub, lua.gsub, s, p, pick(replacements),
      pick { nil, nil, nil, 0, 1, 2, -1 })
  end
end)

t.test("limits and misuse, as Lua's own", function()
  for _, case in ipairs { { ("a"):rep(300), ("a?"):rep(300) .. ("a"):rep(300) },
    { "x", ("(x"):rep(40) }, { ("x"):rep(40), ("(x)"):rep(33) },
      { ("x"):rep(250), ("(x)"):rep(31) }, { nil, "a" }, { "a" }, { {}, "a" },
      { "a", {} }, { 5, 5 }, { "5", 5 }, { "", "" }, { "", "^" },
      { "", "$" }, { "a\0b", "%z" }, { "a\0b", "[\0]" }, { "abc", "b", "x" },
      { "abc", "b", 1.5 } } do
    for _, name in ipairs { "find", "match", "gmatch", "gsub" } do
      local mine, theirs = own[name], lua[name]
      if name == "gmatch" then
        mine, theirs = all_matches(mine), all_matches(theirs)
      end
      same(name, mine, theirs, case[1], case[2], case[3]
        or (name == "gsub" and "z" or nil))
    end
  end
end)

t.test("what Lua code sees is Lua's own for short work, and ours for long", function()
  local long = ("ab"):rep(20000)
  for _, name in ipairs { "find", "match", "gsub" } do
    same(name, string[name], lua[name], long, "b+a-(b)", name == "gsub" and "%1"
      or nil)
    same(name, string[name], lua[name], "short", "(o)r", name == "gsub" and "%1"
      or nil)
  end
  same("plain", string.find, lua.find, long .. "%a+", "%a+", 1, true)
  same("gmatch", all_matches(string.gmatch), all_matches(lua.gmatch), long,
    "(b)(a)")
  t.equal((("x"):rep(5)):gsub("x", "y"), "yyyyy")
end)

t.test("a metatable's __gc still is what it was", function()
  local said = {}
  local function object(name)
    return setmetatable({ name = name }, { __gc = function(self)
      said[#said + 1] = self.name
    end })
  end
  object "one"
  collectgarbage()
  collectgarbage()
  t.equal(said[1], "one")
  local two = object "two"
  t.equal(select("#", getmetatable(two).__gc(two)), 0) -- by hand, too
  t.equal(said[2], "two")
  t.raises("table expected", setmetatable, 5, {})
  t.raises("nil or table expected", setmetatable, {}, 5)
  t.raises("protected", setmetatable, setmetatable({}, { __metatable = 1 }), {})
  local failing = setmetatable({}, { __gc = function() error "no" end })
  t.raises("no", getmetatable(failing).__gc, failing)
  local yielding = setmetatable({}, { __gc = coroutine.yield and function()
    coroutine.yield()
  end })
  t.raises("yield", getmetatable(yielding).__gc, yielding)
end)

t.done()
