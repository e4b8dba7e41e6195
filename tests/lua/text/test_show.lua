-- test_show.lua - values as the console prints them (of no device).
--
-- Guards: lua/session/show.lua: values as the console prints them;
-- lua/session/progress.lua
local t = dofile "tests/tap.lua"
local show = require "lua.session.show"
local text = function(v, all) return (show.text(v, all)) end

t.test("plain values", function()
  t.equal(text(nil), "nil")
  t.equal(text(true), "true")
  t.equal(text(3), "3")
  t.equal(text(3.0), "3.0")
  t.equal(text(0.1), "0.1")
  t.equal(text(0 / 0), "nan")
  t.equal(text(-(0 / 0)), "nan")
  t.equal(text(1 / 0), "inf")
  t.equal(text "a string\nas it is", "a string\nas it is")
end)

t.test("tables: array first, then keys in order", function()
  t.equal(text {}, "{}")
  t.equal(text { 1, 2, "three" }, '{1, 2, "three"}')
  t.equal(text { b = 1, a = 2, [3] = true, [1.5] = false, ["not a name"] = 0,
    ["end"] = 1 },
    '{[1.5] = false, [3] = true, a = 2, b = 1, ["end"] = 1, ["not a name"] = 0}')
  t.equal(text { [true] = 1 }, "{[true] = 1}")
  t.equal(text { { {} }, x = { y = { z = 1 } } }, "{{{}}, x = {y = {z = 1}}}")
end)

t.test("strings inside tables are quoted", function()
  t.equal(text { 'say "hi"\n\t\0\\' }, [[{"say \"hi\"\n\t\x00\\"}]])
  t.equal(text { "grüße" }, '{"grüße"}')
end)

t.test("cycles are marked, what is only met twice is not", function()
  local c = { name = "c" }
  c.self = c
  t.equal(text(c), '{name = "c", self = <cycle>}')
  local shared = { 1 }
  t.equal(text { shared, shared }, "{{1}, {1}}")
end)

t.test("wide tables stand on several lines, numbers in rows", function()
  local wide = { first = ("x"):rep(60), second = ("y"):rep(60) }
  t.equal(text(wide), '{\n  first = "' .. ("x"):rep(60) .. '",\n  second = "'
    .. ("y"):rep(60) .. '"\n}')
  local list = {}
  for i = 1, 40 do list[i] = i end
  local lines = select(2, text(list):gsub("\n", ""))
  t.ok(lines < 8, "40 numbers took " .. lines .. " lines")
end)

