-- glossary.lua - the words around kernels: glossary "threadgroup".
--
-- The pages are in lua/reference/glossary/N-THEME.md: a heading of level 1
-- names the theme, each of level 2 is a page. Under it stand fields, an empty
-- line, and the text:
--
--   ## threadgroup
--   also: threadgroups, thread group        other ways to write it
--   cuda: block                             what others call it
--   opencl: work-group
--   lesson: threadgroup-sizes               where one meets it
--   says: too large | in x                  parts of compilers' messages
--
-- Text links to other pages, [barrier](glossary:barrier), and to help topics,
-- [sweep](help:sweep). Examples in ```lua run as they are; those in ```metal
-- are kernels, or lines for the body of one that has float buffers a, b and
-- out, numbers n, i, t, lane and group, and threadgroup float tile[256].
-- tests/lua/reference/test_glossary.lua holds every page to this.
local help = require "lua.reference.help"
local paragraphs = require "lua.text.paragraphs"
local system = require "mettle.system"

local glossary = {}
local data = (system.data or ".") .. "/"

-- A word as it is looked up: "SIMD group", "simd_group" and "simd-group" are
-- one.
local function plain(word)
  word = word:lower():gsub("^%s+", ""):gsub("%s+$", ""):gsub("%(%)$", "")
  return (word:gsub("[%s_]+", "-"))
end
glossary.plain = plain

---------------------------------------------------------------------- reading

local fields = { also = true, cuda = true, opencl = true, lesson = true,
  says = true }

local function read_page(theme, text)
  local term, rest = text:match "^([^\n]*)\n(.*)$"
  local page = { term = term, theme = theme }
  while true do
    local key, value, after = rest:match "^(%l+): ([^\n]*)\n(.*)$"
    if not fields[key] then break end
    page[key], rest = value, after
  end
  page.text = rest:gsub("^\n+", ""):gsub("\n+$", "")
  return page
end

