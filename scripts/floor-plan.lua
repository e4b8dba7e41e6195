-- floor-plan.lua - the picture of the house, from the code alone: each room on
-- the lowest floor from which it uses only floors below.
--
--   build/mettle scripts/floor-plan.lua          docs/floor-plan.svg
--                                                (make docs)
--   build/mettle scripts/floor-plan.lua counts   the same as lines of text:
--                                                floor, room, files and lines
--                                                of it, what it uses
--
-- The rooms are those of the tables (FOLDER/rooms.txt). One uses another whose
-- header it includes or whose module it requires. The files of a folder's root
-- are a room, too; but msl's headers are not part of its root, which is above
-- its rooms: a file that includes one of them uses what it includes.
local tops = { "base", "cpu", "pictures", "window", "jupyter", "msl",
  "devices", "embed", "lua", "repl" }
local colours = { base = "#e8e4d8", cpu = "#d9ead3", pictures = "#fce5cd",
  window = "#fce5cd", jupyter = "#fce5cd", msl = "#d0e0f0",
  devices = "#c9daf8", embed = "#ead1dc", lua = "#fff2cc", repl = "#f4cccc" }

local function lines_of(path)
  local list = {}
  for line in io.lines(path) do list[#list + 1] = line end
  return list
end

------------------------------------------------------------------- the rooms

local rooms = {} -- by path: devices/host/run
local function add_rooms(top, path)
  for _, line in ipairs(lines_of(path)) do
    local room = line:match "^([a-z][a-z/_]*):"
    if room then rooms[top .. "/" .. room] = true end
  end
end
for _, top in ipairs { "base", "msl", "devices", "lua", "repl" } do
  add_rooms(top, top .. "/rooms.txt")
end
rooms["devices/host"] = true

local function room_of(path)
  local place = path:match "^(.*)/[^/]*$"
  while place and place:find "/" do
    if rooms[place] then return place end
    place = place:match "^(.*)/[^/]*$"
  end
  if path:find "^msl/[%w_]+%.h$" then return path end
  return path:match "^[a-z]+"
end

-------------------------------------------------------------------- the uses

local files, count, size, uses, is_top = {}, {}, {}, {}, {}
for _, top in ipairs(tops) do
  is_top[top] = true
  local pipe <close> = assert(io.popen("find " .. top .. " -type f"))
  for path in pipe:lines() do
    if path:find "%.[ch]$" or path:find "%.[ch]pp$" or path:find "%.lua$" then
      if not path:find "^msl/include/" then files[#files + 1] = path end
    end
  end
end
table.sort(files)

local function use(from, to)
  if from ~= to and is_top[to:match "^[a-z]+" or ""] then
    uses[from][to] = true
  end
end
for _, path in ipairs(files) do
  local room = room_of(path)
  local list = lines_of(path)
  uses[room] = uses[room] or {}
  count[room], size[room] = (count[room] or 0) + 1, (size[room] or 0) + #list
  for _, line in ipairs(list) do
    local header = line:match '^%s*#%s*include%s*"([^"]*/[^"]*)"'
    if header and not header:find "^msl/include/" then
      use(room, room_of(header))
    end
    for module in line:gmatch "require%s*%(?[\"'](lua%.[%w_.]+)[\"']" do
      if path:find "%.lua$" then use(room, room_of(module:gsub("%.", "/"))) end
    end
  end
end

------------------------------------------------------------------ the floors

-- A header of a root is no room: what it includes is used instead.
local function open_headers(room, seen, into)
  for to in pairs(uses[room]) do
    if not seen[to] and to:find "%.h$" then
      seen[to] = true
      open_headers(to, seen, into)
    elseif to ~= into.of and not to:find "%.h$" then
      into[to] = true
    end
  end
end
local own = {}
for room in pairs(uses) do
  own[room] = { of = room }
  open_headers(room, {}, own[room])
  own[room].of = nil
end
for room in pairs(own) do
  uses[room] = not room:find "%.h$" and own[room] or nil
end

local floor, open = {}, {}
local function floor_of(room)
  if open[room] then error("a circle through " .. room, 0) end
  if floor[room] then return floor[room] end
  local most = 0
  open[room] = true
  for to in pairs(uses[room]) do most = math.max(most, floor_of(to) + 1) end
  open[room], floor[room] = nil, most
  return most
end

local floors, highest = {}, 0
for room in pairs(uses) do
  local n = floor_of(room)
  floors[n] = floors[n] or {}
  table.insert(floors[n], room)
  highest = math.max(highest, n)
end
local rank = {}
for i, top in ipairs(tops) do rank[top] = i end
local function before(a, b)
  local x, y = rank[a:match "^[a-z]+"], rank[b:match "^[a-z]+"]
  if x ~= y then return x < y end
  return a < b
end
for n = 0, highest do table.sort(floors[n], before) end

if arg[1] == "counts" then
  for n = highest, 0, -1 do
    for _, room in ipairs(floors[n]) do
      local list = {}
      for to in pairs(uses[room]) do list[#list + 1] = to end
      table.sort(list)
      print(("%d\t%s\t%d\t%d\t%s"):format(n, room, count[room], size[room],
        table.concat(list, " ")))
    end
  end
  return
end

----------------------------------------------------------------- the picture

local WIDE, HIGH, GAP, PER_ROW, LEFT = 152, 24, 6, 6, 34
local out, y = {}, 10
local function add(format, ...) out[#out + 1] = format:format(...) end
for n = highest, 0, -1 do
  local list = floors[n]
  local rows = (#list + PER_ROW - 1) // PER_ROW
  add('<text x="8" y="%d" fill="#888">%d</text>', y + 16, n)
  for i, room in ipairs(list) do
    local x = LEFT + (i - 1) % PER_ROW * (WIDE + GAP)
    local at = y + (i - 1) // PER_ROW * (HIGH + GAP)
    add('<rect x="%d" y="%d" width="%d" height="%d" rx="3" fill="%s"/>', x, at,
      WIDE, HIGH, colours[room:match "^[a-z]+"])
    add('<text x="%d" y="%d">%s</text>', x + 7, at + 16, room)
  end
  y = y + rows * (HIGH + GAP) + 4
  if n > 0 then
    add('<path d="M%d %dH%d" stroke="#ddd"/>', LEFT, y - 5,
      LEFT + PER_ROW * (WIDE + GAP) - GAP)
  end
end

local width = LEFT + PER_ROW * (WIDE + GAP) + 4
print(('<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" '
  .. 'viewBox="0 0 %d %d" font-family="sans-serif" font-size="11" '
  .. 'fill="#222">'):format(width, y, width, y))
print "<title>The rooms of Mettle by floors: each uses only floors below</title>"
print(('<rect width="%d" height="%d" fill="#fff"/>'):format(width, y))
print(table.concat(out, "\n"))
print "</svg>"
