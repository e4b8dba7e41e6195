-- rosetta.lua - dictionaries for those who come from elsewhere:
-- cuda "blockIdx", numpy "sum", torch "relu".
--
-- A dictionary is lua/reference/rosetta/NAME.md: parts with a heading of level
-- 2, each with a table (their words in one column or in three, ours, a page of
-- the glossary, a note) and the same program in both, in ```cuda or ```python,
-- ```metal and ```lua. The Lua block runs with k, the kernel of the block
-- above. Words in bold are those that the overview shows, and have the program
-- of their part below. Each word has an example of its own
-- (lua/reference/rosetta_examples.lua). docs/cuda.md, docs/numpy.md and
-- docs/torch.md are made from the same.
local help = require "lua.reference.help"
local rosetta_examples = require "lua.reference.rosetta_examples"
local paragraphs = require "lua.text.paragraphs"
local system = require "mettle.system"
local units = require "lua.text.units"

local rosetta = {}
local data = (system.data or ".") .. "/lua/reference/rosetta/"

-- How each dictionary speaks of both sides.
local languages = {
  cuda = { title = "CUDA", ours = "Metal", block = "cuda",
    example = "blockIdx" },
  numpy = { title = "NumPy", ours = "here", block = "python",
    example = "sum" },
  torch = { title = "PyTorch, MLX, JAX", ours = "here", block = "python",
    example = "relu" },
}

---------------------------------------------------------------------- reading

-- As it is looked up: without arguments, prefixes, dimensions.
local function plain(name, word)
  word = word:lower():gsub("^%s+", ""):gsub("%s+$", "")
  if name == "cuda" then
    if word:find("<<<", 1, true) then return "<<<>>>" end
    word = word:gsub("^(%a+idx)%.[xyz]$", "%1"):gsub("^(%a+dim)%.[xyz]$",
      "%1"):gsub("^cg::", "")
  else
    word = word:gsub("^np%.", ""):gsub("^numpy%.", ""):gsub("^torch%.",
      ""):gsub("^mx%.", "")
      :gsub("^jnp%.", ""):gsub("^jax%.", ""):gsub("^nn%.", ""):gsub("^f%.",
        ""):gsub("^[ax]%.", ""):gsub("^%.", "")
  end
  if word:find "^[%w_.:@]+%b()$" then word = word:gsub("%b()$", "") end
  return word
end