-- The words of a field: "barrier(FENCE), sync and kin" has barrier(FENCE),
-- barrier and sync.
local function words_of(field)
  local list, whole = {}, (field or ""):gsub(" and kin", "")
  for _, text in ipairs { whole, (whole:gsub("%b()", "")) } do
    for word in text:gmatch "[^,]+" do list[#list + 1] = plain(word) end
  end
  return list
end

local loaded

-- { pages = in order, themes = in order, by = page by plain word }
local function load()
  if loaded then return loaded end
  local all = { pages = {}, themes = {}, by = {} }
  for _, name in ipairs(system.list(data .. "lua/reference/glossary")) do
    local file = name:find "%.md$" and io.open(data .. "lua/reference/glossary/"
      .. name)
    if file then
      local text = file:read "a"
      file:close()
      local theme = { title = text:match "^# ([^\n]*)", pages = {} }
      all.themes[#all.themes + 1] = theme
      for part in (text:gsub("\n## ", "\n\0") .. "\0"):gmatch "%z([^%z]+)" do
        local page = read_page(theme, part)
        theme.pages[#theme.pages + 1] = page
        all.pages[#all.pages + 1] = page
      end
    end
  end
  -- the term itself comes first, then its other spellings, then others' words
  for _, pick in ipairs {
    function(page) return { plain(page.term) } end,
    function(page) return words_of(page.also) end,
    function(page) return words_of(page.cuda) end,
    function(page) return words_of(page.opencl) end,
  } do
    for _, page in ipairs(all.pages) do
      for _, word in ipairs(pick(page)) do
        all.by[word] = all.by[word] or page
      end
    end
  end
  loaded = all
  return all
end

-- All pages, each { term, theme, also, cuda, opencl, lesson, text }.
function glossary.pages() return load().pages end

-- The terms, sorted, for completion.
function glossary.terms()
  local list = {}
  for i, page in ipairs(load().pages) do list[i] = page.term end
  table.sort(list, function(a, b) return a:lower() < b:lower() end)
  return list
end

-- The page of a word in any of its spellings, or nil.
function glossary.page(word)
  local by, name = load().by, plain(word)
  return by[name] or by[(name:gsub("s$", ""))] or by[(name:gsub("%b()", ""))]
end

-- The same; words of CUDA that have no page of their own are looked up in its
-- dictionary.
function glossary.find(word)
  local by, page = load().by, glossary.page(word)
  if page then return page end
  local ok, rosetta = pcall(require, "lua.reference.rosetta")
  local entry = ok and rosetta.entry("cuda", word)
  return entry and entry.term and by[plain(entry.term)] or nil
end

-- The word to look up for what a compiler said, or nil: that of its first
-- error, by the longest part of a message that a page knows.
function glossary.about(message)
  local first = message:match "error: ([^\n]*)"
    or message:match "^the source has no kernel"
  local best, length = nil, 0
  for _, page in ipairs(first and load().pages or {}) do
    for part in ((page.says or "") .. " | "):gmatch "(.-) | " do
      if #part > length and first:find(part, 1, true) then
        best, length = page.term, #part
      end
    end
  end
  return best
end

---------------------------------------------------------------------- showing

-- The lessons' names without their numbers, which change when one is inserted.
local lessons
local function is_lesson(name)
  if not lessons then
    lessons = {}
    for _, folder in ipairs(system.list(data .. "lessons")) do
      lessons[folder:match "^%d+%-(.+)$" or folder] = true
    end
  end
  return lessons[name]
end

local function lesson_of(page)
  return is_lesson(page.lesson) and ('lesson "%s"'):format(page.lesson) or nil
end

-- The text without its links, and the list of what they lead to.
function glossary.unlink(text)
  local list, known = {}, {}
  local function take(label, kind, name)
    local page = kind == "glossary" and load().by[name]
    local target = kind == "help" and 'help "' .. name .. '"' or page
      and page.term or name
    if not known[target] then list[#list + 1] = target end
    known[target] = true
    return label
  end
  text = text:gsub("%[([^%[%]]+)%]%((%l+):([^)]*)%)", take)
  return text, list
end

-- What a page looks like in a terminal.
function glossary.text(page, width)
  local text, links = glossary.unlink(page.text)
  text = ("\n" .. text):gsub("\n\nSee also.*$", ""):sub(2)
  local lines = { page.term .. "  (" .. page.theme.title .. ")" }
  local others = {}
  if page.cuda then others[1] = "CUDA: " .. page.cuda end
  if page.opencl then others[#others + 1] = "OpenCL: " .. page.opencl end
  if #others > 0 then lines[2] = "  " .. table.concat(others, ";  ") end
  lines[#lines + 1] = "\n" .. paragraphs.format(text, width)
  local lesson = lesson_of(page)
  if lesson then links[#links + 1] = lesson end
  if #links > 0 then
    lines[#lines + 1] = "\n"
      .. paragraphs.format("See: " .. table.concat(links, ", "), width)
  end
  return table.concat(lines, "\n")
end

local function overview(width)
  local lines = {}
  for _, theme in ipairs(load().themes) do
    local terms = {}
    for i, page in ipairs(theme.pages) do terms[i] = page.term end
    lines[#lines + 1] = theme.title .. "\n"
      .. paragraphs.format(table.concat(terms, ", "), width)
  end
  lines[#lines + 1] =
    'glossary "barrier" explains one; words of CUDA and OpenCL lead to Metal\'s'
  return table.concat(lines, "\n")
end

-- Terms that may be meant: spelt nearly so, or with the word in their page.
local function near(word)
  local name, list, known = plain(word), {}, {}
  local function take(page)
    if not known[page] and #list < 8 then list[#list + 1] = page.term end
    known[page] = true
  end
  local spellings = {}
  for other in pairs(load().by) do spellings[#spellings + 1] = other end
  table.sort(spellings)
  for _, other in ipairs(help.spelt(name, spellings)) do
    take(load().by[other])
  end
  for _, other in ipairs(spellings) do
    if #name > 2 and other:find(name, 1, true) then take(load().by[other]) end
  end
  local lower = word:lower()
  for _, page in ipairs(load().pages) do
    if #lower > 2 and page.text:lower():find(lower, 1, true) then take(page) end
  end
  return list
end

-- glossary(), glossary "word"
function glossary.glossary(...)
  local word = ...
  local width = math.min(system.width(), 100)
  if select("#", ...) == 0 then return help.print(overview(width), width) end
  if type(word) ~= "string" then
    error(
      'glossary takes a word: glossary "barrier"; glossary() lists them all', 0)
  end
  local page = glossary.find(word)
  if page then return help.print(glossary.text(page, width), width) end
  local topic = help.topic(word)
  if topic then return help.print(help.text(topic, width), width) end
  local list = near(word)
  print(require "lua.text.style".fold(("The glossary has no '%s'; %s"):format(
    system.visible(word),
    #list > 0 and "do you mean " .. table.concat(list, ", ") .. "?"
      or "glossary() lists its words")))
end

return glossary
