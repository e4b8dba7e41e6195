-- annotations.lua - the Lua API for editors: writes editors/lua/mettle.lua.
--
--   build/mettle scripts/annotations.lua > editors/lua/mettle.lua   (make docs)
--
-- Names, signatures and texts come from the help (lua/reference/help). What the
-- help says in words and an editor needs as a type is below: of parameters by
-- their names, of results by their topics, of values by their classes.
local help = require "lua.reference.help"

-- of parameters; those of cpu.… are buffers unless they are here
local types = {
  seed = "integer", n = "integer", first = "integer", row = "integer",
  column = "integer", rows = "integer", columns = "integer",
  width = "integer", height = "integer", depth = "integer",
  number = "integer|string", word = "string", name = "string", path = "string",
  file = "string", type = "string", format = "string", source = "string",
  tolerance = "number", scale = "number", low = "number", high = "number",
  mean = "number", deviation = "number", start = "number", step = "number",
  value = "any", options = "table", way = "string|table",
  f = "fun()", x = "any", expected = "mettle.Buffer|table",
  buffer = "mettle.Buffer", constants = "table",
}

-- what has fields by many names: findings, numbers, ways
local report = "table<any, any>"
local number = "any" -- of a vector type a table of them
local results = {
  ["gpu.buffer"] = "mettle.Buffer", ["gpu.kernel"] = "mettle.Kernel",
  ["gpu.library"] = "mettle.Library", ["gpu.texture"] = "mettle.Texture",
  ["gpu.sampler"] = "mettle.Sampler", ["gpu.load"] = "any", -- by the file
  ["gpu.devices"] = report, ["gpu.commands"] = report,
  ["gpu.peaks"] = report,
  ["library.kernel"] = "mettle.Kernel", ["library.kernels"] = "string[]",
  ["buffer.at"] = "any", ["buffer.equals"] = "boolean, " .. report,
  ["buffer.max"] = number, ["buffer.min"] = number,
  ["buffer.mean"] = number, ["buffer.sum"] = number,
  ["buffer.hex"] = "string", ["buffer.table"] = report,
  ["buffer.free"] = "nil", ["texture.save"] = "mettle.Texture",
  ["texture.write"] = "mettle.Texture",
  ["texture.read"] = "mettle.Buffer", ["kernel.asm"] = "string",
  ["kernel.ir"] = "string", ["kernel.why"] = "string",
  ["cpu.vendor"] = "string", ["cpu.sum"] = "number", ["cpu.dot"] = "number",
  ["cpu.max"] = "number", ["cpu.mean"] = "number",
  play = report, bench = report, cards = report, check = report,
  compare = report, sweep = report, profile = report, draw = report,
  record = report,
}

-- Where the help's signature is written for people alone.
local signatures = { ["buffer.fill"] = "(value)", solution = "([all])",
  ["buffer.at"] = "(…)", ["buffer.set"] = "(…)",
  ["buffer.save"] = "(path [, options])", image = "(x [, options])",
  ["texture.save"] = "(path [, options])",
  ["gpu.kernel"] = "(source [, name [, options]])",
}
local exceptions = { ["cpu.saxpy k"] = "number", ["cpu.fill v"] = "any",
  ["gpu.kernel name"] = "string|table", ["bench file"] = "string|table" }

-- The values: { class, topic, fields }.
local classes = {
  { "mettle.Buffer", "buffer", type = "string", shape = "integer[]",
    bytes = "integer", device = "string", ["[integer]"] = "any" },
  { "mettle.Kernel", "kernel", name = "string", device = "string",
    params = "table[]", source = "string", options = "table",
    max_threads = "integer", simd_width = "integer",
    threadgroup_memory = "integer" },
  { "mettle.Result", "result", kernel = "string", device = "string",
    title = "string", is_gpu = "boolean", threads = "integer",
    threadgroups = "integer", idle = "integer", grid = "integer[]",
    groups = "integer[]", group = "integer[]", time = "number",
    wall = "number", quick = "boolean", fallback = "string?",
    repeats = "integer", gpu_time = "boolean" },
  { "mettle.Library", "library", ["[string]"] = "mettle.Kernel" },
  { "mettle.Texture", "texture", width = "integer", height = "integer",
    depth = "integer", layers = "integer", format = "string", kind = "string",
    device = "string" },
  { "mettle.Sampler", "sampler" },
  { "mettle.Device", "gpu.device", name = "string", title = "string",
    how = "string", is_gpu = "boolean", unified_memory = "boolean",
    units = "integer", simd_width = "integer?",
    max_threads_per_group = "integer", max_threadgroup_memory = "integer",
    max_buffer = "integer", memory = "integer" },
}

