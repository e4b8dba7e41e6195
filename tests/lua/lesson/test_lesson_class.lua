-- A class: learners share what they passed, a teacher sees it. What lies in the
-- folder may be anything.
--
-- Guards: lua/lesson/class.lua: a class: learners share what they passed, a
-- teacher sees it, whatever lies in the folder
local t = dofile "tests/tap.lua"
local class = require "lua.lesson.class"
local progress = require "lua.lesson.progress"
local system = require "mettle.system"

local folder = system.scratch()

t.test("only what was passed is shared", function()
  progress.set("passed", "06-guards", "2026-01-02")
  progress.set("step", "07-two-dimensions", 3)
  progress.set("hints", "06-guards", 2)
  local path = class.share(folder, "ada")
  t.equal(path, folder .. "/ada.txt")
  t.equal(class.mine "ada", "# ada\npassed 06-guards 2026-01-02\n")
  progress.set("passed", "05-grid", "2026-01-03")
  class.share(folder, "ada") -- once more: replaced
  t.equal(class.all(folder)[1].count, 2)
end)

t.test("a link in the shared folder is replaced, not followed", function()
  local own = folder .. "/own"
  system.write(own, "mine")
  for _, name in ipairs { "eve", "dangling" } do
    os.execute(("ln -s '%s' '%s/%s.txt'"):format(
      name == "eve" and own or folder .. "/made", folder, name))
    class.share(folder, name)
    t.ok(io.open(("%s/%s.txt"):format(folder, name)):read "a"
      :find("# " .. name, 1, true))
    os.remove(("%s/%s.txt"):format(folder, name))
  end
  t.equal(io.open(own):read "a", "mine")
  t.equal(system.there(folder .. "/made"), nil)
  os.execute(("mkfifo '%s/pipe.txt'"):format(folder))
  class.share(folder, "pipe") -- it is not read
  t.equal(system.there(folder .. "/pipe.txt"), "file")
  os.remove(folder .. "/pipe.txt")
  os.remove(own)
end)

t.test("names are names", function()
  t.raises("the name becomes a file's", class.share, folder, "../../x")
  t.raises("the name becomes a file's", class.share, folder, "a\tb")
  t.raises("there is no folder", class.share, folder .. "/none", "ada")
end)

t.test("the table of all", function()
  system.write(folder .. "/bob.txt", "passed 77-guards 2026-02-01\n"
    .. "passed 99-none 2026-02-01\npassed 05-grid <b>\n")
  system.write(folder .. "/notes.md", "passed 06-guards 2026-02-01")
  os.execute(("ln -s /dev/zero '%s/zero.txt'"):format(folder))
  local all = class.all(folder)
  t.equal(#all, 2)
  t.equal(all[2].name, "bob")
  t.equal(all[2].count, 1)
  local text = class.text(all)
  t.ok(text:find "\nada +%S+  2\n", text)
  t.ok(text:find "\nbob +%S+  1$", text)
end)

t.test("the page", function()
  local page = class.page(class.all(folder))
  t.has(page, "2 learners share")
  t.has(page, '<tr><th>bob</th>')
  t.has(page, 'aria-label="passed 2026-02-01"')
  t.ok(not page:find("<b>", 1, true))
  t.ok(not page:find "https?://", "nothing is loaded from elsewhere")
end)

t.test("the commands", function()
  local said
  local before = print
  print = function(s) said = s end
  class.main { "class", folder, "-o", folder .. "/page.html" }
  print = before
  t.equal(said, folder .. "/page.html")
  t.equal(system.there(said), "file")
  t.raises("which folder?", class.main, { "class" })
  t.raises("--as needs a value", class.main, { "share", folder, "--as" })
end)

os.execute("rm -rf '" .. folder .. "'")
t.done()
