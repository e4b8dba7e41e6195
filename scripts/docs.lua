-- docs.lua - writes docs/lua.md from the help texts.
--
--   build/mettle scripts/docs.lua > docs/lua.md      (make docs)
--
-- An area is a topic without a dot; its members (gpu.buffer of gpu) follow it.
-- Areas come in the order below; those that it does not name come last, so a
-- new topic is never lost.
local help = require "lua.reference.help"
local place = require "site.markdown".place

local order = { "help", "gpu", "buffer", "kernel", "launch", "result",
  "library",
  "texture", "sampler", "cpu", "compare", "sweep", "bench", "cards", "plot",
    "show", "types", "console", "errors", "glossary", "cuda", "numpy", "python",
      "lua", "libraries" }

-- Areas in order, each a list of names: itself, then its members.
local function areas()
  local list, place = {}, {}
  for i, name in ipairs(order) do place[name] = i end
  for _, name in ipairs(help.topics()) do
    if not name:find "%." then list[#list + 1] = { name } end
  end
  table.sort(list, function(a, b)
    local i, j = place[a[1]] or math.huge, place[b[1]] or math.huge
    if i == j then return a[1] < b[1] end
    return i < j
  end)
  for _, area in ipairs(list) do
    for _, name in ipairs(help.topics()) do
      if name:find(area[1] .. ".", 1, true) == 1 then area[#area + 1] = name end
    end
  end
  return list
end

-- A list of links in lines of at most 120 columns.
local function break_list(text, indent)
  local lines, line = {}, ""
  for item in (text .. ", "):gmatch "(.-), " do
    if line ~= "" and #line + #item + 2 > 119 then
      lines[#lines + 1], line = line .. ",", indent .. item
    else
      line = line == "" and item or line .. ", " .. item
    end
  end
  lines[#lines + 1] = line
  return table.concat(lines, "\n")
end

local function link(name) return "[" .. name .. "](#" .. place(name) .. ")" end

local function write_topic(name, level)
  local topic = help.topic(name)
  local body = topic.body:gsub("\n?See also: ([^\n]*)\n*$", function(names)
    return "\n" .. break_list("See also: " .. names:gsub("[^, ]+", link), "")
      .. "\n"
  end)
  print(("#"):rep(level) .. " " .. name .. "\n")
  if topic.signature ~= name then
    print("```lua\n" .. topic.signature .. "\n```\n")
  end
  print(topic.line .. "\n\n" .. body:gsub("\n*$", "\n"))
end

print [[
# The Lua API

This page is made from the help texts in `lua/reference/help` by `make docs`; at the prompt, `help "topic"`
shows the same. The examples are run by the tests.
]]
for _, area in ipairs(areas()) do
  local members = {}
  for i = 2, #area do members[#members + 1] = link(area[i]) end
  print(break_list("- " .. link(area[1])
    .. (#members > 0 and ": " .. table.concat(members, ", ") or ""), "  "))
end
print ""
for _, area in ipairs(areas()) do
  for i, name in ipairs(area) do write_topic(name, i == 1 and 2 or 3) end
end
