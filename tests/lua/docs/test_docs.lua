-- test_docs.lua - what stands in the documents is what the program does:
-- docs/lua.md is made from the help, and the session in README.md is real.
-- It is of no device.
--
-- Guards: docs/lua.md is what `make docs` makes of lua/reference/help; the
-- session in README.md is real; scripts/floor-plan.lua: docs/floor-plan.svg is
-- what it makes of the rooms, among which there is no circle
local t = dofile "tests/tap.lua"
local program = os.getenv "METTLE" or "build/mettle"

local function read(file)
  local text = file:read "a"
  file:close()
  return text
end

t.test("docs/lua.md is up to date (if not: make docs)", function()
  local now = read(assert(io.open "docs/lua.md"))
  local made = read(assert(io.popen("'" .. program .. "' scripts/docs.lua")))
  t.ok(#made > 10000, "the page is too short to be whole")
  local line = 1
  for i = 1, #made do
    if made:byte(i) ~= now:byte(i) then
      error("docs/lua.md differs from the help texts at line " .. line .. ": run make docs", 0)
    end
    if made:byte(i) == 10 then line = line + 1 end
  end
  t.equal(#now, #made)
end)

t.test("docs/floor-plan.svg is up to date (if not: make docs)", function()
  local made = read(assert(io.popen("'" .. program
    .. "' scripts/floor-plan.lua")))
  t.ok(made:find "</svg>\n$", "the picture is whole")
  t.ok(made == read(assert(io.open "docs/floor-plan.svg")), "run make docs")
end)

t.test("each room stands above those that it uses", function()
  local floor, uses, rooms = {}, {}, 0
  local pipe <close> = assert(io.popen("'" .. program
    .. "' scripts/floor-plan.lua counts"))
  for line in pipe:lines() do
    local n, room, list = line:match "^(%d+)\t(%S+)\t%d+\t%d+\t(.*)$"
    floor[room], uses[room], rooms = tonumber(n), list, rooms + 1
  end
  t.ok(rooms > 50 and floor.base == 0 and floor.repl > floor.lua)
  t.has(uses["devices/host/check"], "devices/host/run")
  t.has(uses["lua/play"], "lua/text")
  for room, list in pairs(uses) do
    for to in list:gmatch "%S+" do
      t.ok(floor[to] < floor[room], room .. " uses " .. to)
    end
  end
end)

for _, name in ipairs { "glossary", "cuda", "numpy" } do
  t.test("docs/" .. name .. ".md is up to date (if not: make docs)", function()
    local made = read(assert(io.popen("'" .. program .. "' scripts/words.lua "
      .. name)))
    t.ok(#made > 4000 and made == read(assert(
      io.open("docs/" .. name .. ".md"))), "run make docs")
  end)
end

t.test("editors/lua/mettle.lua is up to date (if not: make docs)", function()
  local made = read(assert(io.popen("'" .. program .. "' scripts/annotations.lua")))
  t.ok(load(made), "it is Lua")
  t.ok(made == read(assert(io.open "editors/lua/mettle.lua")), "run make docs")
end)

t.test("editors/lua/mettle.lua has the whole API", function()
  local text = read(assert(io.open "editors/lua/mettle.lua"))
  local function has(name)
    t.ok(text:find("\nfunction " .. name .. "(", 1, true)
      or text:find("\n" .. name .. " = ", 1, true), name)
  end
  for name in pairs(gpu) do has("gpu." .. name) end
  for name in pairs(cpu) do has("cpu." .. name) end
  for _, name in ipairs { "check", "compare", "sweep", "profile", "draw",
    "record", "step", "play", "plot", "image", "lesson" } do
    has(name)
  end
  for name in pairs(debug.getmetatable(gpu.buffer(1)).__methods or {}) do
    has("mettle_Buffer:" .. name)
  end
end)

for _, page in ipairs { "lua", "glossary" } do t.test("every link of " .. page .. ".md leads to a heading", function()
  local text = read(assert(io.open("docs/" .. page .. ".md")))
  local there = {}
  for title in ("\n" .. text):gmatch "\n#+ ([^\n]+)" do
    there[title:lower():gsub("[^%w_%- ]", ""):gsub(" ", "-")] = true
  end
  local links = 0
  for place in text:gmatch "%]%(#([^)]*)%)" do
    links = links + 1
    t.ok(there[place], "no heading for #" .. place)
  end
  t.ok(links > 50)
end) end

