-- syntax.lua - lines that Lua does not take, as people write them who come from
-- Python, C, JavaScript or a shell. Read by lua/slips/slips.lua, in this order.
--
--   { pattern or { patterns }, say =, write =, whole =, near =, open = }
--
-- say: the sentence, with the pattern's captures as %1, or a function of them
-- (nil: this row does not apply after all); write: what the match is replaced
-- by (string.gsub's third argument); whole: the whole corrected line; near:
-- what Lua's message has to name; open: Lua would wait for more of it. Strings
-- are marks: \1 begins one, \2 ends it.
local NAME = "[%a_][%w_]*"
local PATH = "[%a_][%w_.]*"
local STRING = "\1%d+\2"

-- "9" of "10", "n - 1" of "n"
local function before(last)
  last = last:gsub("^%s+", ""):gsub("%s+$", "")
  local n = math.tointeger(tonumber(last))
  return n and tostring(n - 1) or last .. " - 1"
end

local function body(text)
  text = text:gsub("^%s+", ""):gsub("%s+$", "")
  return text == "" and "…" or text
end

-- The last argument as an option: "a, n=3" has a name with a value.
local function has_option(arguments)
  return arguments:find "[(,]%s*[%a_][%w_]*%s*=[^=]" ~= nil
end

-- Functions that take a table with options, and kernels, which are launched so.
local with_braces = { compare = true, sweep = true, check = true,
  profile = true, draw = true, record = true, step = true, play = true,
  bench = true, plot = true, ["gpu.sampler"] = true, ["gpu.texture"] = true }
local function takes_table(front, name)
  if front:find ":%s*$" then return false end
  return with_braces[name] or type(_G[name]) == "userdata" or _G[name] == nil
end

local function slips() return require "lua.slips.slips" end

local rows = {}
local function add(row) rows[#rows + 1] = row end

------------------------------------------------------------ MSL, not Lua

local MSL = "this is MSL, not Lua: put it in k = gpu.kernel [=[ ... ]=]"
local C = "this is C or MSL, and the prompt speaks Lua: a variable is just x = "
  .. "3, and MSL goes inside gpu.kernel [=[ ... ]=]"

local openings = { "^#include", "^#define ", "^#pragma ", "^%[%[kernel%]%]",
  "^template ?<typename" }
for _, word in ipairs { "kernel", "using", "device", "constant", "struct",
  "constexpr", "namespace", "typedef" } do
  openings[#openings + 1] = "^" .. word .. " [%a_]"
end

local declarations = {}
for _, word in ipairs { "float", "half", "bfloat", "int", "uint", "short",
  "ushort", "char", "uchar", "long", "ulong", "bool", "void", "double",
  "size_t", "auto", "static", "unsigned", "threadgroup", "thread", "inline" } do
  declarations[#declarations + 1] = "^" .. word .. "[234]?[ *&]+[%a_]"
end
declarations[#declarations + 1] = "^const %l+[%w_]*[ *&]+[%a_]"

rows.msl = {
  { openings, say = MSL },
  { "^__global__", say = "this is CUDA: "
    .. "in Metal a kernel is written kernel void …, inside gpu.kernel [=[ ... "
    .. "]=]; cuda \"__global__\" has an example" },
  { "^__[%l]+__ ", say = function() return "this is CUDA, "
    .. "and the prompt speaks Lua: kernels are MSL, inside gpu.kernel [=[ ... "
    .. "]=]; cuda() lists what CUDA's words are there" end },
  { declarations, say = C },
}

---------------------------------------------------------- pasted from a page

add { "\xe2\x80[\x98\x99\x9c\x9d]", -- U+2018 and its like
  say = "these are a page's curly quotes: Lua's are straight, \" or '",
  write = { ["“"] = '"', ["”"] = '"', ["‘"] = "'", ["’"] = "'" } }
add { "\xe2\x88\x92", say = "this minus sign is a page's: type -", write = "-" }
add { { "^>>>%s*(.+)$", "^In %[%d+%]:%s*(.+)$", "^mettle>%s*(.+)$" },
  say = "the prompt itself was copied, too: leave it out", whole = "%1" }
add { "^%$%s+(%a.*)$", say = "this is a line for the shell: leave with Ctrl-D, "
  .. "or use another window" }

------------------------------------------------------------- Python's blocks

local COUNT = "Lua counts with for i = first, last do … end, the last included"
add { "^for%s+(" .. NAME .. ")%s+in%s+range%s*%(([^,()]+)%)%s*:(.*)$",
  say = COUNT, open = true, whole = function(i, n, rest)
    return ("for %s = 0, %s do %s end"):format(i, before(n), body(rest))
  end }
add { "^for%s+(" .. NAME
  .. ")%s+in%s+range%s*%(([^,()]*%b()[^,()]*)%)%s*:(.*)$",
  say = COUNT, open = true, whole = function(i, n, rest)
    n = n:gsub("^%s*len%s*%(%s*([%w_.]+)%s*%)%s*$", "#%1")
    return ("for %s = 0, %s do %s end"):format(i, before(n), body(rest))
  end }
add { "^for%s+(" .. NAME .. ")%s+in%s+range%s*%(([^,]+),([^,]+)%)%s*:(.*)$",
  say = COUNT, open = true, whole = function(i, first, n, rest)
    return ("for %s = %s, %s do %s end"):format(i, first, before(n), body(rest))
  end }
add { "^for%s+(" .. NAME
  .. ")%s+in%s+range%s*%(([^,]+),([^,]+),([^,]+)%)%s*:(.*)$",
  say = COUNT .. "; a third number is the step", open = true,
  whole = function(i, first, n, step, rest)
    return ("for %s = %s, %s, %s do %s end"):format(i, first, before(n),
      (step:gsub("^%s+", "")), body(rest))
  end }
add { "^for%s+(" .. NAME .. "%s*,%s*" .. NAME
  .. ")%s+in%s+enumerate%s*%((.-)%)%s*:(.*)$",
  say = "Lua goes through a list with ipairs, "
    .. "and counts it from 1", open = true,
  whole = function(names, list, rest)
    return ("for %s in ipairs(%s) do %s end"):format(names, list, body(rest))
  end }
add { "^for%s+(" .. NAME .. "%s*,%s*" .. NAME
  .. ")%s+in%s+(.-)%.items%s*%(%s*%)%s*:(.*)$",
  say = "Lua goes through a table with pairs", open = true,
  whole = function(names, list, rest)
    return ("for %s in pairs(%s) do %s end"):format(names, list, body(rest))
  end }
add { "^for%s+(" .. NAME .. ")%s+in%s+([^:]+):(.*)$",
  say = "Lua goes through a list with ipairs; a buffer b by for i = 0, "
    .. "#b - 1 do … end",
  open = true, whole = function(name, list, rest)
    if list:find "do%s" then return nil end
    return ("for _, %s in ipairs(%s) do %s end"):format(name, list, body(rest))
  end }
add { "^while%s+(.-):(.*)$", say = "Lua writes while … do … end", open = true,
  whole = function(condition, rest)
    return ("while %s do %s end"):format(condition:gsub("!=", "~="), body(rest))
  end }
add { "^if%s+(.-):%s*$", say = "Lua writes if … then … end", open = true,
  whole = function(condition)
    return ("if %s then … end"):format(condition:gsub("!=", "~="))
  end }
add { "^if%s+(.-):%s+(.+)$", say = "Lua writes if … then … end", open = true,
  whole = function(condition, rest)
    return ("if %s then %s end"):format(condition:gsub("!=", "~="), rest)
  end }
add { "^elif%s", say = "Lua writes elseif … then, inside if … end",
  open = true }
add { "^else%s*:", say = "Lua writes else without a colon, "
  .. "inside if … then … else … end" }
add { "^def%s+(" .. NAME .. ")%s*(%b())[^:]*:(.*)$", open = true,
  say = "Lua writes function name(…) … end",
  whole = function(name, arguments, rest)
    return ("function %s%s %s end"):format(name, arguments, body(rest))
  end }
add { { "^def%s", "^async%s+def%s" },
  say = "Lua writes function name(…) … end" }
add { "lambda%s*([%w_,%s]*):%s*(.-)%s*%)%s*$",
  say = "Lua writes function(x) return … end for lambda x: …",
  write = "function(%1) return %2 end)" }
add { "lambda%s*([%w_,%s]*):%s*(.+)$",
  say = "Lua writes function(x) return … end for lambda x: …",
  write = "function(%1) return %2 end" }
add { "^class%s+(" .. NAME .. ")",
  say = "Lua has no class: a table holds what belongs together",
  whole = "%1 = {}" }
add { { "^try%s*:", "^except%f[%W]", "^finally%s*:" }, open = true,
  say = "Lua has no try: pcall(f, …) gives true and the results, "
    .. "or false and the message",
  whole = "ok, why = pcall(function() … end)" }
add { "^with%s+(.-)%s+as%s+(" .. NAME .. ")%s*:", open = true,
  say = "Lua has no with: assign what is needed; memory goes back by itself",
  whole = function(what, name)
    return ("%s = %s"):format(name, (what:gsub("^open%s*%(", "io.open(")))
  end }
add { "^with%s", open = true,
  say = "Lua has no with: assign what is needed; memory goes back by itself" }
add { "^import%s+" .. STRING, say = "nothing has to be imported: gpu, "
  .. "cpu and the functions that help() lists are here" }
add { { "^import%s+torch", "^from%s+torch" },
  say = 'nothing is imported here: torch "relu" says what a word of it is '
    .. 'here; gpu.buffer(1000) makes memory' }
add { { "^import%s+numpy", "^import%s+jax", "^import%s+mlx", "^from%s+jax",
  "^from%s+numpy", "^import%s+cupy", "^from%s+mlx" },
  say = 'nothing is imported here: numpy "sum" says what a word of Python\'s '
    .. 'libraries is here; gpu.buffer(1000) makes memory' }
add { { "^import%s", "^from%s+[%w_.]+%s+import%s" },
  say = "nothing has to be imported: gpu, cpu and the functions that help() "
    .. "lists are here; a file of yours by require or dofile" }
add { "^raise%f[%W]%s*(.*)$", say = "Lua raises an error with error \"…\"",
  whole = 'error "…"' }
add { "^del%s+(" .. PATH .. ")%s*$", say = "Lua forgets a variable when it is "
  .. "set to nil; b:free() gives a buffer's memory back",
  whole = "%1 = nil" }
add { { "^global%s+(" .. NAME .. ")", "^nonlocal%s+(" .. NAME .. ")" },
  say = "in Lua a variable is global unless it says local: leave the line out" }
add { "^assert%s+([^,(]+)$", say = "assert is a function in Lua",
  whole = "assert(%1)" }
add { "^assert%s+([^,(]+),%s*(.+)$", say = "assert is a function in Lua",
  whole = "assert(%1, %2)" }
add { { "^async%s", "^await%s", "^yield%s" },
  say = "nothing is asynchronous here: a launch k{…} has finished "
    .. "when it returns" }
add { "^@" .. NAME, say = "Lua has no decorators: "
  .. "wrap the function yourself, f = g(f)" }

------------------------------------------------------------- printing, asking

add { "^print%s+(.+)$", say = "print is a function in Lua",
  whole = function(what) return ("print(%s)"):format(what) end }
add { "^print%s*%((.-),%s*end%s*=%s*" .. STRING .. "%s*%)$",
  say = "io.write prints without a newline", whole = "io.write(%1)" }
add { "^help%s+me$", say = 'help() lists the topics, help "sweep" explains one',
  whole = "help()" }
add { "^(%l+)%s+([%a_][%w_.:%-+ ]*)$", say = function(what, word)
    local takes = { help = true, glossary = true, cuda = true, numpy = true,
      torch = true, lesson = true, puzzle = true, capstone = true, play = true }
    return takes[what] and ('a word stands in quotes: %s "%s"'):format(what,
      word) or nil
  end, whole = '%1 "%2"' }
add { { "^(" .. PATH .. ")%?+$", "^%?+(" .. PATH .. ")$" },
  say = "help explains a function or a word", whole = 'help "%1"' }
add { "^%?+$", say = "help() lists the topics", whole = "help()" }
add { "^:?%s*help$", say = "help() lists the topics", whole = "help()" }
add { { "^:q!?$", "^:wq$", "^:quit$", "^%.exit$", "^\\q$" },
  say = "exit leaves, and so does Ctrl-D", whole = "exit" }

------------------------------------------------------------------ the shell

add { "^%%%%?timeit%s+(.+)$",
  say = "compare{k, …, grid = n} times a kernel with warm-up and medians, "
    .. "sweep{…} over sizes; result.time of r = k{…} is one run" }
add { "^%%%%?%a", say = "Jupyter's % commands are not Lua; in a notebook with "
  .. "Mettle's kernel %%msl and %%task are there" }
add { "^man%s+([%w_.:]+)$", say = "help explains a function or a word",
  whole = 'help "%1"' }
local shell = { ls = true, cd = true, cat = true, mkdir = true, rm = true,
  cp = true, mv = true, git = true, pip = true, pip3 = true, python = true,
  python3 = true, conda = true, brew = true, apt = true, sudo = true,
  make = true, vim = true, vi = true, nano = true, emacs = true, man = true,
  echo = true, export = true, which = true, grep = true, xcrun = true,
  nvcc = true, clang = true, ["nvidia-smi"] = true, npm = true, less = true }
add { { "^!%s*([%l%d%-]+).*$", "^([%l%d%-]+)%s+[%w%-./~].*$" },
  say = function(word)
    return shell[word] and ("%s is the shell's: use another window, "
      .. "or leave with Ctrl-D; os.execute \"…\" runs one command"):format(word)
      or nil
  end }
add { "^mettle%s+(%l+)%s*(.*)$", say = function(word, rest)
    local here = { lesson = true, puzzle = true, capstone = true, bench = true,
      cards = true, play = true, check = true }
    local call = here[word] and (rest == "" and word .. "()"
      or rest:find "^%d+$" and ("%s(%s)"):format(word, rest))
    return call and ("this is Mettle already: here it is %s"):format(call)
      or "this is Mettle already: `mettle " .. word
        .. "` is for the shell; leave with Ctrl-D"
  end }

-------------------------------------------------------------- CUDA's launches

add { "^(" .. NAME .. ")%s*<<<%s*(.-)%s*,%s*(.-)%s*>>>%s*%((.-)%)%s*;?$",
  say = "a launch is a table here: groups, or grid for the threads, "
    .. "and group say how many",
  whole = function(k, groups, group, arguments)
    arguments = arguments:gsub("%s+$", "")
    return ("%s{%s%sgroups = %s, group = %s}"):format(k, arguments,
      arguments == "" and "" or ", ", groups, (group:gsub(",.*", "")))
  end }
add { "<<<", say = "a launch is a table here, k{a, b, grid = 1000}: "
  .. "threads in all, not groups; cuda \"<<<>>>\" has an example" }
add { "%f[%w_](__?%l[%w_]+)",
  say = function(word) return slips().cuda(word) end }
add { "%f[%w_](cuda%u[%w_]+)", say = function(word)
    return slips().cuda(word)
      or ('%s is CUDA: cuda() lists what its words are here'):format(word)
  end }

--------------------------------------------------------------------- operators

add { "^(.-)%s*([%+%-%*/%%&|^])=%s*(.+)$", say = function(left, operator)
    if left:find "[<>=~!]$" or not left:find "[%w_%])]$" then return nil end
    return ("Lua has no %s=: write the variable twice"):format(operator)
  end, whole = function(left, operator, right)
    if right:find "[%s]" and operator ~= "+" and operator ~= "-" then
      right = "(" .. right .. ")"
    end
    return ("%s = %s %s %s"):format(left, left, operator, right)
  end }
add { { "^(" .. PATH .. ")%s*(//)=%s*(.+)$",
  "^(" .. PATH .. ")%s*(%*%*)=%s*(.+)$",
  "^(" .. PATH .. ")%s*(<<)=%s*(.+)$", "^(" .. PATH .. ")%s*(>>)=%s*(.+)$" },
  say = function(_, operator)
    return ("Lua has no %s=: write the variable twice"):format(operator)
  end, whole = function(left, operator, right)
    return ("%s = %s %s %s"):format(left, left,
      operator == "**" and "^" or operator, right)
  end }
add { { "^(" .. PATH .. ")%s*%+%+;?$", "^%+%+(" .. PATH .. ");?$" },
  say = "Lua has no ++", whole = "%1 = %1 + 1" }
add { "^%-%-(" .. PATH .. ")$", say = "-- begins a comment in Lua",
  whole = "%1 = %1 - 1" }
add { "!==", say = "Lua writes ~= for !=", write = "~=" }
add { "!=", say = "Lua writes ~= for !=", write = "~=" }
add { "===", say = "Lua writes == for ===", write = "==" }
add { "<>", say = "Lua writes ~= for <>", write = "~=" }
add { "&&", say = "Lua writes and for &&", write = "and" }
add { "||", say = "Lua writes or for ||", write = "or" }
add { "%*%*", say = "Lua writes ^ for **", write = "^" }
add { "^(.-)=%s*([^=?]-)%s*%?%s*(.-)%s*:%s*(.+)$",
  say = "Lua writes a and b or c for a ? b : c", whole = "%1= %2 and %3 or %4" }
add { "^([^=?]-)%s*%?%s*(.-)%s*:%s*(.+)$",
  say = "Lua writes a and b or c for a ? b : c", whole = "%1 and %2 or %3" }
add { "%?", near = "?", say = "Lua writes a and b or c for a ? b : c" }
add { { "^()!([%a_(])", "([%s(=,])!([%a_(])" }, say = "Lua writes not for !",
  write = function(before_it, after)
    return (type(before_it) == "string" and before_it or "") .. "not " .. after
  end }
add { "^(.-)(%S+)%s+is%s+not%s+None%s*$",
  say = "Lua writes x ~= nil for x is not None",
  whole = "%1%2 ~= nil" }
add { "^(.-)(%S+)%s+is%s+None%s*$", say = "Lua writes x == nil for x is None",
  whole = "%1%2 == nil" }
add { "%f[%w_]is%s+not%f[%W]",
  say = "Lua writes ~= for is not, and nil for None" }
add { "%f[%w_]is%s+%w", say = "Lua writes == for is, and nil for None" }
add { "^(.-=%s*)(.-)%s+if%s+(.-)%s+else%s+(.+)$",
  say = "Lua writes c and a or b for a if c else b",
  whole = "%1%3 and %2 or %4" }
add { "^print%s*%((.-)%s+if%s+(.-)%s+else%s+(.+)%)$",
  say = "Lua writes c and a or b for a if c else b",
  whole = "print(%2 and %1 or %3)" }
add { "^(.-)%s+if%s+(.-)%s+else%s+(.+)$",
  say = "Lua writes c and a or b for a if c else b", whole = "%2 and %1 or %3" }
add { "not%s+in%s", say = "Lua has no in: a table that has the value as its "
  .. "key answers, t[x] == nil" }
add { "^([%w_.]+)%s+in%s+(" .. PATH .. ")$",
  say = "Lua has no in: a table that has the value as its key answers",
  whole = "%2[%1] ~= nil" }
add { "^(" .. PATH .. ")%s*@%s*(" .. PATH .. ")$",
  say = 'matrices are multiplied by cpu.matmul or a kernel, '
    .. 'gpu.kernel "matmul_tiled"',
  whole = "cpu.matmul(%1, %2)" }
add { "^(" .. PATH .. ")%s*=%s*(" .. PATH .. ")%s*@%s*(" .. PATH .. ")$",
  say = 'matrices are multiplied by cpu.matmul or a kernel, '
    .. 'gpu.kernel "matmul_tiled"',
  whole = "%1 = cpu.matmul(%2, %3)" }
add { ":=", say = "Lua assigns with =", write = "=" }
add { "^(" .. NAME .. ")%s*:%s*" .. NAME .. "%s*=%s*(.+)$",
  say = "Lua's variables have no type to write", whole = "%1 = %2" }
add { { "%(([%w_,%s]*)%)%s*=>%s*(.+)$", "(%f[%w_][%w_]+)%s*=>%s*(.+)$" },
  say = "Lua writes function(x) return … end for x => …",
  write = "function(%1) return %2 end" }
add { "^(" .. NAME .. ")%s*=%s*(" .. NAME .. ")%s*=%s*([^=>].*)$",
  say = "Lua assigns one after the other", whole = "%1 = %3; %2 = %1" }
add { "%->", say = "Lua writes . for ->", write = "." }
add { "^if%s+(" .. PATH .. ")%s*=%s*([^=].-)%s+then(.*)$",
  say = "= assigns, == compares", whole = "if %1 == %2 then%3" }

------------------------------------------------------------- lists and slices

add { "%[.-%sfor%s.-%sin%s.-%]",
  say = "Lua has no list comprehensions: a loop fills a table; "
    .. "for a buffer that is a kernel, or b:iota() and b:fill" }
local arrays = { ["np.array"] = true, array = true, tensor = true,
  ["torch.tensor"] = true, ["mx.array"] = true, ["jnp.array"] = true,
  ["gpu.buffer"] = true, ["np.asarray"] = true, ["cp.array"] = true }
add { "([%w_.]+)%s*%(%s*%[([^%[%]]*)%]%s*%)", say = function(name)
    return arrays[name] and "gpu.buffer{…} makes a buffer of values" or nil
  end, write = "gpu.buffer{%2}" }
add { "^(" .. NAME .. ")%s*=%s*%[([^%[%]]*)%]$", say = function(name, values)
    return ("a list is {…} in Lua, counted from 1; memory for kernels is %s = "
      .. "gpu.buffer{%s}"):format(name, values)
  end, whole = "%1 = {%2}" }
add { "^%[([^%[%]]*)%]$", say = "a list is {…} in Lua, counted from 1; "
  .. "memory for kernels is gpu.buffer{…}",
  whole = "{%1}" }
add { "([(,=]%s*)%[%[(.-)%]%]",
  say = "rows are tables in tables, {{1, 2}, {3, 4}}",
  write = "%1{{%2}}" }
add { "([(,=]%s*)%[([^%[%]]*)%]", say = "a list is {…} in Lua, counted from 1; "
  .. "memory for kernels is gpu.buffer{…}",
  write = "%1{%2}" }
add { "^(.-){(%s*" .. STRING .. "%s*:.*)}(.*)$",
  say = "a dictionary is a table in Lua, {name = value}",
  whole = function(front, inside, rest)
    inside = inside:gsub("[\"']([%a_][%w_]*)[\"']%s*:%s*", "%1 = ")
    return ("%s{%s}%s"):format(front, inside, rest)
  end }
add { "^(.-)(" .. PATH .. ")%[%s*(%d+)%s*:%s*(%d+)%s*%](.*)$",
  say = "a part of a buffer is b:view(first, count), without a copy",
  whole = function(front, name, first, last, rest)
    return ("%s%s:view(%s, %d)%s"):format(front, name, first,
      tonumber(last) - tonumber(first), rest)
  end }
add { "^(.-)(" .. PATH .. ")%[%s*:%s*([%w_]+)%s*%](.*)$",
  say = "a part of a buffer is b:view(first, count), without a copy",
  whole = "%1%2:view(0, %3)%4" }
add { "^(.-)(" .. PATH .. ")%[%s*([%w_]+)%s*:%s*%](.*)$",
  say = "a part of a buffer is b:view(first, count), without a copy",
  whole = "%1%2:view(%3)%4" }
add { "(" .. PATH .. ")%[[^%]]*:[^%]]*%]",
  say = "a part of a buffer is b:view(first, count); there are no steps, "
    .. "and no ends counted from the back" }
add { "^(" .. PATH .. ")%[%s*([^%],]+)%s*,%s*([^%],]+)%s*%]%s*=%s*([^=].*)$",
  say = "an element of a matrix is set by b:set(row, column, value)",
  whole = "%1:set(%2, %3, %4)" }
add { "(" .. PATH .. ")%[%s*([^%],]+)%s*,%s*([^%],]+)%s*%]",
  say = "an element of a matrix is b:at(row, column)", write = "%1:at(%2, %3)" }

------------------------------------------------------------------------- calls

add { "gpu%.buffer%s*%((.-),%s*d?type%s*=%s*(" .. STRING .. ")%s*%)",
  say = "the type of a buffer comes first", write = "gpu.buffer(%2, %1)" }
add { "^(.-)(" .. PATH .. ")%s*(%b())(.*)$",
  say = function(front, name, arguments)
    if not has_option(arguments) then return nil end
    return takes_table(front, name)
      and ("options go in braces in Lua, %s{…}"):format(name)
      or "Lua has no named arguments: give the values in their order"
  end, whole = function(front, name, arguments, rest)
    local option = "([%a_][%w_]*)%s*=%s*([^=])"
    if not takes_table(front, name) then
      return front .. name .. arguments:gsub(option, "%2") .. rest
    end
    return ("%s%s{%s}%s"):format(front, name,
      arguments:sub(2, -2):gsub(option, "%1 = %2"), rest)
  end }
add { "(" .. STRING .. ")%.(" .. NAME .. ")%s*%(",
  say = "a method of a string is called by a colon, and a string in the text "
    .. "stands in brackets",
  write = "(%1):%2(" }
add { "(" .. PATH .. ")%s*%(%s*%(([^()]*,[^()]*)%)%s*%)",
  say = "Lua has no tuples: the sizes stand in the call's own brackets",
  write = "%1(%2)" }
add { "::", near = "::", say = "C++ goes inside gpu.kernel [=[ ... ]=]; "
  .. "the prompt speaks Lua" }
add { "^new%s+(" .. PATH .. ")%s*(%b())",
  say = "Lua has no new: a function makes the thing", whole = "%1%2" }
add { "^(.-=%s*)new%s+(" .. PATH .. ")%s*(%b())",
  say = "Lua has no new: a function makes the thing", whole = "%1%2%3" }

------------------------------------------------------------------ C, JavaScript

add { { "^let%s+(" .. NAME .. ".*)$", "^var%s+(" .. NAME .. ".*)$",
  "^const%s+(" .. NAME .. "%s*=.*)$", "^val%s+(" .. NAME .. ".*)$",
  "^dim%s+(" .. NAME .. ".*)$", "^my%s+%$?(" .. NAME .. ".*)$" },
  say = "a variable of Lua is just assigned", whole = "%1" }
add { "^for%s*%(%s*[%a_]*%s*(" .. NAME
  .. ")%s*=%s*([^;]+);%s*[%w_]+%s*<%s*([^;]+);.-%)%s*{?(.-)}?$",
  say = COUNT, whole = function(i, first, n, rest)
    return ("for %s = %s, %s do %s end"):format(i, first, before(n), body(rest))
  end }
add { "^for%s*%(", say = COUNT, whole = "for i = 0, n - 1 do … end" }
add { "else%s+if%f[%W]", say = "Lua writes elseif, in one word",
  write = "elseif" }
add { "^if%s*(%b())%s*{%s*(.-)%s*}?;?$", open = true,
  say = "Lua writes if … then … end, without braces",
  whole = function(condition, rest)
    return ("if %s then %s end"):format(condition:sub(2, -2), body(rest))
  end }
add { "^while%s*(%b())%s*{%s*(.-)%s*}?;?$", open = true,
  say = "Lua writes while … do … end, without braces",
  whole = function(condition, rest)
    return ("while %s do %s end"):format(condition:sub(2, -2), body(rest))
  end }
add { "^function%s+(" .. NAME .. ")%s*(%b())%s*{%s*(.-)%s*}?$",
  say = "Lua writes function name(…) … end, without braces",
  whole = function(name, arguments, rest)
    return ("function %s%s %s end"):format(name, arguments, body(rest))
  end }
add { "^}%s*else", say = "Lua writes else inside if … then … else … end, "
  .. "without braces" }
add { "^}%s*;?$", say = "Lua ends a block with end, not with a brace" }
add { { "^switch%s*%b()%s*{", "^switch%s", "^case%s", "^match%s" }, open = true,
  say = "Lua has no switch: if … then … elseif … then … end, or a table with "
    .. "a function for each value" }
add { "%f[%w_]continue%s", say = "Lua has no continue: put the rest of the "
  .. "loop's body in an if" }
add { { "^()//", "([;%s])//%f[%s]" }, say = "Lua's comments start with --",
  write = function(before_it)
    return (type(before_it) == "string" and before_it or "") .. "--"
  end }
add { "^/%*", say = "Lua's comments are --[[ ... ]]" }
add { "/%*", say = "Lua's comments are --[[ ... ]]" }
add { "^#%s*(.*)$", say = "Lua's comments start with --", whole = "-- %1" }
add { "%s#%s+(.*)$", say = "Lua's comments start with --", write = " -- %1" }
add { "%f[%w_](%d[%d_]*_%d+)", error = "malformed number",
  say = "a number in Lua has no underscores: 1e6 is a million",
  write = function(number) return (number:gsub("_", "")) end }
add { "%f[%w_]0[bB]([01]+)", error = "malformed number",
  say = "Lua has no binary numbers: tonumber(\"101\", 2), or 0x5",
  write = function(bits) return ("0x%x"):format(tonumber(bits, 2)) end }
add { "%f[%w_]([%d.]+)[fFuUlLhH]+%f[^%w_]", error = "malformed number",
  say = "a number in Lua has no letter after it", write = "%1" }
add { "`", near = "`", say = "Lua's strings stand in \"…\", '…' or [[…]]" }
add { "%$", near = "$", say = "a name in Lua has no $", write = "" }

---------------------------------------------------------- what is left of Lua

add { "", error = "unfinished string",
  say = "a string has no closing quote on this line" }
add { "^(.*)$", near = ")", say = function(line)
    local _, opened = line:gsub("%(", "")
    local _, closed = line:gsub("%)", "")
    return closed > opened and "there is one ) too many" or nil
  end }
add { "%b()", error = "'%)' expected near '[%w_\"']",
  say = "between two values stands a comma, or .. to join them" }
add { "", error = "<eof> expected near 'end'",
  say = "there is one end too many" }
add { "^if%f[%W]", error = "'then' expected near '='",
  say = "= assigns, == compares" }
add { "", error = "'then' expected near", say = "the condition of an if ends "
  .. "with then: if x > 0 then … end" }
add { "^while%f[%W]", error = "'do' expected near", say = "the condition of a "
  .. "while ends with do: while x > 0 do … end" }
add { "^for%f[%W]", error = "'do' expected near",
  say = "a for has do before its body: for i = 1, 3 do … end" }
add { "^(" .. NAME .. ")%s+(" .. NAME .. ")%s*$", error = "syntax error near",
  say = function(first, second)
    if type(_G[first]) == "userdata" then
      return ("a launch is a table, %s{%s, grid = n}"):format(first, second)
    end
    return type(_G[first]) == "function"
      and ("%s is a function: its arguments stand in brackets, %s(%s)"):format(
        first, first, second) or nil
  end, whole = function(first, second)
    return type(_G[first]) == "function" and ("%s(%s)"):format(first, second)
      or nil
  end }
add { "^(" .. PATH .. "):(" .. NAME .. ")$", open = true,
  say = "a method is called with brackets", whole = "%1:%2()" }

return rows