local function cells(row)
  local list = {}
  for cell in row:gmatch "|%s*([^|]-)%s*%f[|]" do list[#list + 1] = cell end
  return list
end

local function read_row(row)
  local cell = cells(row)
  local theirs = #cell - 3 -- columns of words
  if theirs < 1 or not cell[1]:find "`" then return nil end
  local entry = { main = cell[1]:find "%*%*" ~= nil, ours = cell[theirs + 1],
    term = cell[theirs + 2], note = cell[theirs + 3], words = {} }
  for i = 1, theirs do
    for word in cell[i]:gmatch "`([^`]+)`" do
      entry.words[#entry.words + 1] = word
    end
  end
  return entry
end

local function read_part(text)
  local part = { title = text:match "^[^\n]*", entries = {}, blocks = {},
    text = nil }
  local prose = {}
  for kind, code in text:gmatch "\n```(%l+)\n(.-)\n```" do
    part.blocks[kind] = code
  end
  for line in text:gsub("\n```.-\n```", ""):gmatch "\n([^\n]*)" do
    local entry = line:find "^|" and read_row(line)
    if entry then
      entry.part = part
      part.entries[#part.entries + 1] = entry
    elseif line ~= "" and not line:find "^|" then
      prose[#prose + 1] = line
    end
  end
  part.text = table.concat(prose, " ")
  return part
end

local loaded = {}

-- { parts, by = entry by plain word, keys = plain words, longest first }
function rosetta.load(name)
  if loaded[name] then return loaded[name] end
  local file = assert(io.open(data .. name .. ".md"))
  local text = "\n" .. file:read "a"
  file:close()
  local all = { parts = {}, by = {}, keys = {} }
  local examples = rosetta_examples.load(name)
  for part_text in (text:gsub("\n## ", "\0") .. "\0"):gmatch "%z([^%z]+)" do
    local part = read_part(part_text)
    all.parts[#all.parts + 1] = part
    for _, entry in ipairs(part.entries) do
      entry.example = examples[entry.words[1]]
      for _, word in ipairs(entry.words) do
        local key = plain(name, word)
        if not all.by[key] then
          all.by[key] = entry
          all.keys[#all.keys + 1] = key
        end
      end
    end
  end
  table.sort(all.keys, function(a, b)
    if #a == #b then return a < b end
    return #a > #b
  end)
  loaded[name] = all
  return all
end

-- The entry of a word, or nil.
function rosetta.entry(name, word)
  return rosetta.load(name).by[plain(name, word)]
end

-- Words for completion.
function rosetta.words(name)
  local list = {}
  for _, part in ipairs(rosetta.load(name).parts) do
    for _, entry in ipairs(part.entries) do
      for _, word in ipairs(entry.words) do list[#list + 1] = word end
    end
  end
  table.sort(list)
  return list
end

---------------------------------------------------------------------- showing

local function indented(code) return "    " .. code:gsub("\n", "\n    ") end

-- The part's program in both languages, and what is said of it.
local function add_program(out, name, part, width)
  local function block(title, kind)
    if part.blocks[kind] then
      out[#out + 1] = "\n  " .. title .. "\n" .. indented(part.blocks[kind])
    end
  end
  block("a program in " .. (name == "cuda" and "CUDA" or "Python"),
    languages[name].block)
  block("in Metal", "metal")
  block(part.blocks.metal and "at the prompt, where k is that kernel"
    or "at the prompt", "lua")
  if part.text ~= "" then
    out[#out + 1] = "\n" .. paragraphs.format(part.text, width)
  end
end

local function main_word(part)
  for _, entry in ipairs(part.entries) do
    if entry.main then return entry.words[1] end
  end
end

-- The dictionaries.
rosetta.names = { "cuda", "numpy", "torch" }

-- An entry as the terminal shows it.
function rosetta.text(name, entry, width)
  local language, part = languages[name], entry.part
  local out = { units.wrap(table.concat(entry.words, ", ") .. "  ("
    .. part.title .. ")", width, "", "  ") }
  out[2] = paragraphs.format(language.ours .. ": " .. entry.ours, width)
  if entry.note ~= "" then
    out[#out + 1] = paragraphs.format(entry.note, width)
  end
  out[#out + 1] = "\n  to paste at the prompt\n"
    .. indented(entry.example.text)
  local main = main_word(part)
  if entry.main or not main then
    add_program(out, name, part, width)
  end
  local more = not entry.main and main
    and (", a whole program: %s '%s'"):format(name, main) or ""
  out[#out + 1] = '\n  See: glossary "' .. entry.term .. '"' .. more
  return table.concat(out, "\n")
end

local function overview(name, width)
  local language, all = languages[name], rosetta.load(name)
  local rows = { "| " .. language.title .. " | " .. language.ours .. " |" }
  for _, part in ipairs(all.parts) do
    for _, entry in ipairs(part.entries) do
      if entry.main then
        local first = entry.words[1]
        rows[#rows + 1] = "| " .. first .. " | " .. entry.ours .. " |"
      end
    end
  end
  local out = { paragraphs.format(table.concat(rows, "\n"), width), "" }
  for _, part in ipairs(all.parts) do
    local words = {}
    for _, entry in ipairs(part.entries) do
      if not entry.main then words[#words + 1] = entry.words[1] end
    end
    out[#out + 1] = part.title .. "\n"
      .. paragraphs.format(table.concat(words, ", "), width)
  end
  out[#out + 1] = ('%s "%s" shows one, with an example to paste'):format(
    name, language.example)
  return table.concat(out, "\n")
end

-- Words that may be meant: one that stands in what was typed, one that begins
-- so or holds it, one that is spelt nearly so.
local function near(name, word)
  local all, wanted = rosetta.load(name), plain(name, word)
  local list, known = {}, {}
  local function take(key)
    local entry = all.by[key]
    if not known[entry] and #list < 8 then list[#list + 1] = entry.words[1] end
    known[entry] = true
  end
  for _, key in ipairs(all.keys) do
    if #key > 3 and wanted:find(key, 1, true) then take(key) end
  end
  for _, key in ipairs(all.keys) do
    if #wanted > 2 and key:find(wanted, 1, true) then take(key) end
  end
  for _, key in ipairs(help.spelt(wanted, all.keys)) do take(key) end
  return list
end

local function look_up(name, ...)
  local word = ...
  local width = math.min(system.width(), 100)
  if select("#", ...) == 0 then
    return help.print(overview(name, width), width)
  end
  if type(word) ~= "string" then
    error(('%s takes a word: %s "%s"; %s() lists them'):format(name, name,
      languages[name].example, name), 0)
  end
  local entry = rosetta.entry(name, word)
  if entry then return help.print(rosetta.text(name, entry, width), width) end
  local list = near(name, word)
  print(require "lua.text.style".fold((
    "There is no '%s' in this dictionary; %s"):format(
    system.visible(word), #list > 0
      and "do you mean " .. table.concat(list, ", ") .. "?"
      or name .. "() lists its words")))
end

-- cuda(), cuda "blockIdx"
function rosetta.cuda(...) return look_up("cuda", ...) end

-- numpy(), numpy "sum"
function rosetta.numpy(...) return look_up("numpy", ...) end

-- torch(), torch "relu"
function rosetta.torch(...) return look_up("torch", ...) end

return rosetta
