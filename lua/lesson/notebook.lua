-- notebook.lua - mettle lesson notebook: lessons as Jupyter notebooks.
--
--   notebook.of(lesson)   the notebook as a table, to be written as JSON
--   notebook.main(words, set)  the command: 12, names, or all; -o FOLDER
--
-- Text becomes cells of Markdown, Lua becomes cells of code, as many as run()
-- shows results. The task is a cell that begins with %%task: running it judges
-- what stands in it, as check() judges the file, and notes the same progress.
local course = require "lua.lesson.course"
local json = require "mettle.json"
local system = require "mettle.system"
local text = require "lua.text.markdown"

local notebook = {}

local list = { __list = true }

-- ------------------------------------------------------------------ the cells

local function lines_of(s)
  local lines = setmetatable({}, list)
  for line in (s .. "\n"):gmatch "([^\n]*)\n" do
    lines[#lines + 1] = line .. "\n"
  end
  lines[#lines] = lines[#lines]:gsub("\n$", "")
  return lines
end

local function add(cells, kind, s, tags)
  local cell = { cell_type = kind, id = ("cell-%d"):format(#cells + 1),
    metadata = tags and { tags = tags } or {}, source = lines_of(s) }
  if kind == "code" then cell.outputs = setmetatable({}, list) end
  cells[#cells + 1] = cell
end

local function is_expression(chunk)
  return load("return " .. chunk, "=chunk", "t") ~= nil
end

-- A cell ends with what shows something.
local function add_code(cells, block)
  local tags = block.fails and setmetatable({ "raises-exception" }, list)
  local waiting = {}
  local function flush()
    if #waiting > 0 then
      add(cells, "code", table.concat(waiting, "\n"), tags)
    end
    waiting = {}
  end
  for _, chunk in ipairs(text.chunks(block.text)) do
    -- a bracket after a statement would be a call of what stands before it
    if chunk:find "^%s*[%({%[\"'%-~.]" then flush() end
    waiting[#waiting + 1] = (chunk:gsub("%s+$", ""))
    if is_expression(chunk) then flush() end
  end
  flush()
end

local function fenced(block)
  return ("```%s\n%s\n```"):format(block.language, block.text)
end

local function add_step(cells, step)
  local prose = { "## " .. step.title }
  local function flush()
    local s = table.concat(prose, "\n"):gsub("^\n+", ""):gsub("%s+$", "")
    if s ~= "" then add(cells, "markdown", s) end
    prose = {}
  end
  for _, block in ipairs(step.blocks) do
    if block.kind == "code" and block.language == "lua" then
      flush()
      add_code(cells, block)
    elseif block.kind == "code" then
      prose[#prose + 1] = fenced(block)
    elseif block.kind == "gap" then
      prose[#prose + 1] = ""
    else
      prose[#prose + 1] = table.concat(block.lines, "\n")
    end
  end
  local links = text.look_up(step)
  if #links > 0 then
    prose[#prose + 1] = "\nMore: `" .. table.concat(links, "`, `") .. "`"
  end
  flush()
end

-- What %%task calls it: "guards", "puzzle map", "capstone network forward".
local function name_of(t)
  local l = t.lesson
  return (l.set.word == "lesson" and "" or l.set.word .. " ") .. l.short
    .. (t ~= l and " " .. t.name or "")
end

-- What is wanted, without colours.
local function add_picture(cells, t)
  local lines = table.concat(require "lua.judge.picture".lines(t), "\n")
  add(cells, "markdown", ("```text\n%s\n```"):format(
    lines:gsub("\27%[[%d;]*m", "")))
end

local function add_task(cells, t)
  if t.data.picture then add_picture(cells, t) end
  add(cells, "markdown",
    "In this notebook the next cell is the file: change it "
    .. "and run it, and it is checked, as often as you like. `hint()` helps, "
    .. "`solution()` shows how we did it.")
  add(cells, "code", ("%%%%task %s\n%s"):format(name_of(t),
    (t.start:gsub("%s+$", ""))))
  add(cells, "code", "hint()")
end

function notebook.of(l)
  local cells = setmetatable({}, list)
  local word = l.set.word:gsub("^%l", string.upper)
  add(cells, "markdown", ("# %s%d %s"):format(
    word == "Lesson" and "" or word .. " ", l.number or 0, l.title))
  local turn = 0
  for _, step in ipairs(l.steps) do
    add_step(cells, step)
    if step.title:find "^Your turn" and l.tasks[turn + 1] then
      turn = turn + 1
      add_task(cells, l.tasks[turn])
    end
  end
  return { cells = cells, nbformat = 4, nbformat_minor = 5, metadata = {
    kernelspec = { name = "mettle", display_name = "Mettle (Metal kernels)",
      language = "lua" },
    language_info = { name = "lua", file_extension = ".lua",
      mimetype = "text/x-lua", pygments_lexer = "lua" } } }
end

-- JSON's null, which a table cannot hold, is what an unrun cell counts.
function notebook.text(l)
  return (json.encode(notebook.of(l), true):gsub('(\n%s*)"cell_type":%s*"code"',
    '%1"execution_count": null,%0')) .. "\n"
end

-- ---------------------------------------------------------------- the command

local usage = [[
usage: mettle %s notebook N | NAME | all ... [-o FOLDER]
  writes %s as Jupyter notebooks, 14-threadgroup-memory.ipynb
  -o FOLDER          where to, made if it is not there; here]]

local fail = require "lua.session.usage"

local function read_words(words, set)
  local found, folder, i = {}, ".", 1
  while words[i] do
    local word = words[i]
    if word == "-o" then
      folder, i = words[i + 1] or fail "-o needs a folder", i + 1
    elseif word == "all" then
      for _, name in ipairs(course.names(set)) do
        found[#found + 1] = course.get(name, set)
      end
    else
      local l, why = course.find(math.tointeger(tonumber(word)) or word, set)
      found[#found + 1] = l or fail("%s", (why:gsub("%l+%(%)",
        ("mettle %s list"):format(set))))
    end
    i = i + 1
  end
  return found, folder
end

-- 'set': "lesson", "puzzle" or "capstone"
function notebook.main(words, set)
  table.remove(words, 1) -- "notebook"
  if #words == 0 or words[1] == "--help" or words[1] == "-h" then
    words.status = #words == 0 and 2 or 0
    return print(usage:format(set, course.sets[set].many))
  end
  local found, folder = read_words(words, set)
  system.make(folder)
  for _, l in ipairs(found) do
    local path = ("%s/%s.ipynb"):format(folder, l.stem)
    if not system.create(path, notebook.text(l)) then
      fail("%s is there already: move it away, "
        .. "or write to another folder by -o",
        path)
    end
    print(path)
  end
end

return notebook
