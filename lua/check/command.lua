-- command.lua - mettle check FILE.metal …: a kernel checked from the
-- shell.
--
--   command.read(words)    what the command line asks for; raises if unclear
--   command.run(asked)     compiles and checks: the report (check.lua)
--   command.main(words)    prints it; the exit status in words.status:
--                          0 clean, 1 something was found, 2 it could not run
local arguments = require "lua.check.arguments"
local check = require "lua.check.check"
local workload = require "lua.workload.workload"

-- Seconds that a check may take where none are given: an endless kernel in a CI
-- ends, and what takes longer says how to give it more.
local command = { seconds = 120 }

local usage = [==[
usage: mettle check FILE.metal --grid 1000[,y,z] --arg NAME=VALUE ... [options]
  --kernel NAME        which kernel, if the file has several
  --grid X[,Y[,Z]]     threads; or --groups X[,Y[,Z]], threadgroups
  --group X[,Y[,Z]]    threads of a threadgroup
  --arg NAME=VALUE     an argument by its parameter's name, in any order:
      a=float[1000]          a buffer with random contents
      a=float[1000]:zero     or :one, :iota, :7, :-5..5, :undefined, @file.npy
      n=1000  p=1,2  s=x:1,y:2  s.x=1      a number, a vector, a struct
      t=threadgroup[1024]    bytes of threadgroup memory; or t=float[256]
      t=rgba8unorm[64,32]    a texture; s=sampler, s=sampler:linear
  --outputs a,b        buffers that must be written all over; '' for none
  --constant NAME=V    a function constant
  --seed S             of the random contents and of the schedules; 1
  --schedules N        runs in other orders; 3
  --tolerance T        difference between them that is rounding; 0.001
  --findings N         most findings shown; 64
  --time-limit S       seconds, for an endless kernel; 120
  -D NAME[=VALUE]  -I DIR  --safe-math  --std=metal3.1
                       as for mettle compile
  --json               the findings as a JSON list on standard output
  --sarif[=FILE]       the findings as SARIF, for GitHub and editors; to FILE
                       beside the usual text
exit status: 0 clean, 1 something was found, 2 it could not run
]==]

local function fail(...) error(string.format(...), 0) end

------------------------------------------------------------------ reading words

