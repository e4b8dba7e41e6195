-- command.lua - mettle play FILE …: play from a shell.
local play = require "lua.play.play"

local command = {}

local usage = [==[
usage: mettle play FILE.metal | FILE.lua | NAME [options]
  --size N or W,H      pixels of the picture; 512
  --group X[,Y]        threads of a threadgroup
  --kernel NAME        which kernel is run each frame, if there are several
  --frames N           stop after so many, without showing them
  --fps N              frames a second of the file, and of the kernel's time
  --save FILE          with --frames: x.gif, x.png (animated) or x.apng
  --view WHERE         window or terminal
  --set NAME=VALUE     a parameter of the kernel: a number, or several: 1,2,3
without a file: the list of live examples
]==]

local fail = require "lua.session.usage"

local function numbers(text, word)
  local list = {}
  for part in text:gmatch "[^,x]+" do
    local v = tonumber(part)
    if not v then
      fail("%s %s: numbers are expected, as in %s 640,480", word, text, word)
    end
    list[#list + 1] = math.tointeger(v) or v
  end
  if #list == 0 then fail("%s needs a number", word) end
  return #list == 1 and list[1] or list
end

local function text(value) return value end

local options = { ["--size"] = numbers, ["--group"] = numbers,
  ["--kernel"] = text, ["--frames"] = numbers,
  ["--fps"] = numbers, ["--save"] = text, ["--view"] = text }

-- play's table for these words; nil for the list, or for --help.
function command.read(words)
  local o, i = {}, 1
  while words[i] do
    local word = words[i]
    local name, value = word:match "^(%-%-%a+)=(.*)$"
    name = name or word
    if name == "--help" or name == "-h" then return nil, usage end
    if options[name] or name == "--set" then
      if not value then i, value = i + 1, words[i + 1] end
      if not value then
        fail("%s needs a value; mettle play --help says which", name)
      end
      if name == "--set" then
        local key, v = value:match "^([%w_]+)=(.+)$"
        if not key then
          fail("--set %s: NAME=VALUE is expected, as in --set speed=2", value)
        end
        o.set = o.set or {}
        o.set[key] = numbers(v, "--set " .. key .. "=")
      else
        o[name:sub(3)] = options[name](value, name)
      end
    elseif word:sub(1, 1) == "-" then
      fail("unknown option %s; mettle play --help lists them", word)
    elseif o[1] then
      fail("one file at a time: %s or %s", o[1], word)
    else
      o[1] = word
    end
    i = i + 1
  end
  if not o[1] then
    if next(o) then fail "which file? mettle play --help says more" end
    return nil
  end
  return o
end

function command.main(words)
  local o, said = command.read(words)
  if said then return print((said:gsub("\n$", ""))) end
  if not o then return play.play() end
  local result = play.play(o)
  if result then print(result) end
end

return command
