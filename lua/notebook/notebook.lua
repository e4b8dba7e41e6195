-- notebook.lua - Mettle in a Jupyter notebook: what cells show, and ask for.
--
--   notebook.begin(sandboxed)   once, in the kernel's process: from now on
--                               pictures, progress and input are the
--                               notebook's; cells of strangers are confined
--   notebook.print(note, ...)   what an expression at a cell's end gave
--   notebook.display(data)      a bundle: a table from MIME types to texts
--   notebook.msl(words, source) a cell that begins with %%msl
--   notebook.task(words, source) one that begins with %%task
--   notebook.inspect(code, at)  help on what stands at the cursor
--   notebook.evaluate(text)     the value of an expression as text
--
-- A value becomes a bundle of several forms, and the notebook shows the best
-- that it can: text always, HTML, SVG or PNG where they say more. The forms
-- themselves are in lua/notebook/mime_bundle.lua.
local core = require "mettle.notebook"
local mime = require "lua.notebook.mime_bundle"
local json = require "mettle.json"
local show = require "lua.session.show"
local verdict = require "lua.session.verdict"

local notebook = {}
local globals = _G -- of the cells

-- ------------------------------------------------------------------- showing

-- A picture is described for those who do not see it.
local function metadata_of(data)
  local metadata = {}
  for _, kind in ipairs { "image/png", "image/svg+xml" } do
    if data[kind] then metadata[kind] = { alt = mime.describe(data) } end
  end
  return metadata
end

local function publish(kind, data, id)
  core.publish(kind, json.encode { data = data, metadata = metadata_of(data),
    transient = id and { display_id = id } or {} })
end

function notebook.display(data) publish("display_data", data) end

local places = 0

-- A place on the page whose content can be replaced: place:show(data).
local place = {}
place.__index = place

function notebook.place()
  places = places + 1
  return setmetatable({ id = ("mettle-%d"):format(places) }, place)
end

-- The place of the cell's progress: one for all that it does.
local progress_place, progress_cell
function notebook.progress()
  if progress_cell ~= core.cell() then
    progress_place, progress_cell = notebook.place(), core.cell()
  end
  return progress_place
end

function place:show(data)
  publish(self.there and "update_display_data" or "display_data", data, self.id)
  self.there = true
end

-- The last value is the cell's result; those before it are displayed.
function notebook.print(note, ...)
  local n = verdict.printed(...) and 0 or select("#", ...)
  for i = 1, n do
    local v = select(i, ...)
    local nothing = v == nil or io.type(v) -- what io.write returns
    if n > 1 or not nothing then
      publish(i == n and "execute_result" or "display_data", mime.bundle(v))
    end
  end
end

-- --------------------------------------------------------------------- %%msl

local function is_name(word) return word:find "^[%a_][%w_]*$" ~= nil end

local function mistaken(word)
  error(("%%%%msl %s: the name of a variable is expected, as in %%%%msl add; "
    .. "without one each kernel gets its own name")
    :format(word), 0)
end

