-- make.lua - writes the site: static pages, read from a disk or a server.
--
--   build/mettle site/make.lua FOLDER [--still]      (make site)
--
-- --still leaves the animations out. Every page is made from the files that the
-- program itself reads; nothing asks another machine for anything. Addresses in
-- the files are those of the repository: a page of the site has the same text,
-- any other file is shown as a page of its source.
local highlight = require "site.highlight"
local markdown = require "site.markdown"
local pictures = require "site.pictures"
local sources = require "site.sources"
local json = require "mettle.json"
local system = require "mettle.system"

local folder = assert(arg[1], "usage: mettle site/make.lua FOLDER [--still]")
local still = arg[2] == "--still"

local function read(path)
  local f = io.open(path, "rb")
  local text = f and f:read "a" -- nil: a folder
  if f then f:close() end
  return text
end

local function write(path, text)
  path = folder .. "/" .. path
  local f = assert(io.open(path, "wb"))
  f:write(text)
  f:close()
end

---------------------------------------------------------------------- addresses

-- "docs/../lua/reference/help.lua" without its dots.
local function straight(path)
  local parts = {}
  for part in path:gmatch "[^/]+" do
    if part == ".." then parts[#parts] = nil
    elseif part ~= "." then parts[#parts + 1] = part end
  end
  return table.concat(parts, "/")
end

local function folder_of(path) return path:match "^(.*/)[^/]*$" or "" end
local function root_of(path)
  return ("../"):rep(select(2, path:gsub("/", "")))
end

local page_of = {}  -- of a file of the repository, the page made from it
local shown = {}    -- files that are linked to, to be shown as source
local unknown = {}  -- links that lead nowhere

local function page_for(file)
  if page_of[file] then return page_of[file] end
  if file:find "%.svg$" or file:find "%.gif$" or file:find "%.png$" then
    local picture = read(file)
    if not picture then return nil end
    page_of[file] = "pictures/" .. file:match "[^/]*$"
    write(page_of[file], picture)
    return page_of[file]
  end
  if system.there(file) == "folder" then
    local readme = file .. "/README.md"
    if read(readme) then return page_for(readme) end
  elseif read(file) then
    local path = "files/" .. file:gsub("[/.]", "-") .. ".html"
    shown[#shown + 1] = { path = path, from = file, title = file }
    page_of[file] = path
    return path
  end
end

-- What an address in the page leads to, seen from that page. Those of lessons
-- and of pictures are named from the root.
local function resolved(page, address)
  if address:find "^https?:" then return address end -- another site, to click
  local file, place = address:match "^([^#]*)(#?.*)$"
  if file == "" then return address end
  if file:find "^pictures/" then return root_of(page.path) .. file end
  local target = page_of[file]
    or page_for(straight(folder_of(page.from) .. file))
    or page_for(straight(file))
  if not target then
    unknown[#unknown + 1] = ("%s: %s"):format(page.from, address)
    return address
  end
  return root_of(page.path) .. target .. place
end

-------------------------------------------------------------------------- pages

local function menu(sections, current)
  local out, root = {}, root_of(current.path)
  for _, section in ipairs(sections) do
    local holds, rows = false, {}
    for _, page in ipairs(section.pages) do
      local here = page == current
      holds = holds or here
      rows[#rows + 1] = ('<li><a href="%s%s"%s>%s</a></li>'):format(root,
        page.path, here and ' aria-current="page"' or "",
        highlight.escape(page.title))
    end
    out[#out + 1] = ("<details%s><summary>%s</summary><ul>%s</ul></details>")
      :format((holds or section == sections[1]) and " open" or "",
        section.title, table.concat(rows, "\n"))
  end
  return table.concat(out, "\n")
end

local function way(page)
  local root, out = root_of(page.path), {}
  local function to(other, text)
    out[#out + 1] = other and ('<a href="%s%s">%s</a>'):format(root, other.path,
      text:format(highlight.escape(other.title))) or "<span></span>"
  end
  to(page.before, "← %s")
  to(page.after, "%s →")
  return '<div class="way">' .. table.concat(out) .. "</div>"
end

local template = [[
<!DOCTYPE html>
<html lang="en" data-root="%s">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>%s</title>
<link rel="icon" href="%sicon.svg">
<link rel="stylesheet" href="%sstyle.css">
<script src="%sindex.js" defer></script>
<script src="%ssearch.js" defer></script>
</head>
<body>
<nav aria-label="Pages">
<a class="name" href="%sindex.html">Mettle</a>
<input type="search" placeholder="Search ( / )" aria-label="Search">
<ul id="found" aria-live="polite"></ul>
<details class="menu" open><summary>All pages</summary>
%s
</details>
</nav>
<main>
%s
%s
</main>
</body>
</html>
]]

local function write_page(sections, page, html)
  local root = root_of(page.path)
  write(page.path, template:format(root, highlight.escape(page.title), root,
    root, root, root, root, menu(sections, page), html, way(page)))
end

-- A section of the index: [page, place, title, text], a heading's text each.
local function add_to_index(index, page, html)
  local place, title, from = "", page.title, 1
  local function add(text)
    text = markdown.plain(text):gsub("%s+", " ")
    if text:find "%w" then
      index[#index + 1] = setmetatable({ page.path, place, title,
        text:sub(1, 4000) }, { __list = true })
    end
  end
  for at, level, id, inner, after in
    html:gmatch '()<h(%d) id="([^"]*)">(.-)</h%d>()' do
    add(html:sub(from, at - 1))
    from, place = after, level == "1" and "" or id
    title = level == "1" and page.title or markdown.plain(inner)
      .. " - " .. page.title
  end
  add(html:sub(from))
end

local function write_source(sections, page)
  local language = page.from:match "%.(%w+)$" or ""
  language = ({ h = "c", mm = "cpp", py = "python" })[language] or language
  write_page(sections, page, ("<h1>%s</h1>\n<pre><code>%s</code></pre>"):format(
    page.from, highlight.html(read(page.from), language)))
end

---------------------------------------------------------------------------- all

local function make_folders()
  for _, part in ipairs { "", "/docs", "/course", "/kernels", "/files",
    "/pictures" } do
    os.execute(("mkdir -p '%s%s'"):format(folder, part))
  end
end

local function link_pages(sections)
  for _, section in ipairs(sections) do
    for i, page in ipairs(section.pages) do
      page_of[page.from] = page_of[page.from] or page.path
      page.before, page.after = section.pages[i - 1], section.pages[i + 1]
    end
  end
end

make_folders()
local sections = sources.sections(pictures.make(folder, not still))
link_pages(sections)
local index, count = setmetatable({}, { __list = true }), 0
for _, section in ipairs(sections) do
  for _, page in ipairs(section.pages) do
    local html = markdown.html(page.text, function(address)
      return resolved(page, address)
    end)
    add_to_index(index, page, html)
    write_page(sections, page, html)
    count = count + 1
  end
end
for _, page in ipairs(shown) do
  if page.from:find "%.md$" then
    write_page(sections, page, (markdown.html(read(page.from), function(address)
      return resolved(page, address)
    end)))
  else
    write_source(sections, page)
  end
end
write("index.js", "window.siteIndex = " .. json.encode(index) .. ";\n")
for _, name in ipairs { "style.css", "search.js" } do
  write(name, read("site/" .. name))
end
write("icon.svg", read "lua/text/pages/logo-svg.svg")
print(("%d pages, and %d of sources: %s/index.html"):format(count, #shown,
  folder))
if #unknown > 0 then
  error("these lead nowhere:\n  " .. table.concat(unknown, "\n  "), 0)
end
