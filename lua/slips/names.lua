-- names.lua - what fails when it runs, and names of other languages. Read by
-- lua/slips/slips.lua.
--
--   rows      { pattern of the line, error = pattern of Lua's message, say =,
--             write =, whole = }, as in lua/slips/syntax.lua
--   globals   a name that is nil here and used: { [pattern,] say =, write = }
--   fields    a field or method that is nil
--   members   what a buffer, kernel or texture does not have
local NAME = "[%a_][%w_]*"
local PATH = "[%a_][%w_.]*"
local STRING = "\1%d+\2"

local function slips() return require "lua.slips.slips" end

local rows = {}
local function add(row) rows[#rows + 1] = row end

------------------------------------------------------------ Python's libraries

-- A module's name as people import it, and the dictionary that knows its words.
local libraries = { np = "numpy", numpy = "numpy", cp = "numpy", cupy = "numpy",
  jnp = "numpy", jax = "numpy", mx = "numpy", mlx = "numpy", tf = "numpy",
  scipy = "numpy", torch = "torch", nn = "torch", F = "torch" }
for name, dictionary in pairs(libraries) do
  local nth = ("%%f[%%w_]%s%%.([%%a_][%%w_.]*)"):format(name)
  add { nth, error = ("attempt to index a %%l+ value %%(global '%s'%%)"):format(
    name),
    say = function(word)
      return slips().elsewhere(name, dictionary, word)
    end }
end
add { "", error = "attempt to index a nil value %(global 'plt'%)",
  say = "plot draws in the terminal: plot(values); "
    .. "p:save \"x.svg\" writes a file" }
add { "", error = "attempt to index a nil value %(global 'pd'%)",
  say = "there are no data frames here: gpu.load \"a.npy\" reads arrays "
    .. "that NumPy saved" }
add { "console%.log",
  error = "attempt to index a nil value %(global 'console'%)",
  say = "print(…) prints in Lua", write = "print" }
add { "Math%.(%a+)", error = "attempt to index a nil value %(global 'Math'%)",
  say = "Lua's library is math, in lower case", write = "math.%1" }
add { "time%.time%s*%(%s*%)",
  error = "attempt to index a nil value %(global 'time'%)",
  say = "os.clock() gives seconds of processor time; compare{…} times kernels",
  write = "os.clock()" }
add { "", error = "attempt to index a nil value %(global 'sys'%)",
  say = "Lua has arg for a script's arguments, io and os for the rest" }
add { "std%s*::", error = "", say = "C++ goes inside gpu.kernel [=[ ... ]=]; "
  .. "the prompt speaks Lua" }
add { "^cout", error = "global 'cout'", say = "print(…) prints in Lua" }
add { "", error = "attempt to index a nil value %(global 'device'%)",
  say = "the device in use is gpu.device, gpu.devices() lists all" }

--------------------------------------------------------- methods and indices

-- x.sum() for x:sum(): the method has no buffer to work on.
add { { "^(.-)(" .. NAME .. ")%.(" .. NAME .. ")(%s*%(.*)$",
  "^(.-)(" .. NAME .. ")%.(" .. NAME .. ")(%s*" .. STRING .. ".*)$",
  "^(.-)(" .. NAME .. ")%.(" .. NAME .. ")(%s*{.*)$" },
  error = "%(%l+ expected, got [%l ]+%)", say = function(_, name, method)
    local value = _G[name]
    if type(value) ~= "userdata" and type(value) ~= "string" then return nil end
    return ("a method is called by a colon in Lua, %s:%s(…)"):format(name,
      method)
  end, whole = "%1%2:%3%4" }
add { "^(.-)(gpu%.%l+)%[(.-)%](.*)$",
  error = "attempt to index a function value",
  say = "a function is called with round brackets", whole = "%1%2(%3)%4" }
add { "", error = "attempt to index a function value %(%l+ '(%l+)'%)",
  say = "a function is called, f(…), and has nothing inside to index" }
add { "^(" .. NAME .. ")%s*%[(.-)%]%s*(%b())$", error = "a kernel has no",
  say = "a launch is a table here: grid says how many threads",
  whole = function(k, grid, arguments)
    return ("%s{%s, grid = %s}"):format(k, arguments:sub(2, -2),
      grid:find "," and "{" .. grid .. "}" or grid)
  end }
add { "^(.-)(" .. NAME .. ")%((.-)%)(.*)$",
  error = "attempt to call a buffer value %([^f]",
  say = "an element of a buffer is b[i], from 0; of a matrix b:at(row, column)",
  whole = function(front, name, index, rest)
    return index:find "," and ("%s%s:at(%s)%s"):format(front, name, index, rest)
      or ("%s%s[%s]%s"):format(front, name, index, rest)
  end }
add { "^for%s+(" .. NAME .. ")%s+in%s+(" .. PATH .. ")%s+do%s*(.-)%s*end$",
  error = "attempt to call a buffer value",
  say = "a loop over a buffer counts its elements, from 0",
  whole = "for i = 0, #%2 - 1 do local %1 = %2[i] %3 end" }
add { "^for%s.-%sin%s", error = "attempt to call a buffer value",
  say = "a loop over a buffer counts its elements: for i = 0, #b - 1 do … end" }
add { "^for%s.-%sin%s", error = "attempt to call a table value",
  say = "a loop over a table needs pairs(t), or ipairs(t) for a list" }
add { "^for%s", error = "bad 'for' limit %(number expected, got buffer%)",
  say = "the last index is a number: for i = 0, #b - 1 do … end" }
add { "^(" .. NAME .. ")%s*(%b())$", error = "a launch is a table",
  say = "a launch is a table, k{a, b, grid = n}: grid says how many threads",
  whole = function(k, arguments)
    local inside = arguments:sub(2, -2)
    local first, n = inside:match "^(.*),%s*(%d+)%s*$"
    return ("%s{%s, grid = %s}"):format(k, n and first or inside, n or "1000")
  end }

------------------------------------------------------------------- operators

add { "^(.-)%f[%w_]f(" .. STRING .. ")(.*)$", error = "global 'f'",
  say = 'Lua has no f-strings: ("x is %g"):format(x), or "x is " .. x',
  whole = function(front, literal, rest)
    local values = {}
    local text = literal:sub(2, -2):gsub("%%", "%%%%"):gsub("{([^{}]*)}",
      function(inside)
        local value, form = inside:match "^(.-):([%w.]+)$"
        values[#values + 1] = value or inside
        return "%" .. (form or "s")
      end)
    local quote = literal:sub(1, 1)
    return ("%s(%s%s%s):format(%s)%s"):format(front, quote, text, quote,
      table.concat(values, ", "), rest)
  end }
add { "^#%s*(.*)$", error = "attempt to get length of",
  say = "Lua's comments start with --", whole = "-- %1" }
add { "^(.*" .. STRING .. ".*)$",
  error = "attempt to %l+ a '%l+' with a '%l+'",
  say = function(line)
    return line:find "%+" and "Lua joins strings with .." or nil
  end,
  whole = function(line)
    local changed = line:gsub("([\"'%w_)%]])%s*%+%s*([\"'%w_(])", "%1 .. %2")
    return changed ~= line and changed or nil
  end }
add { "^(.-)([%w_.]+)%s*(<=?)%s*([%w_.]+)%s*(<=?)%s*([%w_.]+)(.*)$",
  error = "attempt to compare boolean with number",
  say = "Lua compares two at a time", whole = "%1%2 %3 %4 and %4 %5 %6%7" }
add { "^(.-)([%w_.]+)%s*(<=?)%s*([%w_.]+)%s*(<=?)%s*([%w_.]+)(.*)$",
  error = "attempt to compare number with boolean",
  say = "Lua compares two at a time", whole = "%1%2 %3 %4 and %4 %5 %6%7" }
add { "", error = "attempt to concatenate a buffer value",
  say = "tostring(b) is the text of a buffer; .. joins strings and numbers" }
add { "", error = "arithmetic on a buffer value",
  say = 'Lua does no arithmetic on whole buffers: '
    .. 'that is what kernels are for, or cpu.add(a, b) and its like; '
    .. 'help "python" and help "cpu" say more' }
add { "", error = "attempt to compare buffer with",
  say = "whole buffers are not compared: a:equals(b) says where two differ; "
    .. "element by element is a kernel" }

--------------------------------------------------------------------- globals

-- max(b) of a buffer is b:max(), of numbers math.max(a, b).
local function least_of(method)
  return function(arguments)
    local name = arguments:match "^%(%s*([%a_][%w_]*)%s*%)$"
    return name and type(_G[name]) == "userdata"
      and ("%s:%s()"):format(name, method)
      or ("math.%s%s"):format(method, arguments)
  end
end

local globals = {
  range = { "range%s*%(([^,()]*)%)", say = "Lua counts in the loop itself: "
    .. "for i = 0, 9 do … end; gpu.buffer(10):iota() is 0 to 9 as a buffer",
    write = "gpu.buffer(%1):iota()" },
  len = { "%f[%w_]len%s*%(%s*([%w_.]+)%s*%)",
    say = "the length is written # in Lua",
    write = "#%1" },
  str = { "%f[%w_]str%s*%(", say = "Lua's is called tostring",
    write = "tostring(" },
  int = { "%f[%w_]int%s*%((.-)%)", say = "math.floor rounds down, "
    .. "tonumber reads a number from a string",
    write = "math.floor(%1)" },
  float = { "%f[%w_]float%s*%((.-)%)", say = "tonumber reads a number from a "
    .. "string; Lua's numbers are doubles already",
    write = "tonumber(%1)" },
  list = { say = "a list is a table, {1, 2, 3}; "
    .. "b:table() makes one of a buffer" },
  dict = { say = "a dictionary is a table, {name = value}" },
  set = { say = "a set is a table whose keys are its members, {a = true}" },
  tuple = { say = "a tuple is a table, {1, 2}" },
  sum = { "%f[%w_]sum%s*%(%s*([%w_.]+)%s*%)",
    say = "a buffer adds itself up, b:sum()", write = "%1:sum()" },
  min = { "%f[%w_]min%s*(%b())",
    say = "a buffer's least is b:min(); of numbers it is math.min",
    write = least_of "min" },
  max = { "%f[%w_]max%s*(%b())", say = "a buffer's greatest is b:max(); "
    .. "of numbers it is math.max",
    write = least_of "max" },
  mean = { "%f[%w_]mean%s*%(%s*([%w_.]+)%s*%)",
    say = "a buffer's mean is b:mean()", write = "%1:mean()" },
  abs = { "%f[%w_]abs%s*%(", say = "mathematics is in math",
    write = "math.abs(" },
  round = { "%f[%w_]round%s*%((.-)%)", say = "math.floor(x + 0.5) rounds",
    write = "math.floor(%1 + 0.5)" },
  sorted = { say = "table.sort(t) sorts a table in place; "
    .. "cpu.sort sorts a buffer" },
  enumerate = { say = "for i, x in ipairs(t) do … end counts a list, from 1" },
  zip = { say = "for i = 1, #a do … a[i], b[i] … end goes through two lists" },
  map = { say = "a loop does it for a table; for a buffer it is a kernel, "
    .. "a thread for each element" },
  filter = { say = "a loop does it for a table; for a buffer it is a scan, "
    .. "gpu.kernel \"scan\"" },
  reduce = { say = "b:sum(), b:max() and their like reduce a buffer; "
    .. "lesson \"reduction\" writes the kernel" },
  isinstance = { say = "type(x) names the type: \"number\", \"table\", "
    .. "\"userdata\" for a buffer" },
  input = { "%f[%w_]input%s*%b()", say = "io.read() reads a line",
    write = "io.read()" },
  open = { say = "io.open(name) opens a file; "
    .. "gpu.load reads arrays and pictures" },
  import = { say = "nothing has to be imported: gpu, cpu and the functions "
    .. "that help() lists are here" },
  eval = { say = "load(\"return 1 + 1\")() evaluates a text" },
  exec = { say = "load(text)() runs a text, dofile \"x.lua\" a file, "
    .. "os.execute a program" },
  dir = { say = "help(x) says what a value has; Tab lists names" },
  vars = { say = "Tab lists names; for name in pairs(_G) do … end "
    .. "goes through all" },
  hasattr = { say = "x.name is nil where a table has no such field" },
  getattr = { say = "x[name] reads a field by its name" },
  printf = { "%f[%w_]printf%s*(%b())",
    say = "print(…) prints, (\"%d\"):format(x) formats",
    write = "print(string.format%1)" },
  println = { "%f[%w_]println%s*%(", say = "print(…) prints in Lua",
    write = "print(" },
  puts = { "%f[%w_]puts%f[^%w_]", say = "print(…) prints in Lua",
    write = "print" },
  echo = { say = "print(…) prints in Lua" },
  cout = { say = "print(…) prints in Lua" },
  fmt = { say = "print(…) prints in Lua" },
  sizeof = { say = "b.bytes is the size of a buffer; "
    .. "#b its number of elements" },
  malloc = { "malloc%s*%(([^()]*)%)", say = "gpu.buffer(n) makes memory for n "
    .. "floats; it goes back by itself",
    write = "gpu.buffer(%1)" },
  free = { "%f[%w_]free%s*%(%s*([%w_.]+)%s*%)", say = "b:free() gives a "
    .. "buffer's memory back at once; by itself it goes back later",
    write = "%1:free()" },
  del = { say = "x = nil forgets a value; "
    .. "b:free() gives a buffer's memory back" },
  zeros = { "zeros%s*%(%(?([%w_, ]+)%)?%)", say = "gpu.buffer(n) is zeros, "
    .. "gpu.buffer(rows, columns) a matrix", write = "gpu.buffer(%1)" },
  ones = { "ones%s*%(%(?([%w_, ]+)%)?%)", say = "gpu.buffer(n):fill(1) is ones",
    write = "gpu.buffer(%1):fill(1)" },
  arange = { "arange%s*%(([%w_]+)%)", say = "gpu.buffer(n):iota() is 0, 1, 2 …",
    write = "gpu.buffer(%1):iota()" },
  array = { "array%s*%(?([{%[].-[}%]])%)?", say = "gpu.buffer{1, 2, "
    .. "3} makes a buffer of values", write = "gpu.buffer%1" },
  tensor = { "tensor%s*%(?([{%[].-[}%]])%)?", say = "gpu.buffer{1, 2, "
    .. "3} makes a buffer of values", write = "gpu.buffer%1" },
  randn = { "randn%s*%(([%w_, ]+)%)", say = "gpu.buffer(n):normal() is "
    .. "normally distributed", write = "gpu.buffer(%1):normal()" },
  rand = { "rand%s*%(([%w_, ]+)%)", say = "gpu.buffer(n):random() lies "
    .. "between 0 and 1", write = "gpu.buffer(%1):random()" },
  buffer = { "%f[%w_]buffer%s*([%({])", say = "buffers are made by gpu.buffer",
    write = "gpu.buffer%1" },
  Buffer = { "%f[%w_]Buffer%s*([%({])", say = "buffers are made by gpu.buffer",
    write = "gpu.buffer%1" },
  kernel = { "%f[%w_]kernel%s*([%({\1])",
    say = "a kernel is made by gpu.kernel [=[ … ]=]", write = "gpu.kernel%1" },
  device = { say = "the device in use is gpu.device, gpu.devices() lists all" },
  devices = { "devices%s*%(%s*%)", say = "gpu.devices() lists them",
    write = "gpu.devices()" },
  synchronize = { say = "a launch k{…} has finished when it returns: "
    .. "nothing is left to wait for" },
  launch = { say = "a launch is k{a, b, grid = n}" },
  dispatch = { say = "a launch is k{a, b, grid = n}" },
  benchmark = { say = "compare{k, …, grid = n} times a kernel, "
    .. "bench() a whole suite" },
  timeit = { say = "compare{k, …, grid = n} times a kernel with "
    .. "warm-up and medians" },
  clear = { say = "Ctrl-L clears the screen" },
  cls = { say = "Ctrl-L clears the screen" },
  ls = { say = "ls is the shell's: use another window, or leave with Ctrl-D" },
  pwd = { say = "pwd is the shell's: use another window, "
    .. "or leave with Ctrl-D" },
  f = { say = 'Lua has no f-strings: ("x is %g"):format(x), or "x is " .. x' },
  True = { "%f[%w_]True%f[^%w_]",
    say = "true and false are written small in Lua", write = "true" },
  False = { "%f[%w_]False%f[^%w_]",
    say = "true and false are written small in Lua", write = "false" },
  None = { "%f[%w_]None%f[^%w_]", say = "Lua's None is nil", write = "nil" },
  null = { "%f[%w_]null%f[^%w_]", say = "Lua's null is nil", write = "nil" },
  NULL = { "%f[%w_]NULL%f[^%w_]", say = "Lua's NULL is nil", write = "nil" },
  self = { say = "self is there inside a method only: "
    .. "function t:name() … end" },
  this = { say = "Lua calls it self, inside a method: "
    .. "function t:name() … end" },
  i32 = { say = "types are words: gpu.buffer(\"int\", n)" },
  float32 = { say = "types are words: gpu.buffer(\"float\", n); "
    .. "it is float if none is given" },
  float16 = { say = "types are words: gpu.buffer(\"half\", n)" },
}
for _, name in ipairs { "sqrt", "exp", "log", "sin", "cos", "tan", "floor",
  "ceil", "pi" } do
  globals[name] = { "%f[%w_]" .. name .. "%f[^%w_]",
    say = "mathematics is in math", write = "math." .. name }
end
globals.pow = { "%f[%w_]pow%s*%(([^,]+),%s*(.-)%)", say = "Lua writes x^y",
  write = "(%1)^(%2)" }
globals.tanh = { say = "math has no tanh in Lua; in a kernel it is there" }

---------------------------------------------------------------------- fields

local BUFFER = "here it is gpu.buffer"
local KERNEL = "here it is gpu.kernel"
local LAUNCH = "here it is k{a, b, grid = n}"
local fields = {}
for word, say in pairs { compile = KERNEL, newLibraryWithSource = KERNEL,
  makeLibrary = "here it is gpu.library", RawKernel = KERNEL, array = BUFFER,
  tensor = BUFFER, zeros = BUFFER, empty = BUFFER, alloc = BUFFER,
  malloc = BUFFER, newBuffer = BUFFER, makeBuffer = BUFFER, run = LAUNCH,
  launch = LAUNCH, dispatch = LAUNCH,
  ones = "gpu.buffer(n):fill(1) is ones",
  arange = "gpu.buffer(n):iota() is 0, 1, 2 …",
  rand = "gpu.buffer(n):random() lies between 0 and 1",
  random = "gpu.buffer(n):random() lies between 0 and 1",
  randn = "gpu.buffer(n):normal() is normally distributed",
  is_available = "gpu.devices() lists what there is; "
    .. "gpu.device is the one in use",
  synchronize = "a launch k{…} has finished when it returns: "
    .. "nothing is left to wait for",
  format = "the string stands in brackets: (\"%d\"):format(3)" } do
  fields[word] = { say = say }
end

local members = {
  size = { "(" .. PATH .. ")%.size%f[^%w_]", say = "#b is the number "
    .. "of elements, b.bytes the size in memory, "
    .. "b.shape the rows and columns", write = "#%1" },
  dtype = { "%.dtype%f[^%w_]", say = "b.type is the name of the type",
    write = ".type" },
  ndim = { "(" .. PATH .. ")%.ndim",
    say = "#b.shape is the number of dimensions", write = "#%1.shape" },
  T = { "(" .. PATH .. ")%.T%f[^%w_]", say = 'cpu.transpose(b) turns a matrix, '
    .. 'or gpu.kernel "transpose_tiled"', write = "cpu.transpose(%1)" },
  length = { "(" .. PATH .. ")%.length", say = "#b is the number of elements",
    write = "#%1" },
  len = { say = "#b is the number of elements" },
  count = { say = "#b is the number of elements" },
  item = { "[.:]item%s*%(%s*%)", say = "b[0] is the first element",
    write = "[0]" },
  numpy = { say = 'nothing has to be copied: b[0] reads an element, '
    .. 'b:table() makes a table, b:save "b.npy" a file for NumPy' },
  cpu = { say = "Lua reads the same memory: nothing has to be copied back" },
  cuda = { say = 'a launch takes a buffer to its device; '
    .. 'gpu.use "cuda" chooses the device' },
  to = { say = 'a launch takes a buffer to its device; gpu.use "cuda" chooses '
    .. 'the device, gpu.buffer("half", b:table()) another type' },
  astype = { say = 'gpu.buffer("half", b:table()) makes a copy '
    .. 'of another type' },
  tolist = { "[.:]tolist%s*%(%s*%)", say = "b:table() makes a table",
    write = ":table()" },
  flatten = { "(" .. PATH .. ")[.:]flatten%s*%(%s*%)",
    say = "b:reshape(#b) makes one row of it", write = "%1:reshape(#%1)" },
  std = { say = "b:mean() is there; a standard deviation is a "
    .. "kernel, or a loop" },
  zero_ = { "[.:]zero_%s*%(%s*%)", say = "b:fill(0) sets all to 0",
    write = ":fill(0)" },
  dot = { "(" .. PATH .. ")[.:]dot%s*%(%s*(" .. PATH .. ")%s*%)",
    say = "cpu.dot(a, b), or a kernel", write = "cpu.dot(%1, %2)" },
  matmul = { "(" .. PATH .. ")[.:]matmul%s*%(%s*(" .. PATH .. ")%s*%)",
    say = 'cpu.matmul(a, b), or gpu.kernel "matmul_tiled"',
    write = "cpu.matmul(%1, %2)" },
  append = { say = "a buffer keeps its size: make another with gpu.buffer(n)" },
  data = { say = "b[i] reads and writes elements; nothing lies beneath it" },
  contents = { say = "b[i] reads and writes elements, "
    .. "b:table() makes a table of them" },
  clone = { "[.:]clone%s*%(%s*%)", say = "b:copy() makes another",
    write = ":copy()" },
  launch = { say = LAUNCH }, run = { say = LAUNCH },
  dispatch = { say = LAUNCH },
}

return { rows = rows, globals = globals, fields = fields, members = members }
