-- sources.lua - what the site has: each page as Markdown or HTML, from the same
-- files and data as the program itself.
--
--   sources.sections(pictures)   a list of { title, pages }; a page is { path =
--                      "course/01-hello-gpu.html", title =, from = the file it
--                      is made of, text = Markdown }
--
-- 'pictures' says which pictures there are (site/pictures.lua).
local course = require "lua.lesson.course"
local glossary = require "lua.reference.glossary"
local kernels = require "lua.workload.kernels"
local markdown = require "site.markdown"

local sources = {}

local function read(path)
  local f = assert(io.open(path))
  local text = f:read "a"
  f:close()
  return text
end

local function title_of(text, path)
  return (text:match "^%s*#%s+([^\n]*)" or path):gsub("`", "")
end

---------------------------------------------------------------------- documents

-- The order in which a reader wants them; others come last, so none is lost.
local first = { "workshop", "notebooks", "measuring", "checking", "recording",
  "drawing", "on-a-mac", "swift", "cuda-device", "bundle", "ci", "hub",
  "accuracy", "performance" }
local apart = { lua = "Reference", glossary = "Reference",
  ["msl-support"] = "Reference", cuda = "Reference", numpy = "Reference" }

local function document(name)
  local path = ("docs/%s.md"):format(name)
  local text = read(path)
  return { path = ("docs/%s.html"):format(name), title = title_of(text, name),
    from = path, text = text }
end

local function documents(system)
  local place, names = {}, {}
  for i, name in ipairs(first) do place[name] = i end
  for _, file in ipairs(system.list "docs") do
    names[#names + 1] = file:match "^(.+)%.md$"
  end
  table.sort(names, function(a, b)
    local i, j = place[a] or math.huge, place[b] or math.huge
    if i == j then return a < b end
    return i < j
  end)
  local guides, reference = {}, {}
  for _, name in ipairs(names) do
    local list = apart[name] and reference or guides
    list[#list + 1] = document(name)
  end
  return guides, reference
end

------------------------------------------------------------------------- course

local function source_of(l) return ("%s/%s.md"):format(l.folder, l.set.word) end

-- A lesson's text without what only the linter reads; glossary:, help: and
-- lesson: lead to their pages.
local function lesson_text(l)
  local text = l.text:gsub("\n```expect\n.-\n```", "")
  return (text:gsub("%]%((%a+):([^)]+)%)", function(to, name)
    if to == "glossary" then
      local term = assert(glossary.find(name), name).term
      return ("](docs/glossary.md#%s)"):format(markdown.place(term))
    elseif to == "help" then
      return ("](docs/lua.md#%s)"):format(markdown.place(name))
    elseif course.sets[to] then
      return ("](%s)"):format(source_of(assert(course.find(name, to))))
    end
  end))
end

local function folded(title, text)
  return ("\n<details><summary>%s</summary>\n\n%s\n\n</details>\n"):format(
    title, text)
end

local function code(language, text)
  return ("```%s\n%s\n```"):format(language, (text:gsub("%s+$", "")))
end

-- The file to change, hints, and how we did it.
local function task_text(t)
  local out = { ("\n## The file%s\n\n%s\n"):format(
    t.name and t ~= t.lesson and ": " .. t.name or "", code("metal", t.start)) }
  for i, hint in ipairs(t.hints or {}) do
    out[#out + 1] = folded("Hint " .. i, hint)
  end
  if t.solution then
    out[#out + 1] = folded("A solution", code("metal", t.solution))
  end
  return table.concat(out, "\n")
end

local function lesson_page(l)
  local text = lesson_text(l)
  for _, t in ipairs(l.tasks or {}) do text = text .. task_text(t) end
  text = text:gsub("^%s*#[^\n]*\n", "")
  local name = ("%s %d: %s"):format(l.set.word, l.number or 0, l.title)
  name = name:sub(1, 1):upper() .. name:sub(2)
  return { path = ("course/%s.html"):format(l.stem), title = l.title,
    from = source_of(l),
    text = ("# %s\n\nAt the prompt: `%s \"%s\"`\n\n%s"):format(name, l.set.word,
      l.short, text) }
end

local function set_pages(word)
  local pages = {}
  for _, name in ipairs(course.names(word)) do
    pages[#pages + 1] = lesson_page(course.get(name, word))
  end
  return pages
end

------------------------------------------------------------------------ library

local function kernel_page(name, pictures)
  local data = kernels.data(name)
  local source = read(("kernels/%s.metal"):format(name))
  local text = { ("# %s\n\n%s\n\n`compare \"%s\"` checks and measures it; "
    .. "standard sizes: %s.\n\n%s\n"):format(name, data.about, name,
    kernels.sizes_text(data.sizes), code("metal", source)) }
  local drawing = pictures.drawings[name]
  if drawing then
    text[#text + 1] = ("<figure><img src=\"%s\" alt=\"%s\" loading=\"lazy\">"
      .. "<figcaption>Which SIMD-group touches which element, by "
      .. "<code>draw{\"%s\", %s}</code></figcaption></figure>\n"):format(
      drawing.path, drawing.alt, name, drawing.sizes)
  end
  text[#text + 1] = folded("Its data and its reference",
    code("lua", read(("kernels/%s.lua"):format(name))))
  return { path = ("kernels/%s.html"):format(name), title = name,
    from = ("kernels/%s.metal"):format(name), text = table.concat(text, "\n") }
end

local function library(pictures)
  local pages = {}
  for _, name in ipairs(kernels.names()) do
    pages[#pages + 1] = kernel_page(name, pictures)
  end
  return pages
end

-- Animations of demos/live, for the first page and for their own.
local function gallery(pictures)
  local text = { "# Live examples\n\n`play \"life\"` runs one, frame after "
    .. "frame. The pictures below were made by `play{\"life\", frames = 40, "
    .. "save = \"life.gif\"}` and the like.\n\n<div class=\"cards\">\n" }
  for _, a in ipairs(pictures.animations) do
    text[#text + 1] = ("<div><img src=\"%s\" alt=\"%s, an animation\" "
      .. "loading=\"lazy\"><br>%s</div>\n"):format(a.path, a.name, a.name)
  end
  text[#text + 1] = "\n</div>\n\n" .. read "demos/live/README.md":gsub(
    "^#[^\n]*\n", "")
  return { path = "live.html", title = "Live examples",
    from = "demos/live/README.md", text = table.concat(text) }
end

local function welcome()
  return { path = "index.html", title = "Mettle", from = "README.md",
    text = read "README.md" }
end

function sources.sections(pictures)
  local guides, reference = documents(require "mettle.system")
  local sections = {
    { title = "Mettle", pages = { welcome(), gallery(pictures) } },
    { title = "Course", pages = set_pages "lesson" },
    { title = "Puzzles", pages = set_pages "puzzle" },
    { title = "Capstones", pages = set_pages "capstone" },
    { title = "Kernels", pages = library(pictures) },
    { title = "Reference", pages = reference },
    { title = "Guides", pages = guides },
  }
  for i = #sections, 1, -1 do
    if #sections[i].pages == 0 then table.remove(sections, i) end
  end
  return sections
end

return sources
