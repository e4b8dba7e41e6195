-- Lessons as notebooks: every one is written, its Lua compiles cell by cell,
-- the task is there once, and what fails on purpose is marked.
--
-- Guards: lua/lesson/notebook.lua: lessons as notebooks: every one is written
-- and its Lua compiles cell by cell
local t = dofile "tests/tap.lua"
local course = require "lua.lesson.course"
local json = require "mettle.json"
local notebook = require "lua.lesson.notebook"
local system = require "mettle.system"

local function cells_of(name)
  return json.decode(notebook.text(course.get(name))).cells
end

local function source(cell) return table.concat(cell.source) end

for _, name in ipairs(course.names()) do
  t.test(name, function()
    local tasks, code = 0, 0
    for _, cell in ipairs(cells_of(name)) do
      local s = source(cell)
      t.ok(not s:find "```expect", "what the linter expects stays out")
      if cell.cell_type == "code" then
        code = code + 1
        local task = s:match "^%%%%task ([%w-]+)\n"
        if task then
          tasks = tasks + 1
          t.equal(course.find(task).name, name)
        else
          t.ok(load(s, "=cell", "t") or load("return " .. s, "=cell", "t")
            or load((s:gsub("([^\n]*)$", "return %1")), "=cell", "t"), s)
        end
      end
    end
    t.equal(tasks, 1)
    t.ok(code > 2)
  end)
end

t.test("a cell that fails on purpose says so", function()
  local marked = 0
  for _, cell in ipairs(cells_of "09-compiler-errors") do
    if cell.metadata.tags then marked = marked + 1 end
  end
  t.equal(marked, 3)
end)

t.test("the command", function()
  local folder = system.scratch()
  local said = {}
  local print_before = print
  print = function(s) said[#said + 1] = s end
  local ok, why = pcall(notebook.main, { "notebook", "6", "grid", "-o",
    folder })
  print = print_before
  t.ok(ok, why)
  t.equal(#said, 2)
  t.equal(system.there(folder .. "/06-guards.ipynb"), "file")
  t.raises("is there already", notebook.main, { "notebook", "6", "-o", folder })
  print = function() end
  notebook.main { "notebook", "7", "-o", folder .. "/new/inner" }
  print = print_before
  t.equal(#system.list(folder .. "/new/inner"), 1)
  t.raises("guards.ipynb", notebook.main,
    { "notebook", "7", "-o", folder .. "/06-guards.ipynb" })
  t.raises("77", notebook.main, { "notebook", "77", "-o", folder })
  os.execute("rm -rf '" .. folder .. "'")
end)

t.test("a puzzle has its picture, and a task cell that names its set", function()
  local words = notebook.text(course.find("pooling", "puzzle"))
  t.has(words, "# Puzzle 5 Pooling")
  t.has(words, "[9][2][6]")
  t.has(words, "%%task puzzle pooling")
end)

t.done()
