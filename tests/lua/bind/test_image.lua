-- test_image.lua - lua/session/image.lua, lua/bind/screen/picture.c: picture
-- files and what image says where there is no terminal.
--
-- Guards: lua/session/image.lua, lua/bind/screen/picture.c: gpu.load, t:save,
-- b:save, image in a pipe, misuse; lua/session/display.lua, pictures/files.c
local t = dofile "tests/tap.lua"
local picture = require "mettle.picture"
local system = require "mettle.system"

local folder = system.scratch()
local function path(name) return folder .. "/" .. name end

local has_png = pcall(function()
  gpu.buffer("uchar", 2, 2):save(path "try.png")
end)
local function test(name, f)
  if has_png then t.test(name, f) else t.skip(name, "this build has no libpng") end
end

-- Fails with a sentence that has 'part' in it, and the place of this file.
local function refuses(part, f, ...)
  local ok, why = pcall(f, ...)
  t.equal(ok, false, part)
  if not tostring(why):find(part, 1, true) then
    error(("'%s' is not in '%s'"):format(part, tostring(why)), 2)
  end
  if tostring(why):find "image%.lua" then error("the place is in a module: " .. why, 2) end
end

test("a buffer of bytes or words comes back as it was", function()
  for _, kind in ipairs { "uchar", "ushort" } do
    for _, shape in ipairs { { 5, 7 }, { 5, 7, 2 }, { 5, 7, 3 },
      { 5, 7, 4 } } do
      local b = gpu.buffer(kind, table.unpack(shape))
      for i = 0, #b - 1 do b[i] = i * (kind == "uchar" and 1 or 450) end
      t.equal(b:save(path "b.png") == b, true)
      local c = gpu.load(path "b.png", { as = "buffer" })
      t.equal(c.type, kind)
      t.equal(#c.shape, #shape)
      t.equal(c:equals(b), true, kind)
    end
  end
end)

test("a texture of every format that has a picture is saved and comes back", function()
  for _, format in ipairs { "rgba8unorm", "rgba16unorm" } do
    local x = gpu.texture(format, 6, 4)
    local pixels = x:read()
    for i = 0, #pixels - 1 do pixels[i] = i * 2 end
    x:write(pixels)
    t.equal(x:save(path "t.png") == x, true)
    local y = gpu.load(path "t.png")
    t.equal(tostring(y), tostring(x))
    t.equal(y:read():equals(pixels), true, format)
  end
  for _, format in ipairs { "r8unorm", "rg8unorm", "bgra8unorm", "r16float",
    "rgba16float", "r32float", "rg32float",
    "rgba32float", "r32uint", "rgba8uint", "r32sint", "r16unorm", "r16uint" } do
    local x = gpu.texture(format, 3, 2)
    x:save(path "t.png")
    t.equal(gpu.load(path "t.png").width, 3, format)
  end
end)

test("channels are where they belong", function()
  local bgra = gpu.texture("bgra8unorm", 1, 1)
  local b = bgra:read()
  b[0], b[1], b[2], b[3] = 10, 20, 30, 40
  bgra:write(b):save(path "c.png")
  local c = gpu.load(path "c.png", { as = "buffer" })
  t.equal(table.concat(c:table()[1][1], " "), "30 20 10 40")
  local rg = gpu.texture("rg8unorm", 1, 1)
  b = rg:read()
  b[0], b[1] = 10, 20
  rg:write(b):save(path "c.png")
  t.equal(table.concat(gpu.load(path "c.png", { as = "buffer" }):table()[1][1],
    " "), "10 20 0")
  local floats = gpu.buffer("float3", 1, 2)
  floats[0], floats[1] = { 0, 0.5, 1 }, { -1, 2, 0.2 }
  floats:save(path "c.png")
  c = gpu.load(path "c.png", { as = "buffer" })
  t.equal(table.concat(c:table()[1][1], " ") .. " "
    .. table.concat(c:table()[1][2], " "), "0 128 255 0 255 51")
end)

test("numbers get colours by map and range", function()
  local b = gpu.buffer(1, 3)
  b[0], b[1], b[2] = -1, 0, 3
  local function of(options)
    b:save(path "m.png", options)
    return gpu.load(path "m.png", { as = "buffer" })
  end
  t.equal(table.concat(of { map = "grey" }:table()[1], " "), "0 64 255")
  t.equal(table.concat(of { map = "grey", range = { 0, 6 } }:table()[1], " "),
    "0 0 128")
  local wide = of { map = "grey", bits = 16, range = { -1, 3 } }
  t.equal(wide.type .. " " .. table.concat(wide:table()[1], " "),
    "ushort 0 16384 65535")
  local diverging = of { map = "diverging" }:table()[1] -- 0 is in the middle
  local map = picture.colours "diverging"
  t.equal(table.concat(diverging[2], " "), table.concat(map[129], " "))
  t.equal(table.concat(diverging[3], " "), table.concat(map[256], " "))
  t.equal(table.concat(of(nil):table()[1][1], " "),
    table.concat(picture.colours "viridis"[1], " "))
  b:save { path "n.png", map = "grey", range = { 0, 6 } } -- all in one table
  t.equal(table.concat(gpu.load { path "n.png", as = "buffer" }:table()[1],
    " "), "0 0 128")
end)

test("a .npy file is still one", function()
  local b = gpu.buffer(2, 3):iota()
  b:save(path "b.npy")
  t.equal(gpu.load(path "b.npy"):equals(b), true)
  t.equal(gpu.load(path "b.npy", { as = "buffer" }):equals(b), true)
  gpu.buffer("uchar", 2, 2):save(path "q.png")
  os.rename(path "q.png", path "q.npy") -- a picture by its bytes
  refuses("not a .npy file", gpu.load, path "q.npy")
  refuses("not a .npy file", gpu.load, path "q.npy", { as = "buffer" })
  gpu.buffer("uchar", 3, 2):save(path "r.png")
  os.rename(path "r.png", path "r.data") -- and by nothing else
  t.equal(gpu.load(path "r.data").height, 3)
  refuses("a .npy file has numbers", gpu.load, path "b.npy", { as = "texture" })
end)

test("a saved file is replaced as a whole, a link followed", function()
  local b = gpu.buffer("uchar", 4, 4):fill(9)
  b:save(path "real.png")
  os.execute(("ln -sf real.png '%s' && chmod 600 '%s'"):format(path "link.png", path "real.png"))
  gpu.buffer("uchar", 2, 2):save(path "link.png")
  t.equal(gpu.load(path "real.png").width, 2)
  local list = table.concat(system.list(folder), " ")
  t.equal(list:find "real%.png%..", nil) -- nothing is left beside it
  refuses("No such file or directory", b.save, b, folder .. "/none/x.png")
end)

test("misuse gets a sentence each", function()
  local b, x = gpu.buffer(4, 4), gpu.texture("rgba8unorm", 2, 2)
  refuses("saved as .png, not as", b.save, b, path "x.jpg")
  refuses("saved as .png, not as", x.save, x, path "x.gif")
  refuses("saved as .png", x.save, x)
  refuses("save knows map, range and bits, not 'colour'", b.save, b, path "x.png", { colour = 1 })
  refuses("colour maps are grey, viridis and diverging, not 'jet'", b.save, b, path "x.png", { map = "jet" })
  refuses("range is the number for the first", b.save, b, path "x.png", { range = { 1, 1 } })
  refuses("range is the number for the first", b.save, b, path "x.png", { range = { 0, 0 / 0 } })
  refuses("range is the number for the first", b.save, b, path "x.png", { range = 7 })
  refuses("8 or 16 bits", b.save, b, path "x.png", { bits = 12 })
  refuses("options in a table", b.save, b, path "x.png", "grey")
  refuses("float[16] is no picture", b.save, b:reshape(16), path "x.png")
  refuses("rows × columns × 3 or 4", b.save, gpu.buffer(2, 2, 5), path "x.png")
  refuses("several pictures", x.save, gpu.texture("rgba8unorm", 2, 2, 2),
    path "x.png")
  refuses("a texture or a buffer", gpu.load, path "try.png", { as = "table" })
  refuses("gpu.load knows as, not 'at'", gpu.load, path "try.png", { at = 1 })
  refuses("No such file", gpu.load, path "none.png")
  refuses("a folder", gpu.load, folder .. "/.", { as = "buffer" })
  local f = io.open(path "text.png", "w")
  f:write("no picture"):close()
  refuses("neither a PNG nor a JPEG", gpu.load, path "text.png")
  refuses("what? image(texture)", image)
  refuses("not a number", image, 7)
  refuses("shows a matrix", image, { 1, 2, 3 })
  refuses("no matrix of numbers", image, { { 1, 2 }, { 3 } })
  refuses("image knows map, range, columns and rows, not 'bits'", image, b, { bits = 8 })
  refuses("whole number of cells", image, b, { columns = 0 })
  refuses("whole number of cells", image, b, { rows = 2.5 })
  b:free()
  refuses("freed", image, b)
end)

-- Another program with its output in a pipe: what it wrote.
local function said(code, environment)
  local pipe = io.popen(("env TERM=xterm-kitty COLORTERM=truecolor %s '%s' -e '%s' 2>&1 </dev/null")
    :format(environment or "", system.program, code))
  local text = pipe:read "a"
  pipe:close()
  return text
end

test("in a pipe there is one line, and nothing for a terminal", function()
  local b = gpu.buffer("uchar", 3, 5)
  b:save(path "p.png")
  local text = said(('image "%s"; image{{1, 2}}; t = gpu.load "%s"; print(t)'):format(path "p.png", path "p.png"), "METTLE_IMAGE=kitty")
  t.equal(text, path "p.png" .. ": picture, 5 × 3, grey, 8 bits\npicture, 2 × 1, RGB, 8 bits\ntexture2d rgba8unorm, 5 × 3\n")
end)

test("a METTLE_IMAGE that is not known is a sentence", function()
  t.equal(said("image{{1, 2}}", "METTLE_IMAGE=gif"):find("METTLE_IMAGE is one of kitty, iterm, sixel, blocks, 256, ascii, none, not 'gif'", 1, true) ~= nil, true)
end)

test("without the module everything else works, and files say what to install", function()
  local text = said('print(pcall(gpu.load, "x.png")); gpu.buffer(2, 2):save "' .. path "q.png" .. '"', "METTLE_LIB=/nonexistent")
  t.equal(text:find("need libpng", 1, true) ~= nil, true, text)
end)

-- The picture in each way that a terminal can take it: half blocks have one
-- pixel a column and two a row.
t.test("a matrix is shown enlarged by whole pixels", function()
  local p = picture.of(gpu.buffer("uchar", 2, 2):fill(255))
  local terminal = { way = "blocks", columns = 21, rows = 12, cell_width = 10,
    cell_height = 20 }
  local text = p:show(terminal)
  t.equal(select(2, text:gsub("\n", "")), 10)
  -- 20 × 20 pixels of one colour are blanks on it
  t.equal(select(2, text:gsub(" ", "")), 200)
  terminal.way = "ascii"
  t.equal(p:show(terminal), (("@"):rep(20) .. "\n"):rep(10))
  terminal.way = "none"
  t.equal(p:show(terminal), "")
end)

os.execute("rm -rf '" .. folder .. "'")
t.done()