-- Topics that are values, or about the language: no function has their name.
local values = { ["gpu.device"] = "mettle.Device", ["gpu.kernels"] = "string[]",
  ["gpu.target"] = "string|boolean" }
local pages = { console = true, errors = true, launch = true, types = true,
  libraries = true, python = true, result = true, buffer = true,
  kernel = true, library = true, texture = true, sampler = true }
-- The global function next is Lua's own, which Mettle extends.
local known = { next = true }

local out = {}
local function add(format, ...) out[#out + 1] = format:format(...) end

-- The text of a topic as a comment; its example is code of Lua.
local function add_text(topic)
  add("---%s", topic.line)
  add "---"
  for line in (topic.body:gsub("\n*See also:.*$", "") .. "\n")
    :gmatch "([^\n]*)\n" do
    add("---%s", line)
  end
end

-- "(x [, y] [, way])" as { { "x" }, { "y", optional }, … }: what stands in
-- brackets may be left out.
local function parameters(signature)
  local inner = signature:match "^[%w_.:]*%((.-)%)"
  if not inner or inner:find "[{|\"]" then return nil end
  local list, depth = {}, 0
  for bracket, word in inner:gmatch "([%[%], ]*)([%a_…][%w_ ]*)" do
    depth = depth + select(2, bracket:gsub("%[", ""))
      - select(2, bracket:gsub("%]", ""))
    local name = word:match "^[%w_]+"
    if not name then return nil end -- "…"
    list[#list + 1] = { name, depth > 0 }
  end
  return list
end

local function type_of(topic, name)
  local exception = exceptions[topic .. " " .. name]
  if exception then return exception end
  if topic:find "^cpu%." and name ~= "way" and name ~= "options" then
    return "mettle.Buffer|table|string"
  end
  return types[name] or "any"
end

local function result_of(topic)
  return results[topic] or topic:find "^cpu%." and "mettle.Buffer"
    or topic:find "^buffer%." and "mettle.Buffer" or nil
end

local function add_function(topic)
  local owner, method = topic.name:match "^(%w+)%.([%w_]+)$"
  local is_method = topic.signature:find "^%a+:"
  local class = is_method and ("mettle." .. owner:gsub("^%l", string.upper))
  local list = parameters(signatures[topic.name] or topic.signature)
  local names = {}
  add_text(topic)
  for i, p in ipairs(list or { { "..." } }) do
    names[i] = p[1]
    add("---@param %s%s %s", p[1], p[2] and "?" or "",
      type_of(topic.name, p[1]))
  end
  local result = result_of(topic.name)
  if result and result ~= "nil" then add("---@return %s", result) end
  local words = table.concat(names, ", ")
  if is_method then
    add("function %s:%s(%s) end\n", class:gsub("%.", "_"), method, words)
  else
    add("function %s(%s) end\n", topic.name, words)
  end
end

local function add_class(c)
  local name, topic = c[1], help.topic(c[2])
  add_text(topic)
  add("---@class %s", name)
  local fields = {}
  for field in pairs(c) do
    if type(field) == "string" then fields[#fields + 1] = field end
  end
  table.sort(fields)
  for _, field in ipairs(fields) do add("---@field %s %s", field, c[field]) end
  if name == "mettle.Kernel" then
    add "---@overload fun(launch: table): mettle.Result"
  end
  add("local %s = {}\n", name:gsub("%.", "_"))
end

add [[
---@meta mettle
-- Mettle's Lua API for editors with a Lua language server. This file is made
-- from the help texts by make docs; docs/editors.md says how it is used.
]]
for _, class in ipairs(classes) do add_class(class) end
for _, area in ipairs { "gpu", "cpu" } do
  add_text(help.topic(area))
  add("%s = {}\n", area)
end
for _, name in ipairs(help.topics()) do
  local topic = help.topic(name)
  if values[name] then
    add_text(topic)
    add("---@type %s\n%s = nil\n", values[name], name)
  elseif not pages[name] and name ~= "gpu" and name ~= "cpu"
    and not known[name] then
    add_function(topic)
  end
end
io.write(table.concat(out, "\n"), "\n")
