-- course.lua - the lessons there are, and each as one table; puzzles and
-- capstones too, which are further sets of lessons.
--
--   course.names()       { "01-hello-gpu", … } in order
--   course.find(3)       a lesson by number, by name or by words of its title
--   course.find("map", "puzzle")  the same in another set
--   course.load(folder [, env])  any folder with a lesson; raises one sentence.
--                        Its code sees 'env', or all: the lessons that come
--                        with Mettle are as much to be trusted as Mettle is
--   course.confine(env)  from now on all of them see 'env', and answers in Lua
--                        with them
--
-- A set is a word and a folder. What a folder holds says of which set it is:
-- lesson.lua and lesson.md, puzzle.lua and puzzle.md, capstone.lua and
-- capstone.md.
--
-- A lesson: set, name ("04-first-kernel"), short ("first-kernel"), number,
-- folder, stem (of the learner's file), key (in the progress), title, text,
-- source (the name of its data's file), steps (lua/text/markdown.lua), data
-- (what that returns), env, and tasks (lua/judge/task.lua).
-- docs/writing-a-lesson.md describes the files.
local system = require "mettle.system"
local task = require "lua.judge.task"
local text = require "lua.text.markdown"

local course = {}

-- In this order they are looked for. 'list': what lists them at the prompt.
course.sets = {
  { word = "lesson", many = "lessons", folder = "lessons", list = "lessons()",
    parts = { "First steps", "Threadgroups", "Patterns", "Speed",
      "Machine learning", "Coming from elsewhere" } },
  { word = "puzzle", many = "puzzles", folder = "lessons/puzzles",
    list = "puzzle()", is_compact = true,
    parts = { "A thread for each element", "Groups that share memory",
      "Groups that work together", "All of it" } },
  { word = "capstone", many = "capstones", folder = "lessons/capstones",
    list = "capstone()", parts = { "Capstones" } },
}
for _, set in ipairs(course.sets) do course.sets[set.word] = set end

local function set_of(word) return course.sets[word or "lesson"] end

function course.folder(word)
  return (system.data or ".") .. "/" .. set_of(word).folder
end

function course.names(word)
  local names = {}
  for _, name in ipairs(system.list(course.folder(word))) do
    if name:find "^%d%d%-[%w-]+$" then names[#names + 1] = name end
  end
  return names
end

-- "lesson 5", "puzzle 3"
function course.called(l) return ("%s %d"):format(l.set.word, l.number or 0) end

-- "guards" of "05-guards": what stays when the course is renumbered.
function course.short(name) return (name:gsub("^%d+%-", "")) end
local without_number = course.short

-- The names without their numbers, as one types them.
function course.words(word)
  local words = {}
  for i, name in ipairs(course.names(word)) do
    words[i] = without_number(name)
  end
  return words
end

course.read = task.read

-- What a lesson is called in the progress. A lesson's number may change from
-- one version to the next, so it counts for nothing there
-- (lua/lesson/progress.lua).
function course.key(word, name)
  return word == "lesson" and name or word .. "-" .. without_number(name)
end

-- The set of the lesson that lies in a folder, by its file.
local function set_in(folder)
  for _, set in ipairs(course.sets) do
    if task.exists(("%s/%s.lua"):format(folder, set.word)) then return set end
  end
  return course.sets[1] -- whose file will be said to be missing
end

local function load_data(path, env)
  local f, why = load(task.read(path), "@" .. path, "t", env or _G)
  if not f then error(why, 0) end
  local data = f()
  if type(data) ~= "table" then error(path .. " must return a table", 0) end
  return data
end

function course.load(folder, env)
  folder = folder:gsub("/+$", "")
  local name, set = folder:match "[^/]*$", set_in(folder)
  local data = load_data(("%s/%s.lua"):format(folder, set.word), env)
  local words = task.read(("%s/%s.md"):format(folder, set.word))
  local read = text.read(words)
  local l = { set = set, name = name, short = without_number(name),
    number = tonumber(name:match "^%d+"), folder = folder,
    stem = set.word == "lesson" and name or set.word .. "-" .. name,
    key = course.key(set.word, name), source = set.word .. ".lua",
    title = read.title or data.title or name, steps = read.steps,
    problems = read.problems, text = words, data = data, env = env }
  task.read_all(l)
  return l
end

-- Loaded once; a lesson that was edited is read again after lesson().
local loaded = {}
local confined -- what lessons see, if not all

function course.confine(env) loaded, confined = {}, env end

function course.get(name, word)
  local folder = course.folder(word) .. "/" .. name
  loaded[folder] = loaded[folder] or course.load(folder, confined)
  return loaded[folder]
end
function course.forget(l) loaded[l.folder] = nil end

-- The lesson that is called so in the progress; nil if there is none.
function course.of_key(key)
  local function plain_key(k) return (k:gsub("^%d%d%-", "")) end
  for _, set in ipairs(course.sets) do
    for _, name in ipairs(course.names(set.word)) do
      if plain_key(course.key(set.word, name)) == plain_key(key) then
        return course.get(name, set.word)
      end
    end
  end
end

-------------------------------------------------------------------- finding

local function plain(words)
  return (words:lower():gsub("[%s_-]+", " "):gsub("^ ", ""):gsub(" $", ""))
end

-- How well 'words' names a lesson: 3 exactly, 2 its beginning, 1 a part; or
-- nil.
local function match(words, name, word)
  local best
  -- one that is broken has its name still
  local readable, l = pcall(course.get, name, word)
  local title = readable and l.title or ""
  for _, other in ipairs { plain(name), plain(without_number(name)),
    plain(title) } do
    local rank = other == words and 3 or other:sub(1, #words) == words and 2
      or other:find(words, 1, true) and 1
    if rank and rank > (best or 0) then best = rank end
  end
  return best
end

local function by_words(words, word)
  local found, best = {}, 0
  for _, name in ipairs(course.names(word)) do
    local rank = match(words, name, word)
    if rank and rank > best then found, best = { name }, rank
    elseif rank and rank == best then found[#found + 1] = name end
  end
  return found
end

-- The lesson that is meant, or nil and a sentence.
function course.find(what, word)
  local number, set = math.tointeger(tonumber(what)), set_of(word)
  for _, name in ipairs(number and course.names(word) or {}) do
    if tonumber(name:match "^%d+") == number then
      return course.get(name, word)
    end
  end
  if number or type(what) ~= "string" then
    return nil, ("there is no %s %s; %s lists them"):format(set.word,
      system.visible(tostring(what)), set.list)
  end
  local found = plain(what) ~= "" and by_words(plain(what), word) or {}
  if #found == 1 then return course.get(found[1], word) end
  if #found == 0 then
    return nil, ("there is no %s '%s'; %s lists them"):format(set.word,
      system.visible(what), set.list)
  end
  for i, name in ipairs(found) do
    found[i] = ('"%s"'):format(without_number(name))
  end
  return nil, ("which %s: %s?"):format(set.word, table.concat(found, ", "))
end

-- The lesson after this one in its set, or nil.
function course.after(lesson)
  local names = course.names(lesson.set.word)
  for i, name in ipairs(names) do
    if name == lesson.name and names[i + 1] then
      return course.get(names[i + 1], lesson.set.word)
    end
  end
end

return course