local function sides(text, word)
  local list = {}
  for side in text:gmatch "[^,x]+" do
    local v = math.tointeger(tonumber(side))
    if not v or v < 1 then
      fail("%s %s: sides are whole numbers of at least 1, as in %s 64,32", word,
        text, word)
    end
    list[#list + 1] = v
  end
  if #list < 1 or #list > 3 then
    fail("%s has one to three sides, as in %s 64,32", word, word)
  end
  return list
end

local function number(least)
  return function(text, word)
    local v = tonumber(text)
    if not v or v < least then
      fail("%s takes a number of at least %s, not '%s'", word, least, text)
    end
    return math.tointeger(v) or v
  end
end

local function constant(text, _, o)
  local name, value = text:match "^([%w_]+)=(.+)$"
  local v = value and (value == "true" or value ~= "false" and tonumber(value))
  if value == "false" then v = false end
  if v == nil or not name then
    fail("--constant %s: write NAME=VALUE, as in --constant WIDTH=640", text)
  end
  o.constants[tonumber(name) or name] = math.tointeger(v) or v
end

local function define(text, _, o)
  local name, value = text:match "^([^=]+)=(.*)$"
  o.defines[name or text] = value or "1"
end

local function names(text)
  local list = {}
  for name in text:gmatch "[^,]+" do list[#list + 1] = name end
  return list
end

-- Options with a value: the field that it is stored in, and how it is read.
local valued = {
  ["--kernel"] = { "kernel" }, ["--grid"] = { "grid", sides },
    ["--groups"] = { "groups", sides },
  ["--group"] = { "group", sides }, ["--seed"] = { "seed", number(0) },
    ["--schedules"] = { "schedules", number(0) },
  ["--tolerance"] = { "tolerance", number(0) },
    ["--findings"] = { "findings", number(1) },
  ["--time-limit"] = { "limit", number(0.001) },
    ["--outputs"] = { "outputs", names },
  ["--std"] = { "std" }, ["-std"] = { "std" },
  ["--constant"] = { nil, constant }, ["-D"] = { nil, define },
  ["-I"] = { nil, function(text, _, o) o.include[#o.include + 1] = text end },
  ["--arg"] = { nil, function(text, _, o) arguments.read(text, o.specs) end },
}
local flags = { ["--json"] = "json", ["--sarif"] = "sarif",
  ["--safe-math"] = "safe", ["--help"] = "help", ["-h"] = "help" }

-- "--grid=100" and "-DNAME" are two words in one.
local function separate(word)
  local short, rest = word:match "^(%-[DI])(.+)$"
  if short then return short, rest end
  local long, value = word:match "^(%-%-?[%a-]+)=(.*)$"
  if long then return long, value end
  return word
end

function command.read(list)
  local o = { specs = {}, defines = {}, include = {}, constants = {} }
  local i = 1
  while i <= #list do
    local word, value = separate(list[i])
    local option = valued[word]
    if word == "--sarif" and value then
      o.sarif_file = value
    elseif option then
      if not value then
        i = i + 1
        value = list[i]
      end
      if not value then fail("%s needs something after it", word) end
      local v = value
      if option[2] then v = option[2](value, word, o) end
      if option[1] then o[option[1]] = v end
    elseif flags[word] then
      o[flags[word]] = true
    elseif word:find "^%-" and word ~= "-" then
      fail("unknown option %s; mettle check --help lists them", word)
    elseif o.file and word:find "^[%w_.]+=" then
      fail(
        "%s stands without --arg (a shell makes two words of {1,2}: "
          .. "write 1,2, or quote it)", word)
    elseif o.file then
      fail("two files, %s and %s: one at a time", o.file, word)
    else
      o.file = word
    end
    i = i + 1
  end
  return o
end

----------------------------------------------------------------------- running

local function source_of(o)
  if o.file == "-" then return io.read "a", "<standard input>" end
  local file, why = io.open(o.file, "rb")
  if not file then fail("%s", why) end
  local source = file:read "a"
  file:close()
  if not source then fail("%s cannot be read", o.file) end
  return source, o.file
end

local function compile(o)
  local source, name = source_of(o)
  local options = { name = o.kernel, file = name, defines = o.defines,
    include = o.include,
    std = o.std, math = o.safe and "safe" or "fast",
    constants = next(o.constants) and o.constants or nil }
  if not source:find "[\n{;]" then source = source .. "\n" end
  local ok, k = pcall(require "mettle.check".compile, source, options)
  if ok then return k end
  local refused = check.refused(k, source, name)
  if not refused then error(k, 0) end
  return nil, refused
end

-- The values in the order of the parameters, so that no name can be taken for a
-- word of the launch. What is missing is named with the words that would give
-- it.
local function in_order(k, values, launch)
  local shared = {}
  for _, p in ipairs(k.params) do
    local v = values[p.name]
    if p.kind == "threadgroup" then
      if v == nil and p.reference then v = p.size end
      shared[#shared + 1] = v
    elseif p.kind ~= "builtin" then
      launch[#launch + 1] = v
    end
    if p.kind ~= "builtin" and v == nil then
      local example = p.kind == "threadgroup" and "threadgroup[1024]"
        or p.kind == "texture" and "rgba8unorm[64,64]"
        or p.kind == "sampler" and "sampler" or p.reference and "1000" or p.type
          .. "[1000]"
      fail("%s needs '%s' (%s): add --arg %s=%s", k.name, p.name, p.text,
        p.name, example)
    end
  end
  if #shared > 0 then launch.threadgroup = shared end
  return launch
end

function command.run(o)
  local k, refused = compile(o)
  if not k then return refused end
  local values, undefined = arguments.make(o.specs, k, o.seed or 1)
  if not o.grid and not o.groups then
    fail("how many threads? give --grid 1000, or --groups 4 --group 256")
  end
  local launch = in_order(k, values,
    { grid = o.grid, groups = o.groups, group = o.group,
    limit = o.limit or command.seconds })
  local r = check.run(k, launch,
    { seed = o.seed, schedules = o.schedules, tolerance = o.tolerance,
    findings = o.findings, outputs = o.outputs, undefined = undefined,
      partial = true })
  if r.stopped and r.stopped:find "time limit" then
    r.stopped = r.stopped
      .. ("; if it needs more, --time-limit %g gives it more"):format(
        5 * (o.limit or command.seconds))
  end
  return r
end

-- Words of the command line -> report; for tests/lua/check/test_zoo.lua.
function command.check(list) return command.run(command.read(list)) end

-- Messages for those who type Lua, for those who type a command.
local function in_shell_words(message)
  local name = message:match "^[^\n]-: '([%w_]+)' %("
  local changed = message:gsub(
    'say which, as in gpu%.kernel%(source, "([^"]*)"%), '
      .. 'or take gpu%.library%(source%)', "say which, as in --kernel %1")
    :gsub('make it with gpu%.buffer%("([^"]*)", …%), or give .*$',
      function(kind) return ("give --arg %s=%s[…]"):format(name or "NAME",
        kind) end)
    :gsub("from gpu%.texture%(format, width, height%)",
      function() return ("as in --arg %s=rgba8unorm[64,64]"):format(
        name or "NAME") end)
    :gsub("give a buffer, or a table of values, not a number",
      function() return (
        "give a buffer, or several values, as in --arg %s=1,2,3"):format(name
          or "NAME") end)
    :gsub("expected a table with the fields of ([%w_]+), got %a+$",
      function(kind)
      return ("%s is a struct: give its fields, as in --arg %s=x:1,y:2"):format(
        kind, name or "NAME")
    end)
    :gsub("from gpu%.sampler{…}",
      function() return ("as in --arg %s=sampler:linear"):format(
        name or "NAME") end)
    :gsub("(needs a value for function constant '([%w_]+)' %(index %d+%))$",
      "%1: add --constant %2=1")
  return changed
end

function command.main(list)
  list.status = 2
  local ok, o = pcall(command.read, list)
  if ok and o.help then
    list.status = 0
    print((usage:gsub("\n$", "")))
    return
  end
  if ok and not o.file then
    ok, o = false, "no file given\n" .. usage:gsub("\n$", "")
  end
  local r
  if ok then
    gpu.use(require "mettle.check".device)
    ok, r = pcall(command.run, o)
  else
    r = o
  end
  if not ok then
    io.stderr:write("mettle check: ",
      in_shell_words(workload.plain(tostring(r))), "\n")
    return
  end
  if o.sarif_file then
    local sarif = require "lua.check.sarif"
    sarif.write(sarif.checked(r), o.sarif_file)
  end
  if o.json or o.sarif then
    print(o.json and r:json() or require "lua.check.sarif".checked(r))
    local order = require "lua.check.text".unordered(r)
    if order then
      io.stderr:write("mettle check: unordered: ", order, "\n")
    end
    for _, sentence in ipairs(r.unchecked) do
      io.stderr:write("mettle check: not checked: ", sentence, "\n")
    end
    if r.stopped then
      io.stderr:write("mettle check: stopped before the end: ", r.stopped, "\n")
    end
  else
    local style = require "lua.text.style"
    print(require "lua.check.text".report(r, style.on() and style or nil))
  end
  list.status = #r > 0 and 1 or r.stopped and 2 or 0
end

return command
