-- test_prose_lint.lua - what people read is plain English: the words of
-- lua/lint/prose_lint.lua are in no help, glossary, document or message.
-- (of no device: texts alone)
--
-- Guards: lua/lint/prose_lint.lua: words that read as translated are in no
-- help, glossary, document or message
local t = dofile "tests/tap.lua"
local prose_lint = require "lua.lint.prose_lint"

local function words_of(text)
  local list = {}
  for i, f in ipairs(prose_lint.faults(text)) do list[i] = f.word end
  return table.concat(list, " ")
end

t.test("words that read as translated are found", function()
  t.equal(words_of "It wrote behind the end. Mend it!", "behind mend")
  t.equal(words_of "busy on the average,\nnobody waits",
    "on the average nobody")
  t.equal(words_of "Who comes from CUDA writes it by hand.", "who")
  t.equal(words_of "The costs are high; who comes late pays twice.", "who")
end)

t.test("and good ones left alone", function()
  t.equal(words_of "A race can hide behind right answers; amend it.", "")
  t.equal(words_of "A kernel is the inside of a loop.", "")
  t.equal(words_of "Who am I? The threads who wait are idle.", "")
  t.equal(words_of "`behind` is code,\n    behind too\n```\nmend\n```\n", "")
end)

local function read(path)
  local file = assert(io.open(path))
  local all = file:read "a"
  file:close()
  return all
end

local function files(pattern)
  local list = {}
  for path in io.popen("ls " .. pattern):lines() do list[#list + 1] = path end
  assert(#list > 0, pattern)
  return list
end

local function look(path, text, add)
  for _, f in ipairs(prose_lint.faults(text)) do
    add(("%s:%d: '%s': %s"):format(path, f.line, f.word, f.instead))
  end
end

-- docs/running.md says what it means by "behind".
local excused = { ["docs/running.md"] = true, ["docs/msl-support.md"] = true }

for _, pattern in ipairs { "lua/reference/help/*.md", "lua/reference/glossary/*.md",
  "lua/reference/rosetta/*.md", "docs/*.md", "README.md CHANGELOG.md" } do
  t.test(pattern .. " reads well", function()
    local faults = {}
    for _, path in ipairs(files(pattern)) do
      if not excused[path] then
        look(path, read(path), function(f) faults[#faults + 1] = f end)
      end
    end
    t.equal(table.concat(faults, "\n"), "")
  end)
end

-- The strings of a source that are sentences, each on a line as long as it is;
-- one that goes on in the next line is one (and the lines below it count less).
local function sentences(source)
  local lines = {}
  source = source:gsub('"%s*\n%s*%.%. "', "")
  for line in (source .. "\n"):gmatch "([^\n]*)\n" do
    local parts = {}
    for text in line:gmatch '"([^"]*)"' do
      if text:find "%a %a" then parts[#parts + 1] = text end
    end
    lines[#lines + 1] = table.concat(parts, " | "):gsub("^%s+", "")
  end
  return table.concat(lines, "\n")
end

for _, pattern in ipairs { "lua/*/*.lua",
  "lua/*.c lua/bind/*/*.c lua/bind/*/*/*.c repl/*.c repl/*/*.c",
  "msl/*.c msl/*/*.c base/*.c base/*/*.c pictures/*.c",
  "devices/*.c devices/*/*.c devices/*/*/*.c" } do
  t.test("the messages of " .. pattern .. " read well", function()
    local faults = {}
    for _, path in ipairs(files(pattern)) do
      if path ~= "lua/lint/prose_lint.lua" then -- the list itself
        look(path, sentences(read(path)),
          function(f) faults[#faults + 1] = f end)
      end
    end
    t.equal(table.concat(faults, "\n"), "")
  end)
end

-- The comments of a source, each on a line as long as it is.
local function c_comments(line, inside)
  local text, rest = "", line:gsub("\\.", "xx")
  if not inside then rest = rest:gsub('"[^"]*"', '""') end
  while rest ~= "" do
    local first, last = rest:find(inside and "*/" or "/*", 1, true)
    if inside then text = text .. " " .. rest:sub(1, (first or 0) - 1) end
    if not first then break end
    inside, rest = not inside, rest:sub(last + 1)
  end
  return text, inside
end

local function comments(path, source)
  local kind, lines, inside = path:match "%.(%l+)$", {}, false
  for line in (source .. "\n"):gmatch "([^\n]*)\n" do
    local text
    if kind == "lua" then
      text = line:gsub('"[^"]*"', '""'):match "%-%-(.*)"
    elseif kind and kind:find "^[ch]p?p?$" then
      text, inside = c_comments(line, inside)
    else
      text = line:match "^%s*#(.*)"
    end
    -- 'x' is a name of the code
    lines[#lines + 1] = (text or ""):gsub("'[%w_]+'", "'")
      :gsub("^[%s*]+", "")
  end
  return table.concat(lines, "\n")
end

t.test("comments are taken out of sources", function()
  t.equal(comments("a.c", 'f("/* no */"); /* one\n** two */ g();\n/* three */'),
    "one\ntwo \nthree ")
  t.equal(comments("a.lua", 'f "-- no" -- one\nx = 1'), "one\n")
  t.equal(comments("a.sh", "# one\nf # two"), "one\n")
end)

t.test("comments of C, Lua and shell read well", function()
  local faults, seen = {}, 0
  for path in io.popen("find base bench cpu demos devices embed include "
    .. "jupyter lua msl pictures repl scripts tests window -type f"):lines() do
    local ending = path:match "%.(%l+)$"
    local source = not ending and path:find "^scripts/"
      or ("c h cpp hpp lua sh"):find(ending or "-", 1, true)
    -- the list itself; sources that are another's
    if source and path ~= "lua/lint/prose_lint.lua"
      and path ~= "tests/lua/docs/test_prose_lint.lua"
      and not path:find "tinygrad/" and not path:find "^msl/include/" then
      seen = seen + 1
      look(path, comments(path, read(path)),
        function(f) faults[#faults + 1] = f end)
    end
  end
  t.ok(seen > 1000, "the sources are found")
  t.equal(table.concat(faults, "\n"), "")
end)

t.done()