t.test("long ones are cut, and said to be", function()
  local long = {}
  for i = 1, 1000 do long[i] = i end
  local s, cut = show.text(long)
  t.ok(cut)
  t.has(s, "... 960 more")
  t.ok(#s < 500)
  s, cut = show.text(long, true)
  t.ok(not cut)
  t.has(s, "1000")
  s, cut = show.text(("line\n"):rep(500))
  t.ok(cut)
  t.has(s, "more lines")
  local deep = {}
  for _ = 1, 30 do deep = { deep } end
  s, cut = show.text(deep)
  t.ok(cut)
  t.has(s, "{...}")
  t.ok(not select(2, show.text { 1, 2 }))
end)

t.test("a string is cut at a character", function()
  local s = text { ("ü"):rep(150) }
  t.ok(utf8.len(s), "broken UTF-8")
  t.has(s, "(300 bytes)")
end)

t.test("what has a __tostring speaks for itself", function()
  local v = setmetatable({ 1 }, { __tostring = function()
    return "two\nlines"
  end })
  t.equal(text(v), "two\nlines")
  t.equal(text { v }, "{\n  two\n  lines\n}")
end)

t.test("metatables cannot interfere otherwise", function()
  local v = setmetatable({ 1 }, { __index = function() error "no" end,
    __len = function() return 99 end,
    __pairs = function() error "no" end })
  t.equal(text(v), "{1}")
  t.equal(text(setmetatable({ 2 }, { __metatable = "locked" })), "{2}")
end)

t.test("bytes that are no UTF-8 are shown as escapes", function()
  t.equal(text { "\xff" }, [[{"\xff"}]])
  t.equal(text { ["\xfe\xff"] = "a\xc3" }, [[{["\xfe\xff"] = "a\xc3"}]])
  -- a control character of terminals
  t.equal(text { "\u{9b}31m" }, [[{"\xc2\x9b31m"}]])
  t.equal(text(setmetatable({}, { __tostring = function()
    return "\x80"
  end })), [[\x80]])
  t.has(text { (load("return function() end", "=\xf0(")()) }, [[\xf0(]])
end)

t.test("every value of Lua prints, and as UTF-8", function()
  for _, v in ipairs { _G, package, utf8, debug.getregistry(), io.stdout,
    coroutine.create(print), arg or {} } do
    t.ok(utf8.len(text(v)), "not UTF-8")
  end
  local random = 7
  local function byte()
    random = random * 1103515245 + 12345 & 0x7fffffff
    return string.char(random >> 16 & 255)
  end
  for _ = 1, 300 do
    local a, b = "", ""
    for _ = 1, 40 do a, b = a .. byte(), b .. byte() end
    t.ok(utf8.len(text { a, [b] = { a:rep(9) } }), "not UTF-8")
  end
end)

t.test("the mistake of a __tostring hides nothing else", function()
  local function saying(f) return setmetatable({}, { __tostring = f }) end
  t.has(text { saying(function() error "no" end), 5 }, "cannot be had")
  t.has(text { saying(function() error {} end), 5 }, "cannot be had: table>, 5")
  t.has(text { saying(function() return {} end), 5 }, ", 5")
  local keys, n = {}, 0
  for i = 1, 30 do
    keys[saying(function() n = n * 7 + 3 & 255; return tostring(n) end)] = i
  end
  t.has(text(keys), "= 30") -- another text at every call: still an order
  local deep = {}
  for _ = 1, 3000 do deep = { deep } end
  t.has(text(deep, true), "{...}")
end)

t.test("functions say where they are defined", function()
  t.has(text(function() end), "test_show.lua:")
  t.equal(text(print), "function: built in")
end)

t.test("a matrix has its columns aligned", function()
  local m = {}
  for r = 1, 6 do
    m[r] = {}
    for c = 1, 6 do m[r][c] = r * 10 ^ c // 1 | 0 end
  end
  local lines = {}
  for line in text(m):gmatch "[^\n]+" do lines[#lines + 1] = line end
  t.equal(lines[2], "  {10, 100, 1000, 10000, 100000, 1000000},")
  m[3][1] = -7.25
  lines = {}
  for line in text(m):gmatch "[^\n]+" do lines[#lines + 1] = line end
  t.equal(lines[2], "  {   10, 100, 1000, 10000, 100000, 1000000},")
  t.equal(lines[4], "  {-7.25, 300, 3000, 30000, 300000, 3000000},")
  t.equal(text { { 1, 2 }, { 3, 4 } }, "{{1, 2}, {3, 4}}")
  m[2][7] = 1 -- no matrix: as it was
  t.equal(text(m):find("{ ", 1, true), nil)
end)

t.test("a function that the help knows says how it is called", function()
  local help = require "lua.reference.help"
  for _, name in ipairs { "sweep", "gpu.buffer", "glossary" } do
    local f = load("return " .. name)()
    local topic = help.topic(name)
    t.equal(show.text(f), ('function: %s; help "%s" says more'):format(
      topic.signature, topic.name))
  end
  t.equal(show.text(gpu.buffer(1).sum):match '^function: b:sum.*help "buffer.sum"'
    ~= nil, true)
  t.equal(show.text(string.rep), "function: built in")
end)

t.done()
