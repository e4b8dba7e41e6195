-- All that is printed for people, in windows of 80 and of 60 columns: no line
-- is wider than the window, where the terminal would break it inside a word.
-- Only code, and a word that is longer than the window, may be (of no device).
--
-- Guards: base/terminal/columns.c, lua/text/units.lua: what is printed for
-- people, lessons, help and demonstrations, in windows of 80 and 60 columns: no
-- word is broken; lua/text/{markdown, paragraphs, style}.lua
local t = dofile "tests/tap.lua"
local class = require "lua.lesson.class"
local course = require "lua.lesson.course"
local glossary = require "lua.reference.glossary"
local help = require "lua.reference.help"
local list = require "lua.lesson.list"
local rosetta = require "lua.reference.rosetta"
local steps = require "lua.lesson.step"
local style = require "lua.text.style"
local system = require "mettle.system"
local units = require "lua.text.units"
local view = require "lua.present.view"

-- Whether a line could have been broken to fit.
local function is_too_wide(line, columns)
  if units.width(line) <= columns then return false end
  local plain = line:gsub("\27%[[%d;]*m", "")
  return not plain:find "^    " and not plain:find "^  |"
    and plain:find "^%s*%S+%s+%S" ~= nil
end

local function check(what, text, columns)
  for line in (text .. "\n"):gmatch "([^\n]*)\n" do
    t.ok(not is_too_wide(line, columns), ("%s at %d: %s"):format(what, columns,
      line))
  end
end

