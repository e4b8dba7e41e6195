-- test_zoo.lua - check finds the mistake in every wrong kernel of tests/zoo, in
-- a line where it is, and nothing in the corrected ones (tests/zoo/README.md).
-- It is of no device: check runs on the host whichever is in use.
--
-- Every second of each kind is tried, and every third of these corrected, all
-- of them with METTLE_TESTS=all. METTLE_ZOO=race runs those whose name holds
-- the word.
--
-- Guards: check on tests/zoo: the mistake in every wrong kernel is found, its
-- corrected twin is clean
local t = dofile "tests/tap.lua"
local command = require "lua.check.command"
local system = require "mettle.system"

local only = os.getenv "METTLE_ZOO"
local all = only or os.getenv "METTLE_TESTS" == "all"
local every, corrected = all and 1 or 2, all and 1 or 3

-- What a file's comments say: { run, fixed, expect, also, lines }.
local function read(path, class)
  local file = assert(io.open(path))
  local z = { path = path, expect = {}, also = {}, lines = {} }
  local number = 0
  for line in file:lines() do
    number = number + 1
    z.run = z.run or line:match "^// run: (.*)"
    z.fixed = z.fixed or line:match "^// fixed: (.*)"
    for kind in (line:match "^// expect: (.*)" or ""):gmatch "%S+" do
      z.expect[kind] = true
    end
    for kind in (line:match "^// also: (.*)" or ""):gmatch "%S+" do
      z.also[kind] = true
    end
    local kind = line:match "// !(%S+)%s*$"
    if kind then z.lines[number] = kind end
  end
  file:close()
  z.anywhere = next(z.expect) ~= nil
  if not z.anywhere then z.expect[class] = true end
  return z
end

local function words(path, line, fixed)
  local list = { path }
  for word in line:gmatch "%S+" do list[#list + 1] = word end
  if fixed then list[#list + 1] = "-DFIXED" end
  return list
end

local function is_there(z, r)
  for _, f in ipairs(r) do
    if z.expect[f.kind] and (z.anywhere or z.lines[f.line] == f.kind
      or z.lines[f.other_line] == f.kind) then
      return f
    end
  end
end

local function check_wrong(z)
  local r = command.check(words(z.path, z.run))
  t.ok(is_there(z, r), "it was not found, but:\n" .. tostring(r))
  for _, f in ipairs(r) do
    t.ok(z.expect[f.kind] or z.also[f.kind], "this is not what is wrong:\n" .. f.text)
    t.ok(z.anywhere or f.kind == "race" or not z.expect[f.kind]
      or z.lines[f.line], "not in this line:\n" .. f.text)
    t.ok(f.count >= 1 and #f.message > 0 and #f.advice > 0)
    t.ok(f.kind ~= "race" or (f.line and f.column and f.other_line
      and f.other_column), "a side has no place:\n" .. f.text)
  end
end

local function check_fixed(z)
  local r = command.check(words(z.path, z.fixed or z.run, true))
  t.ok(r.ok, "a false alarm:\n" .. tostring(r))
end

gpu.use "host"
local number = 0
for _, class in ipairs(system.list "tests/zoo") do
  local place = 0 -- among those of its kind
  for _, file in ipairs(system.list("tests/zoo/" .. class)) do
    local name = file:match "^(.*)%.metal$"
    place = place + (name and 1 or 0)
    if name and place % every == 1 % every
      and (not only or (class .. "/" .. name):find(only, 1, true)) then
      local z = read("tests/zoo/" .. class .. "/" .. file, class)
      t.test(class .. "/" .. name, function() check_wrong(z) end)
      number = number + 1
      if number % corrected == 0 then
        t.test(class .. "/" .. name .. ", corrected", function()
          check_fixed(z)
        end)
      end
    end
  end
end
t.done()
