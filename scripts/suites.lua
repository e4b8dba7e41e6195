-- suites.lua - which suite guards what, from the heads of the suites.
--
--   build/mettle scripts/suites.lua          the table of tests/README.md
--                                            (make docs)
--   build/mettle scripts/suites.lua of FILE…   a line for each suite that
--                                            guards one of these files: its
--                                            name, a tab, the file
--   build/mettle scripts/suites.lua wrong    a line for each mistake of a head,
--                                            and each file that no suite guards
--
-- A suite's first comment has a paragraph that begins with "Guards:". Each word
-- in it that begins with a folder of the program is a path: a file, a folder
-- with the files in it, or several: devices/host/check/{race, bounds}.c,
-- base/f*.c. The rest says what is tried.
local suites = {}

-- What a path may begin with.
local tops = {}
for name in ([[base bench binder bindings cpu demos devices docs editors embed
  include jupyter kernels lessons lua msl packaging pictures python repl scripts
  site tests window]]):gmatch "%w+" do tops[name] = true end

-- Sources that some suite must guard.
local program = { "base", "cpu", "devices", "embed", "jupyter", "lua", "msl",
  "pictures", "python", "repl", "window" }

local function lines_of(command)
  local list = {}
  local pipe <close> = assert(io.popen(command))
  for line in pipe:lines() do list[#list + 1] = line end
  return list
end

local function read(path)
  local file <close> = assert(io.open(path))
  return file:read "a"
end

-- The first comment's lines, without the marks of a comment.
local function head(path)
  local list, text = {}, read(path)
  if path:find "%.c$" then
    local comment = text:match "^/%*\n?(.-)%*/" or ""
    for line in comment:gmatch "[^\n]+" do
      list[#list + 1] = line:gsub("^%*%* ?", "")
    end
    return list
  end
  local mark = path:find "%.lua$" and "^%-%- ?" or "^# ?"
  for line in text:gsub("^#![^\n]*\n", ""):gmatch "([^\n]*)\n" do
    if not line:find(mark) or line:find "^# shellcheck " then break end
    list[#list + 1] = line:gsub(mark, "")
  end
  return list
end

-- The paragraph that begins with "Guards:", in one line.
local function guards(path)
  local words
  for _, line in ipairs(head(path)) do
    if words and not line:find "%S" then break end
    if words then words[#words + 1] = line end
    local first = line:match "^Guards: (.*)"
    if first then words = { first } end
  end
  return words and table.concat(words, " "):gsub("%s+", " ")
end

-- The paths of a text, each of which may stand for several.
local function paths(text)
  local list = {}
  local function add(path)
    local before, all, after = path:match "^(.-){(.-)}(.*)$"
    if not before then list[#list + 1] = path return end
    for name in all:gmatch "[^,%s]+" do add(before .. name .. after) end
  end
  -- spaces between braces are part of the word
  text = text:gsub("%b{}", function(s) return (s:gsub("%s", "")) end)
  for word in text:gmatch "[%w_./*{},-]+" do
    word = word:gsub("[,.]+$", "")
    local top = word:match "^([%w_]+)/"
    if top and tops[top] then add(word) end
  end
  return list
end

local function magic(s) return (s:gsub("[%-%.%+]", "%%%0")) end

-- Is the file the path, or one of those with its '*'; how far is it below it?
-- 0: itself, 1: in that folder; nil: neither
local function covers(path, file)
  if path == file then return 0 end
  local folder = path:gsub("/$", "") .. "/"
  if file:sub(1, #folder) == folder then
    return 1 + select(2, file:sub(#folder + 1):gsub("/", ""))
  end
  return path:find("*", 1, true)
    and file:find("^" .. magic(path):gsub("%*", "[^/]*") .. "$") and 0 or nil
end

-- Every suite: its file, its name in tests/run, its words and its paths.
function suites.all()
  local list = {}
  for _, file in ipairs(lines_of("find tests -name 'test_*.c' -o -name "
    .. "'test_*.lua' -o -name 'test_*.sh' | LC_ALL=C sort")) do
    local words = guards(file)
    list[#list + 1] = { file = file, words = words,
      paths = words and paths(words) or {},
      name = file:match "^tests/([^/]+)/" .. "-"
        .. file:match "([^/]+)%.%w+$" }
  end
  return list
end

-- A header and its .c are guarded together.
local function counterparts(file)
  local stem = file:match "^(.*)%.[ch]p?p?$"
  if not stem then return { file } end
  return { stem .. ".h", stem .. ".hpp", stem .. ".c", stem .. ".cpp" }
end

-- 'most': how far below a path a file may be
local function guards_one_of(suite, files, most)
  for _, file in ipairs(files) do
    if suite.file == file then return true end
    for _, path in ipairs(suite.paths) do
      if (covers(path, file) or most + 1) <= most then return true end
    end
  end
end

-- What suites share is guarded by those that include it.
local function includes(suite, file)
  return file:find "^tests/" and suite.file ~= file
    and read(suite.file):find(file, 1, true) ~= nil
end

-- The names of the suites that guard a file or its folder; where there is none,
-- of those that guard a file beside it, or a folder further up.
function suites.of(file, all)
  local found, folder = {}, file:match "^(.*)/"
  local function collect(is)
    for _, suite in ipairs(found[1] and {} or all) do
      if is(suite) then found[#found + 1] = suite.name end
    end
  end
  collect(function(suite)
    return guards_one_of(suite, counterparts(file), 1) or includes(suite, file)
  end)
  if not folder then return found end
  collect(function(suite)
    for _, path in ipairs(suite.paths) do
      if path:match "^(.*)/" == folder then return true end
    end
  end)
  collect(function(suite) return guards_one_of(suite, { file }, 9) end)
  return found
end

function suites.table(all)
  local out = { "| suite | guards |", "|---|---|" }
  for _, suite in ipairs(all) do
    out[#out + 1] = ("| %s | %s |"):format(suite.file:gsub("^tests/", ""),
      (suite.words or ""):gsub("|", "\\|"))
  end
  return table.concat(out, "\n") .. "\n"
end

-- What the page has between its marks.
function suites.page_table()
  return read "tests/README.md":match "<!%-%- made by make docs %-%->\n(.-)<!"
end

function suites.write()
  local page = read "tests/README.md"
  local before, after = page:match "^(.-<!%-%- made by make docs %-%->\n).-(<!.*)$"
  assert(before, "tests/README.md has lost its marks")
  local file <close> = assert(io.open("tests/README.md", "w"))
  file:write(before, suites.table(suites.all()), after)
end

local function sources()
  return lines_of(("find %s \\( -name '*.c' -o -name '*.cpp' -o -name '*.lua' "
    .. "-o -name '*.py' \\) ! -path 'lua/reference/help/*' | LC_ALL=C sort")
    :format(table.concat(program, " ")))
end

-- Mistakes, each in one line.
function suites.wrong(all)
  local found, seen = {}, {}
  local function add(...) found[#found + 1] = (...):format(select(2, ...)) end
  local every = lines_of "find . -type f ! -path './build/*' ! -path './.git/*'"
  for i, file in ipairs(every) do every[i] = file:gsub("^%./", "") end
  for _, suite in ipairs(all) do
    if seen[suite.name] then
      add("%s: %s has the same name", suite.file, seen[suite.name])
    end
    seen[suite.name] = suite.file
    if not suite.words then
      add("%s: its first comment has no paragraph \"Guards:\"", suite.file)
    end
    for _, path in ipairs(suite.paths) do
      local is
      for _, file in ipairs(every) do
        is = covers(path, file)
        if is then break end
      end
      if not is then add("%s: there is no %s", suite.file, path) end
    end
  end
  for _, file in ipairs(sources()) do
    local is
    for _, suite in ipairs(all) do
      is = guards_one_of(suite, counterparts(file), 1)
      if is then break end
    end
    if not is then add("%s: no suite guards it", file) end
  end
  return found
end

local is_program = arg and arg[0] and arg[0]:find "scripts/suites%.lua$"
local command = is_program and (arg[1] or "")
if command == "" then
  io.write(suites.table(suites.all()))
elseif command == "write" then
  suites.write()
elseif command == "wrong" then
  local found = suites.wrong(suites.all())
  for _, line in ipairs(found) do print(line) end
  os.exit(#found == 0)
elseif command == "of" then
  local all = suites.all()
  for i = 2, #arg do
    for _, name in ipairs(suites.of(arg[i], all)) do
      print(name .. "\t" .. arg[i])
    end
  end
end
return suites