-- A number changes when a lesson is inserted before it; what stands between
-- backquotes is typed, as `lesson 3`.
t.test("documents call lessons by their names, not by numbers", function()
  local course = require "lua.lesson.course"
  local files, seen = { "README.md", "CONTRIBUTING.md" }, 0
  for _, name in ipairs(require "mettle.system".list "docs") do
    if name:find "%.md$" then files[#files + 1] = "docs/" .. name end
  end
  for _, name in ipairs(files) do
    for line in (read(assert(io.open(name))) .. "\n"):gmatch "([^\n]*)\n" do
      local plain = line:gsub("`[^`]*`", "")
      t.ok(not plain:find "%f[%a][Ll]essons? %d", name .. ": " .. line)
      for number, word in plain:gmatch "%f[%d](%d+) %((%l[%l-]*)%)" do
        local l = course.find(word)
        t.ok(not l or l.short ~= word,
          ("%s: %s (%s)"):format(name, number, word))
      end
      for word in plain:gmatch "%f[%a][Ll]essons? (%l[%l-]*)" do
        local l = course.find(word)
        if l and l.short == word then seen = seen + 1 end
      end
    end
  end
  t.ok(seen > 5)
end)

t.test("links between the documents lead somewhere", function()
  local files = { "README.md", "CONTRIBUTING.md", "CHANGELOG.md" }
  for _, name in ipairs(require "mettle.system".list "docs") do
    if name:find "%.md$" then files[#files + 1] = "docs/" .. name end
  end
  local start = read(assert(io.open "README.md"))
  for i = 4, #files do t.has(start, "(" .. files[i] .. ")", "README.md names every page") end
  local links = 0
  for _, name in ipairs(files) do
    local folder = name:match "^.*/" or ""
    for target in read(assert(io.open(name))):gmatch "%]%(([^)#:]+)#?[^):]*%)" do
      links = links + 1
      local file = io.open(folder .. target)
      t.ok(file, name .. ": there is no " .. target)
      file:close()
    end
  end
  t.ok(links > 8)
end)

-- Paths from the root, as devices/host/run/fiber.c; NAME stands for any.
t.test("files that the documents name are there", function()
  local system = require "mettle.system"
  local files, seen = { "README.md", "CONTRIBUTING.md", "tests/README.md",
    "bench/README.md" }, 0
  for _, name in ipairs(system.list "docs") do
    if name:find "%.md$" then files[#files + 1] = "docs/" .. name end
  end
  local folders = {}
  for name in ("base bench cpu devices embed jupyter lua msl pictures repl scripts tests window"):gmatch "%S+" do
    folders[name] = true
  end
  for _, name in ipairs(files) do
    local text = read(assert(io.open(name)))
    for path in text:gmatch "%f[%w_/.-]([%w_]+/[%w_/-]+%.%l+)" do
      local top, ending = path:match "^[^/]+", path:match "%.(%l+)$"
      local source = ({ c = 1, h = 1, cpp = 1, hpp = 1, lua = 1, sh = 1,
        txt = 1 })[ending]
      if source and folders[top] and not path:find "NAME" then
        seen = seen + 1
        local file = io.open(path) or io.open((name:match "^.*/" or "") .. path)
        t.ok(file, name .. ": there is no " .. path)
        file:close()
      end
    end
  end
  t.ok(seen > 100)
end)

-- The session: what was typed, and what was answered, line by line.
local function session(text)
  local typed, answers = {}, {}
  for line in text:match "```text\n(.-)```":gmatch "([^\n]*)\n" do
    local input = line:match "^mettle> (.*)" or line:match "^   %.%.%.> (.*)"
    if input then
      typed[#typed + 1] = input
    elseif #typed > 0 then -- after the greeting
      answers[#answers + 1] = line
    end
  end
  return table.concat(typed, "\n") .. "\n", answers
end

-- Times and the name of the processor differ from machine to machine.
local function plain(line)
  line = line:gsub("%d[%d.e+-]* [nmµ]*s on host %b()", "TIME on host")
  return (line:gsub("%s+", " "):gsub(" $", ""))
end

t.test("the session in README.md is what the console answers", function()
  local typed, answers = session(read(assert(io.open "README.md")))
  local name = os.tmpname()
  local file = assert(io.open(name, "w"))
  file:write(typed)
  file:close()
  local host = [[-e 'local _ = gpu.use "host"']]
  local got = read(assert(io.popen("'" .. program .. "' " .. host .. " -i <"
    .. name .. " 2>&1")))
  os.remove(name)
  t.ok(#answers > 10, "README.md has a session")
  local n = 0
  for line in got:gmatch "([^\n]*)\n" do
    n = n + 1
    t.equal(plain(line), plain(answers[n] or "(nothing)"), "answer " .. n)
  end
  t.equal(n, #answers)
end)

t.test("the tables of make bench replace the old ones, if all are there", function()
  local folder = os.tmpname() .. ".d"
  local page = folder .. "/docs/performance.md"
  assert(os.execute(("mkdir -p '%s/docs' '%s/build'"):format(folder, folder)))
  local function put(name, text)
    local file = assert(io.open(name, "w"))
    file:write(text)
    file:close()
  end
  local function tables(...)
    local list = {}
    for i, title in ipairs { ... } do
      list[i] = "\n" .. title .. "\n\n| what | it takes |\n|---|---|\n| a | 1 |\n"
    end
    return table.concat(list)
  end
  local function paste(new)
    put(page, "Before\n<!-- make bench -->" .. tables("Start: ms", "Runs (2 cores)")
      .. "<!-- end -->\nAfter\n")
    put(folder .. "/build/bench.md", new)
    local run = 'root=$PWD; cd "%s" && "%s" "$root/bench/paste.lua" 2>&1'
    local path = program:gsub("^[^/]", "$root/%0")
    return read(assert(io.popen(run:format(folder, path)))),
      read(assert(io.open(page)))
  end
  local said, whole = paste(tables("Runs (4 cores)", "Start: ms", "More: all"))
  t.equal(said, "")
  t.ok(whole:find "^Before\n<!%-%- make bench %-%->\n\nRuns %(4 cores%)", whole)
  t.ok(whole:find "More: all.*<!%-%- end %-%->\nAfter\n$", whole)
  t.ok(not whole:find("(2 cores)", 1, true), "the old tables are gone")
  said, whole = paste(tables "Start: ms")
  t.has(said, 'lacks the table "Runs')
  t.ok(whole:find("(2 cores)", 1, true), "nothing was lost")
end)

t.test("make bench DEVICE=… has a table with PyTorch's column, and without", function()
  local python = os.tmpname()
  local file = assert(io.open(python, "w"))
  file:write [=[#!/bin/sh
echo ok PyTorch
while read -r word rest; do
  case "$word $rest" in
    "load add "*) echo "error no such operation" ;;
    load*) echo ok ;;
    run*) echo "ok 0.5" ;;
    *) exit ;;
  esac
done
]=]
  file:close()
  assert(os.execute(("chmod +x '%s'"):format(python)))
  local function table_of(with)
    return read(assert(io.popen(("BENCH_ONLY='%s' BENCH_SHRINK=65536 PYTHON='%s' '%s' bench/library.lua 2>&1")
      :format(with and "^[af][di][dl]" or "fill", with or "false", program))))
  end
  local alone = table_of()
  t.has(alone, "without PyTorch: ")
  t.ok(alone:find "\n| fill, n = 1,024 | fill | [%d.]+ [^|]+ %([^|]+ to [^|]+%) |\n", alone)
  t.equal(select(2, alone:gsub("\n|", "")), 4, "a head and two kernels")
  local beside = table_of(python)
  os.remove(python)
  t.ok(beside:find "| fill, n = 1,024 | fill | [^|]+ | [%d.,]+× %([^|]+ to [^|]+%) |\n",
    beside)
  t.ok(beside:find "PyTorch: sum of two rows: error no such operation", beside)
  t.ok(beside:find "| sum of two rows, n = 1,024 | add_wide | [^|]+ |\n", beside)
  t.ok(not beside:find "wrong", beside)
end)

t.done()
