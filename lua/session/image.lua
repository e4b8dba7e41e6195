-- image.lua - pictures for a person: files, the terminal.
--
--   image(x)                the global: show a texture, buffer, matrix or file
--   image.load(path, …)     gpu.load of a PNG or JPEG file
--   image.save(x, path, …)  t:save and b:save to a PNG file
--   image.below(x)          what the prompt shows below a texture's own line
--
-- require "mettle.picture" has the pixels; here are the options, and the words.
local display = require "lua.session.display"
local picture = require "mettle.picture"
local system = require "mettle.system"

local image = {}

-- What fails inside is the mistake of the line that called: its place is said,
-- not a place in here. Between the two is the C function that loaded this
-- module.
local function entry(f)
  return function(...)
    local result = table.pack(pcall(f, ...))
    if result[1] then return table.unpack(result, 2, result.n) end
    local why = result[2]
    error(type(why) == "string" and why:gsub("^[^\n:]*%.lua:%d+: ", "") or why,
      3)
  end
end

local show_options = { map = true, range = true, columns = true, rows = true }
local save_options = { map = true, range = true, bits = true }
local ways = { "kitty", "iterm", "sixel", "blocks", "256", "ascii", "none" }

-- f("x.png", {map = …}) and f{"x.png", map = …} mean the same.
local function arguments(first, options)
  if type(first) == "table" and getmetatable(first) == nil and
      options == nil then
    for key in pairs(first) do
      if type(key) == "string" then return first[1], first end
    end
  end
  return first, options or {}
end

-- Unknown options are mistakes. The first positional one is allowed.
local function check_options(options, known, what, names)
  if type(options) ~= "table" then
    error(("%s takes its options in a table: {%s}"):format(what, names), 0)
  end
  for key in pairs(options) do
    if key ~= 1 and not known[key] then
      error(("%s knows %s, not '%s'"):format(what, names, tostring(key)), 0)
    end
  end
end

local function range_of(options, what)
  local range = options.range
  if range == nil then return nil, nil end
  if type(range) ~= "table" or type(range[1]) ~= "number" or
      type(range[2]) ~= "number" or #range ~= 2
      or not (range[1] < range[2]) or range[2] - range[1] == math.huge then
    error(what .. ": range is the number for the first colour and a larger one "
      .. "for the last: range = {0, 1}", 0)
  end
  return range[1], range[2]
end

local function check_map(options, what)
  local map = options.map
  if map ~= nil and map ~= "grey" and map ~= "viridis" and
      map ~= "diverging" then
    error(("%s: the colour maps are grey, "
      .. "viridis and diverging, not %s"):format(what,
      type(map) == "string" and "'" .. map .. "'" or "a " .. type(map)), 0)
  end
  return map
end

local function is_texture(x)
  return type(x) == "userdata" and
    tostring(getmetatable(x) and getmetatable(x).__name) == "texture"
end

local function is_buffer(x)
  return type(x) == "userdata" and
    tostring(getmetatable(x) and getmetatable(x).__name) == "buffer"
end

-- A matrix: a list of rows of numbers.
local function of_matrix(x, what)
  if type(x[1]) ~= "table" then
    error(what .. " shows a matrix, a list of rows: image{{0, 1}, {1, 0}}", 0)
  end
  local ok, buffer = pcall(gpu.buffer, x)
  if not ok then
    error(("%s: this is no matrix of numbers: %s"):format(what,
      tostring(buffer):gsub("^[^:]*:%d+: ", "")), 0)
  end
  return buffer
end

-- The picture of a texture, buffer, matrix or file name.
local function picture_of(x, options, what)
  local map, low, high = check_map(options, what), range_of(options, what)
  if type(x) == "string" then return picture.load(x) end
  if type(x) == "table" then x = of_matrix(x, what) end
  if not is_texture(x) and not is_buffer(x) then
    error(("%s takes a texture, a buffer with rows and columns, "
      .. "a matrix or the name of a file, not a %s")
      :format(what, type(x)), 0)
  end
  return picture.of(x, map, low, high, options.bits)
end

------------------------------------------------------------------------ files

image.load = entry(function(path, options)
  path, options = arguments(path, options)
  check_options(options, { as = true }, "gpu.load", "as")
  if type(path) ~= "string" then
    error('gpu.load reads a file: gpu.load "photo.png"', 0)
  end
  local as, numbers = options.as, path:lower():find "%.npy$"
  if numbers and (as == nil or as == "buffer") then return gpu.load(path) end
  if numbers then
    error("a .npy file has numbers, not pixels: it becomes a buffer", 0)
  end
  as = as or "texture"
  if as ~= "texture" and as ~= "buffer" then
    error(("gpu.load makes a texture or a buffer: "
      .. "as = \"buffer\", not '%s'"):format(tostring(as)), 0)
  end
  local p = picture.load(path)
  return p[as](p)
end)

image.save = entry(function(x, path, options)
  path, options = arguments(path, options)
  if type(path) ~= "string" or not path:lower():find "%.png$" then
    error(("a picture is saved as .png%s"):format(type(path) == "string" and
      ", not as '" .. path .. "'" or ': t:save "x.png"'), 0)
  end
  check_options(options, save_options, "save", "map, range and bits")
  if options.bits ~= nil and options.bits ~= 8 and options.bits ~= 16 then
    error("save: a PNG file has 8 or 16 bits a channel: bits = 16", 0)
  end
  picture_of(x, options, "save"):save(path)
  return x
end)

--------------------------------------------------------------------- terminal

local function check_wish()
  local wish = os.getenv "METTLE_IMAGE"
  if not wish or wish == "" then return end
  for _, way in ipairs(ways) do if way == wish then return end end
  error(("METTLE_IMAGE is one of %s, not '%s'"):format(table.concat(ways, ", "),
    wish), 0)
end

local function cells(options, name, most)
  local v = options[name]
  if v == nil then return most end
  if math.type(v) ~= "integer" or v < 1 then
    error(("image: %s is a whole number of cells"):format(name), 0)
  end
  return v
end

-- One line, where no picture can be seen.
local function described(x, p)
  if type(x) == "string" then return x .. ": " .. tostring(p) end
  return tostring(p)
end

image.image = entry(function(x, options)
  x, options = arguments(x, options)
  if x == nil then
    error('what? image(texture), image(buffer) or image "photo.png"', 0)
  end
  check_options(options, show_options, "image", "map, range, columns and rows")
  check_wish()
  local p = picture_of(x, options, "image")
  if display.notebook then
    return display.notebook.picture(p, described(x, p))
  end
  local terminal = picture.terminal()
  -- rows counts cells of the picture; two more are the prompt's
  terminal.columns = cells(options, "columns", terminal.columns - 1) + 1
  terminal.rows = cells(options, "rows", terminal.rows - 2) + 2
  if terminal.way == "none" then
    io.stdout:write(described(x, p), "\n")
  else
    io.stdout:write(p:show(terminal))
  end
  io.stdout:flush()
end)

-- The picture of a value that was shown as text, if there can be one here.
function image.below(x)
  if not system.terminal(1) then return end
  local terminal = picture.terminal()
  if terminal.way == "none" then return end
  local ok, text = pcall(function() return picture.of(x):show(terminal) end)
  if ok then io.stdout:write(text) end
end

return image
