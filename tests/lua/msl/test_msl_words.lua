-- Words that completion offers in kernels are MSL's: the compiler knows them.
--
-- Guards: lua/reference/msl_words.lua: words that completion offers in kernels
-- are known to the compiler
local t = dofile "tests/tap.lua"
t.compiler "words of kernels"
local words = require "lua.reference.msl_words"

local head = "#include <metal_stdlib>\nusing namespace metal;\n"

t.test("functions are the library's", function()
  local lines = { head }
  for i, name in ipairs(words.functions) do
    lines[i + 1] = ("namespace n%d { using metal::%s; }"):format(i, name)
  end
  lines[#lines + 1] = "kernel void k(device int *a) { a[0] = 1; }"
  t.ok(gpu.kernel(table.concat(lines, "\n")))
end)

t.test("attributes are known", function()
  for _, name in ipairs(words.attributes) do
    local of_parameter = name:find "_in_" or name:find "_per_"
    if of_parameter and not name:find "^max" then
      t.ok(gpu.kernel(head .. ("kernel void k(device int *a, uint i [[%s]]) { a[0] = i; }")
        :format(name)))
    end
  end
end)

t.test("types are types, or names of the library", function()
  local templates = { texture1d = true, texture2d = true, texture3d = true,
    texture2d_array = true, texturecube = true, depth2d = true, array = true,
    simdgroup_matrix = true, numeric_limits = true, vec = true, matrix = true,
    uniform = true, as_type = true }
  local inner = { sample = "access", read = "access", write = "access",
    read_write = "access", access = "", coord = "", address = "", filter = "",
    mem_none = "mem_flags", mem_device = "mem_flags",
    mem_threadgroup = "mem_flags", mem_texture = "mem_flags",
    memory_order_relaxed = "" }
  local lines = { head }
  for i, name in ipairs(words.types) do
    local place = inner[name]
    if place and place ~= "" then
      lines[#lines + 1] = ("using v%d = decltype(%s::%s);"):format(i, place, name)
    elseif not place and not templates[name] then
      lines[#lines + 1] = ("using t%d = %s;"):format(i, name)
    end
  end
  lines[#lines + 1] = "kernel void k(device int *a) { a[0] = 1; }"
  t.ok(gpu.kernel(table.concat(lines, "\n")))
end)

t.test("names of the source are offered, comments and what is typed not",
  function()
    local function offered(before, after, word)
      for _, each in ipairs(words.at(before, after)) do
        if each == word then return true end
      end
      return false
    end
    t.ok(offered("int weight = 1; w", "", "weight"))
    t.ok(offered("w", "\nint weight;", "weight"))
    t.ok(not offered("int weig", "", "weig"))
    t.ok(not offered("// heavy\n", "", "heavy"))
    t.ok(offered("uint i [[", "", "buffer"))
    t.ok(not offered("uint i [[buffer(0)]], ", "", "host_name"))
  end)

t.done()