-- What f(...) prints in a terminal of so many columns.
local function printed(columns, f, ...)
  local lines, real_print, real_out = {}, print, io.stdout
  local width, terminal = system.width, system.terminal
  system.width = function() return columns end
  system.terminal = function() return true end
  print = function(text) lines[#lines + 1] = tostring(text) .. "\n" end
  io.stdout = { write = function(_, ...)
    lines[#lines + 1] = table.concat { ... }
  end }
  local ok, why = pcall(f, ...)
  system.width, system.terminal = width, terminal
  print, io.stdout = real_print, real_out
  if not ok then error(why, 0) end
  return table.concat(lines)
end

-- METTLE_TESTS=all: both with colours and without.
local function each_window(f)
  local all = os.getenv "METTLE_TESTS" == "all"
  for _, columns in ipairs { 80, 60 } do
    for _, colours in ipairs(all and { true, false } or { columns == 80 }) do
      style.forced = colours
      f(columns)
      style.forced = nil
    end
  end
end

t.test("columns: wide characters two, marks and colours none", function()
  for text, columns in pairs { [""] = 0, abc = 3, ["李雷"] = 4, ["µs"] = 2,
    ["e\u{301}"] = 1, ["\27[1;31mred\27[0m"] = 3, ["✓·…"] = 3, ["🙂"] = 2,
    ["\27]8;;http://x\27\\link\27]8;;\27\\"] = 4, ["한글"] = 4, ["\xff"] = 1,
    ["\27]0;title\7x"] = 1, ["\27[31"] = 0, ["नमस्ते"] = 4, ["ｆｕｌｌ"] = 8 } do
    t.equal(units.width(text), columns, ("%q"):format(text))
  end
  t.equal(units.cut("李雷和韩梅梅", 5), "李雷…")
  t.equal(units.cut("李雷", 4), "李雷")
  t.equal(units.pad("李雷", 6) .. "|", "李雷  |")
  t.equal(units.cut("\27[1mone two\27[0m", 4), "\27[1mone…\27[0m")
end)

t.test("lines are broken between words, by their columns", function()
  t.equal(units.fold("李雷 和 韩梅梅", 10), "李雷 和\n  韩梅梅")
  t.equal(units.fold("\27[31mone\27[0m two three", 13),
    "\27[31mone\27[0m two three")
  t.equal(units.fold("one two\nthree four", 8), "one two\nthree\n  four")
  t.equal(units.wrap("李雷 和 韩梅梅", 8, "", ""), "李雷 和\n韩梅梅")
  t.equal(table.concat(units.pieces("李雷和", 5), "|"), "李雷|和")
  t.equal(table.concat(units.pieces("", 5), "|"), "")
end)

t.test("many or one", function()
  t.equal(units.many(1, "figure"), "1 figure")
  t.equal(units.many(1234, "figure"), "1,234 figures")
  t.equal(units.many(0, "launch", "launches"), "0 launches")
end)

for _, word in ipairs { "lesson", "puzzle", "capstone" } do
  t.test("the steps of every " .. word, function()
    each_window(function(columns)
      for _, name in ipairs(course.names(word)) do
        local l = course.get(name, word)
        for n = 1, #l.steps do
          local what = ("%s %s, step %d"):format(word, name, n)
          check(what, printed(columns, function()
            print(steps.shown(l, n, { task = l.tasks[1] or l, made = true }))
          end), columns)
        end
      end
    end)
  end)

  t.test("the list and the hints of every " .. word, function()
    each_window(function(columns)
      check(word .. "s", printed(columns, list.show, course.sets[word]),
        columns)
      for _, name in ipairs(course.names(word)) do
        for _, task in ipairs(course.get(name, word).tasks) do
          for _, hint in ipairs(task.data.hints or {}) do
            check(name, printed(columns, steps.hint, hint, 1, 3), columns)
          end
        end
      end
    end)
  end)
end

t.test("the pages of help, of the glossary and of the dictionaries", function()
  each_window(function(columns)
    check("help()", printed(columns, help.help), columns)
    check("glossary()", printed(columns, glossary.glossary), columns)
    for _, topic in ipairs(help.topics()) do
      check(topic, printed(columns, help.help, topic), columns)
    end
    for _, term in ipairs(glossary.terms()) do
      check(term, printed(columns, glossary.glossary, term), columns)
    end
    for _, name in ipairs(rosetta.names) do
      check(name, printed(columns, rosetta[name]), columns)
      for _, w in ipairs(rosetta.words(name)) do
        check(w, printed(columns, rosetta[name], w), columns)
      end
    end
    for _, w in ipairs { "barier", "xyzzy", ("word "):rep(30) } do
      check(w, printed(columns, help.help, w), columns)
      check(w, printed(columns, glossary.glossary, w), columns)
    end
  end)
end)

t.test("a presentation's notes, code and output", function()
  local script = require "lua.present.script"
  local said = ("what memory limits shares its words with the room. "):rep(4)
  for _, name in ipairs { "five-minutes", "twenty-minutes", "hour" } do
    local path = "demos/" .. name .. ".lua"
    local s = script.read(io.open(path):read "a", path)
    for _, columns in ipairs { 80, 60 } do
      for at, step in ipairs(s.steps) do
        local _, body = view.page({ at = at, script = s,
          elapsed = function() return 0 end,
          results = { [at] = { text = said } } }, columns)
        for _, row in ipairs(body) do
          t.ok(units.width(row) <= columns, row)
        end
        local text = table.concat(body, " "):gsub("\27%[[%d;]*m", "")
        t.has(text:gsub("%s+", " "), (said:gsub(" $", "")), step.title)
        for _, row in ipairs(view.notes({ at = at, count = #s.steps,
          title = step.title, name = name,
          notes = table.concat(step.notes, "\n"),
          state = "shown", here = 0, elapsed = 0, next_title = said,
          next_notes = said, next_code = "" }, columns, 40)) do
          t.ok(units.width(row) <= columns, row)
        end
      end
    end
  end
end)

t.test("the table of a class", function()
  local lines = {}
  local learners = {}
  for i, name in ipairs { "Ada", "李雷", "Zoe\u{308}" } do
    learners[i] = { name = name, passed = {}, count = 0 }
  end
  for line in class.text(learners):gmatch "[^\n]+" do
    lines[#lines + 1] = units.width(line:match "^(.-)·" or "")
  end
  t.equal(table.concat(lines, " ", 3), "6 6 6")
end)

t.test("the caret of a compile stands below its letter", function()
  t.compiler()
  for _, before in ipairs { "", "\t", "/* é */", "/* 漢字 */\t", "/* \27 */",
    "/* e\u{301} */ ", "/* \u{1f600} */" } do
    local line = before .. "x[0] = oops;"
    local _, why = pcall(gpu.kernel,
      "kernel void f(device float *x) {\n" .. line .. "\n}")
    local shown, caret = why:match "\n([^\n]*oops;)\n([^\n]*)%^"
    -- a tab stands below a tab, a letter's columns below the letter
    local wanted = ""
    for part, tab in (shown:match "^(.*)oops;$"):gmatch "([^\t]*)(\t?)" do
      wanted = wanted .. (" "):rep(units.width(part)) .. tab
    end
    t.equal(caret, wanted, line)
  end
end)

t.done()
