-- help.lua - the help texts: finding, formatting, hints.
--
-- A topic is a file lua/reference/help/NAME.md: the signature, one line of
-- help, a blank line, then text with examples in ```lua blocks. Methods are
-- topics too: b:fill is buffer.fill. Everything shown (help, hints at the
-- prompt, docs/lua.md) comes from these files. A word that is no topic is
-- looked up in the glossary and the dictionaries: for a person all of it is one
-- index.
local paragraphs = require "lua.text.paragraphs"
local system = require "mettle.system"
local units = require "lua.text.units"

local help = {}
local folder = (system.data or ".") .. "/lua/reference/help/"

-- The topic as {name, signature, line, body}, or nil.
local cache = {}
function help.topic(name)
  if cache[name] ~= nil then return cache[name] or nil end
  local file = name:find("^[%w_.]+$") and io.open(folder .. name .. ".md")
  if not file then cache[name] = false; return nil end
  local text = file:read "a"
  file:close()
  local signature, line, body = text:match "^([^\n]*)\n([^\n]*)\n*(.*)$"
  cache[name] = { name = name, signature = signature, line = line, body = body }
  return cache[name]
end

-- All topic names, sorted.
function help.topics()
  local names = {}
  for _, file in ipairs(system.list(folder)) do
    names[#names + 1] = file:match "^(.*)%.md$"
  end
  return names
end

-- "signature  -- one line" for a path as typed, or nil. A method may be given
-- with the name of its type ("buffer:fill").
function help.hint(path)
  local topic = help.topic((path:gsub(":", ".")))
  return topic and topic.signature .. "  -- " .. topic.line
end

----------------------------------------------------------------- formatting

-- The members of an overview topic: gpu.buffer, gpu.kernel … of gpu.
local function members(name)
  local list = {}
  for _, other in ipairs(help.topics()) do
    if other:sub(1, #name + 1) == name .. "." then
      list[#list + 1] = help.topic(other)
    end
  end
  return list
end

-- Their names, without arguments, and what each is for.
local function columns(list, width)
  local rows = {}
  for i, t in ipairs(list) do
    rows[i] = "| " .. t.signature:match "^[^%s({|]+" .. " | " .. t.line .. " |"
  end
  return paragraphs.align(rows, width)
end

-- The whole text of a topic, for the terminal.
function help.text(topic, width)
  local parts = { topic.signature, "  " .. topic.line }
  local body, also = topic.body:match "^(.-)\n*(See also: [^\n]*)\n*$"
  body = body or topic.body
  if body ~= "" then
    parts[#parts + 1] = "\n" .. paragraphs.format(body, width)
  end
  local list = members(topic.name)
  if #list > 0 then parts[#parts + 1] = "\n" .. columns(list, width) end
  if also then parts[#parts + 1] = "\n" .. paragraphs.format(also, width) end
  return table.concat(parts, "\n")
end

-------------------------------------------------------------------- finding

-- Those of 'names' that may be meant by 'word', spelt as they are or nearly so:
-- a third of its letters may change, of a long one (base/distance.h) none. The
-- nearest is first.
function help.spelt(word, names)
  local most = math.min(math.max(1, #word // 3), 13)
  local found, apart, place = {}, {}, {}
  for i, name in ipairs(names) do
    if math.abs(#word - #name) <= most and not apart[name] then
      apart[name], place[name] = system.distance(word, name), i
      if apart[name] <= most then found[#found + 1] = name end
    end
  end
  table.sort(found, function(a, b)
    if apart[a] ~= apart[b] then return apart[a] < apart[b] end
    return place[a] < place[b]
  end)
  return found
end

-- A word as a person types it: "gpu.buffer", "b:fill", "fill", "Buffer".
local function find(word)
  local name = word:lower():gsub(":", "."):gsub("%(%)$", "")
  local topic = help.topic(name)
  if topic then return topic end
  -- b:fill, whatever b is: by its last part, unless gpu or the like has no
  -- such; a method rather than a function of cpu that has the same name
  local owner, last = name:match "^(.-)%.?([^.]*)$"
  local found, methods = {}, {}
  for _, other in ipairs(help.topics()) do
    if other:match "[^.]*$" == last and not help.topic(owner) then
      found[#found + 1] = other
      if not other:find "^cpu%." then methods[#methods + 1] = other end
    end
  end
  if #methods == 1 then found = methods end
  if #found == 1 then return help.topic(found[1]) end
  return nil, found
end

local function glossary() return require "lua.reference.glossary" end
local function rosetta() return require "lua.reference.rosetta" end

-- The text of a word that the glossary or a dictionary knows, or nil: its own
-- page first, then a dictionary's entry, then the page that it leads to.
local function elsewhere(word, width)
  local page = glossary().page(word)
  if page then return glossary().text(page, width) end
  for _, name in ipairs(rosetta().names) do
    local entry = rosetta().entry(name, word)
    if entry then return rosetta().text(name, entry, width) end
  end
  page = glossary().find(word)
  return page and glossary().text(page, width)
end

-- (of a list with commas)
local function names(text)
  local list = {}
  for word in text:gmatch "%s*([^,]+)" do list[#list + 1] = word end
  return list
end

-- All that can be looked up: { name =, text = } of topics, pages and entries.
local index
local function all_words()
  if index then return index end
  index = {}
  local function add(name, text, title, others)
    local words = { name:lower() }
    for _, word in ipairs(others) do words[#words + 1] = word:lower() end
    index[#index + 1] = { name = name, word = words[1], words = words,
      title = title:lower(), text = text:lower() }
  end
  for _, name in ipairs(help.topics()) do
    local t = help.topic(name)
    add(name, t.line .. " " .. t.body, name .. " " .. t.line, {})
  end
  for _, page in ipairs(glossary().pages()) do
    add(page.term, page.text, page.term .. " " .. (page.also or "") .. " "
      .. (page.cuda or "") .. " " .. (page.opencl or ""),
      names(page.also or ""))
  end
  for _, name in ipairs(rosetta().names) do
    for _, part in ipairs(rosetta().load(name).parts) do
      for _, entry in ipairs(part.entries) do
        add(entry.words[1], entry.ours .. " " .. entry.note,
          table.concat(entry.words, " "), entry.words)
      end
    end
  end
  return index
end

local MOST = 8 -- suggestions

-- A last letter may differ: matrix finds matrices.
local function stem_of(word) return #word > 4 and word:sub(1, -2) or word end

-- Every word that has a page or a row, as it is written there and in small
-- letters.
function help.words()
  local list, known = {}, {}
  for _, entry in ipairs(all_words()) do
    for _, word in ipairs { entry.name, table.unpack(entry.words) } do
      if not known[word] then list[#list + 1] = word end
      known[word] = true
    end
  end
  return list
end

-- Names that may be meant: spelt nearly so, then with the word in their title,
-- then in their text; of several words each counts.
local function nearest(what)
  local near, known = {}, {}
  local function take(entry)
    if not known[entry.word] and #near < MOST then
      near[#near + 1] = entry.name
    end
    known[entry.word] = true
  end
  local word = what:lower():gsub("^%s+", ""):gsub("%s+$", "")
  -- (or as the last part of what an entry is called: fill is buffer.fill)
  local spellings, meant = {}, {}
  local function spell(name, entry)
    meant[name] = meant[name] or {}
    table.insert(meant[name], entry)
    spellings[#spellings + 1] = name
  end
  for _, entry in ipairs(#word > 1 and all_words() or {}) do
    for _, name in ipairs(entry.words) do
      spell(name, entry)
      spell(name:match "[^.]*$", entry)
    end
  end
  for _, name in ipairs(help.spelt(word, spellings)) do
    for _, entry in ipairs(meant[name]) do take(entry) end
  end
  local parts = { stem_of(word) }
  for part in word:gmatch "[%w_]+" do
    if #part > 2 and part ~= word then parts[#parts + 1] = stem_of(part) end
  end
  for _, part in ipairs(#word > 1 and parts or {}) do
    for _, field in ipairs { "title", "text" } do
      for _, entry in ipairs(all_words()) do
        if entry[field]:find(part, 1, true) then take(entry) end
      end
    end
  end
  return near
end

local function suggestion(word, found)
  local near = #found > 1 and found or nearest(word)
  if #near == 0 then
    return "help() lists the topics, glossary() the words"
  end
  return "do you mean " .. table.concat(near, ", ") .. "?"
end

-- Tables that Mettle returns, by the name of their metatable.
local kinds = { device = "gpu.device", equality = "buffer.equals",
  comparison = "compare", recording = "record", recordings = "record",
  drawing = "draw", commands = "gpu.commands", report = "check",
  finding = "check", card = "bench" }

-- The topic of a value: a function or table by where it is found, an object by
-- its type.
function help.about(value)
  local meta = debug.getmetatable(value)
  local named = meta and type(meta.__name) == "string"
    and meta.__name:gsub("^mettle%.", "")
  named = named and (kinds[named] or named)
  if named and help.topic(named) then return help.topic(named) end
  for name, v in pairs(_G) do
    if rawequal(v, value) and help.topic(name) then return help.topic(name) end
  end
  for _, space in ipairs { "gpu", "cpu" } do
    for name, v in pairs(_G[space] or {}) do
      if rawequal(v, value) then return help.topic(space .. "." .. name) end
    end
  end
  local registry = debug.getregistry()
  for _, type_name in ipairs { "buffer", "kernel", "library", "texture" } do
    local methods = registry["mettle." .. type_name]
      and registry["mettle." .. type_name].__methods
    for name, v in pairs(methods or {}) do
      if rawequal(v, value) then return help.topic(type_name .. "." .. name) end
    end
  end
end

-- Prints a page: what is still too wide is broken between words, but for code.
function help.print(page, width)
  print((page:gsub("[^\n]+", function(line)
    return line:find "^    " and line or units.fold(line, width)
  end)))
end

local function style_fold(text) return require "lua.text.style".fold(text) end

-- help(), help "topic", help(value)
function help.help(...)
  local width = math.min(system.width(), 100)
  local what = ...
  local topic
  if select("#", ...) == 0 then
    topic = help.topic "help"
  elseif type(what) == "string" then
    local found
    topic, found = find(what)
    local text = not topic and elsewhere(what, width)
    if text and #found > 0 then
      text = text .. "\n\n" .. paragraphs.format("See also: "
        .. table.concat(found, ", "), width)
    end
    if text then return help.print(text, width) end
    if not topic then
      return print(style_fold(("There is no help on '%s'; %s"):format(
        system.visible(what),
        suggestion(what, found))))
    end
  else
    topic = help.about(what)
    if not topic then
      print(style_fold("There is no help on this " .. type(what)
        .. "; help() lists the topics."))
      return
    end
  end
  help.print(help.text(topic, width), width)
end

return help
