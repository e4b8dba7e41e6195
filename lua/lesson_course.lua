-- lesson_course.lua - the lessons there are, and each as one table.
--
--   course.names()       { "01-hello-gpu", … } in order
--   course.find(3)       a lesson by number, by name or by words of its title
--   course.load(folder [, env])  any folder with a lesson; raises one sentence.
--   Its
--                        code sees 'env', or all: the lessons that come with
--                        Mettle are as much to be trusted as Mettle is
--
-- A lesson: name ("03-first-kernel"), short ("first-kernel"), number, folder,
-- title, text, steps (lua/lesson_text.lua), data (what lesson.lua returns),
-- env, extension ("metal", or "lua" for an exercise at the prompt), start and
-- solution (text). docs/writing-a-lesson.md describes the files.
local system = require "mettle.system"
local text = require "lua.lesson_text"

local course = {}

course.parts = { "First steps", "Threadgroups", "Patterns", "Speed",
  "Machine learning", "Coming from elsewhere" }

function course.folder() return (system.data or ".") .. "/lessons" end

function course.names()
  local names = {}
  for _, name in ipairs(system.list(course.folder())) do
    if name:find "^%d%d%-[%w-]+$" then names[#names + 1] = name end
  end
  return names
end

-- The names without their numbers, as one types them.
function course.words()
  local words = {}
  for i, name in ipairs(course.names()) do
    words[i] = name:gsub("^%d+%-", "")
  end
  return words
end

function course.read(path)
  local file, why = io.open(path)
  if not file then error(why, 0) end
  local all = file:read "a"
  file:close()
  if not all then error(path .. " cannot be read", 0) end
  return all
end

local function exists(path)
  local file = io.open(path)
  if file then file:close() end
  return file ~= nil
end

local function load_data(folder, env)
  local path = folder .. "/lesson.lua"
  local f, why = load(course.read(path), "@" .. path, "t", env or _G)
  if not f then error(why, 0) end
  local data = f()
  if type(data) ~= "table" then error(path .. " must return a table", 0) end
  return data
end

function course.load(folder, env)
  folder = folder:gsub("/+$", "")
  local name = folder:match "[^/]*$"
  local data = load_data(folder, env)
  local words = course.read(folder .. "/lesson.md")
  local read = text.read(words)
  local extension = exists(folder .. "/start.lua") and "lua" or "metal"
  return { name = name, short = name:match "^%d+%-(.*)$" or name,
    number = tonumber(name:match "^%d+"),
    folder = folder, title = read.title or data.title or name,
      steps = read.steps, problems = read.problems, text = words,
    data = data, env = env, extension = extension,
    start = course.read(folder .. "/start." .. extension),
      solution = course.read(folder .. "/solution." .. extension) }
end

-- Loaded once; a lesson that was edited is read again after lesson().
local loaded = {}
function course.get(name)
  if not loaded[name] then
    loaded[name] = course.load(course.folder() .. "/" .. name)
  end
  return loaded[name]
end
function course.forget(name) loaded[name] = nil end

-------------------------------------------------------------------- finding

local function plain(words)
  return (words:lower():gsub("[%s_-]+", " "):gsub("^ ", ""):gsub(" $", ""))
end

-- How well 'words' names a lesson: 3 exactly, 2 its beginning, 1 a part; or
-- nil.
local function match(words, name)
  local best
  -- one that is broken has its name still
  local readable, l = pcall(course.get, name)
  local title = readable and l.title or ""
  for _, other in ipairs { plain(name), plain((name:gsub("^%d+%-", ""))),
    plain(title) } do
    local rank = other == words and 3 or other:sub(1, #words) == words and 2
      or other:find(words, 1, true) and 1
    if rank and rank > (best or 0) then best = rank end
  end
  return best
end

local function by_words(words)
  local found, best = {}, 0
  for _, name in ipairs(course.names()) do
    local rank = match(words, name)
    if rank and rank > best then found, best = { name }, rank
    elseif rank and rank == best then found[#found + 1] = name end
  end
  return found
end

-- The lesson that is meant, or nil and a sentence.
function course.find(what)
  local number = math.tointeger(tonumber(what))
  for _, name in ipairs(number and course.names() or {}) do
    if tonumber(name:match "^%d+") == number then return course.get(name) end
  end
  if number or type(what) ~= "string" then
    return nil, ("there is no lesson %s; lessons() lists them"):format(
      tostring(what))
  end
  local found = plain(what) ~= "" and by_words(plain(what)) or {}
  if #found == 1 then return course.get(found[1]) end
  if #found == 0 then
    return nil, ("there is no lesson '%s'; lessons() lists them"):format(what)
  end
  for i, name in ipairs(found) do
    found[i] = '"' .. name:gsub("^%d+%-", "") .. '"'
  end
  return nil, ("which lesson: %s?"):format(table.concat(found, ", "))
end

-- The lesson after this one, or nil.
function course.after(lesson)
  local names = course.names()
  for i, name in ipairs(names) do
    if name == lesson.name and names[i + 1] then
      return course.get(names[i + 1])
    end
  end
end

return course