-- One kernel becomes the variable that was named, or the one of its own name;
-- of several each has its own, and the variable is their library.
function notebook.msl(words, source)
  local name = words:match "^%s*(%S+)%s*$"
  if words:find "%S" and not name then mistaken(words:match "^%s*(.-)%s*$") end
  if name and not is_name(name) then mistaken(name) end
  local library = gpu.library(source)
  local names = library:kernels()
  if #names == 0 then
    error("there is no kernel in this cell: write kernel void f(…) { … }", 0)
  end
  local kernels = {}
  for i, each in ipairs(names) do
    kernels[i] = library:kernel(each)
    local own = not (name and #names == 1)
    if own and is_name(each) then globals[each] = kernels[i] end
  end
  if name then globals[name] = #names == 1 and kernels[1] or library end
  return table.unpack(kernels)
end

-- -------------------------------------------------------------------- %%task

-- The task cell of a lesson: what stands in it is the answer.
function notebook.task(words, source)
  local name = words:match "^%s*(.-)%s*$"
  if name == "" then
    error("%%task needs a lesson, as in %%task guards or %%task puzzle map", 0)
  end
  require("lua.lesson.lesson").judge(name, source)
end

-- ------------------------------------------------------------------- inspect

-- The name around the cursor, "gpu.buffer" of "gpu.buf|fer(3)".
local function name_at(code, at)
  local from, to = at, at
  while from > 0 and code:sub(from, from):find "[%w_.:]" do from = from - 1 end
  while code:sub(to + 1, to + 1):find "[%w_]" do to = to + 1 end
  local name = code:sub(from + 1, to):gsub("^[.:]+", ""):gsub("[.:]+$", "")
  return name ~= "" and name or nil
end

-- The call that the cursor is in: "compare" in compare{k, |.
local function call_at(code, at)
  local depth = 0
  for i = at, 1, -1 do
    local c = code:sub(i, i)
    if c == ")" or c == "}" then depth = depth + 1 end
    if c == "(" or c == "{" then
      depth = depth - 1
      local before = code:sub(1, i - 1):gsub("%s*$", "")
      if depth < 0 then return name_at(code, #before) end
    end
  end
end

local function value_of(name)
  local v = globals
  for part in name:gmatch "[^.:]+" do
    local ok, inner = pcall(function() return v[part] end)
    if not ok or inner == nil then return nil end
    v = inner
  end
  return v
end

local function topic_of(name)
  local help = require "lua.reference.help"
  local topic = help.topic((name:gsub(":", ".")))
  if topic then return topic end
  local owner, method = name:match "^(.*)[.:]([%w_]+)$"
  local object = owner and value_of(owner)
  local meta = debug.getmetatable(object)
  if type(meta) ~= "table" or type(meta.__name) ~= "string" then return nil end
  local kind = meta.__name:gsub("^mettle%.", "")
  return help.topic(kind .. "." .. method) or help.about(object)
end

function notebook.inspect(code, at)
  local help = require "lua.reference.help"
  for _, name in ipairs { name_at(code, at) or "", call_at(code, at) or "" } do
    local topic = name ~= "" and topic_of(name)
    if topic then return help.text(topic, 79) end
    local v = name ~= "" and value_of(name)
    if v then return (show.text(v)) end
  end
end

function notebook.evaluate(text)
  local f, why = load("return " .. text, "=expression", "t", globals)
  if not f then error(why, 0) end
  return (show.text(f()))
end

-- --------------------------------------------------------------------- input

local function read_one(format)
  format = type(format) == "string" and format:gsub("^%*", "") or format or "l"
  local line = core.input ""
  if format == "n" then return tonumber(line) end
  if format == "L" or format == "a" then return line .. "\n" end
  if type(format) == "number" then return line:sub(1, format) end
  return line
end

-- io.read asks the person; files are read as ever.
local function replace_input()
  function io.read(...)
    local formats, values = table.pack(...), {}
    if formats.n == 0 then return read_one "l" end
    for i = 1, formats.n do values[i] = read_one(formats[i]) end
    return table.unpack(values, 1, formats.n)
  end
end

-- -------------------------------------------------------------------- output

-- A picture (mettle.picture) as the output of a cell; 'words' are for those who
-- do not see it.
function notebook.picture(p, words)
  return notebook.display(mime.picture(p, words))
end

-- A plot that is printed alone is shown: lessons print theirs, for the console.
-- What stands beside other values is text.
local function replace_print()
  local text = print
  function print(...)
    local meta = select("#", ...) == 1 and debug.getmetatable((...))
    if type(meta) ~= "table" or meta.__name ~= "plot" then return text(...) end
    notebook.display(mime.bundle((...)))
  end
end

-- --------------------------------------------------------------------- begin

-- The course with what cells see, so that an answer in Lua sees no more than
-- they do. What is passed is forgotten at the end: the learner's own progress
-- is out of reach.
local function confine_course()
  local lesson = require "lua.lesson.lesson"
  require("lua.lesson.course").confine(globals)
  require("lua.lesson.progress").stay_in_memory()
  for _, name in ipairs { "answer", "hint", "lessons", "solution" } do
    globals[name] = lesson[name]
  end
end

-- Cells may read the notebook's folder, and write nothing.
local function confine()
  local sandbox = require "lua.session.sandbox"
  sandbox.confine(".", nil, "this notebook")
  globals = sandbox.env()
  globals.io.read = io.read
  confine_course()
  core.globals(globals)
end

function notebook.begin(of_strangers)
  require("lua.session.display").notebook = notebook
  replace_input()
  replace_print()
  if of_strangers then confine() end
end

return notebook
