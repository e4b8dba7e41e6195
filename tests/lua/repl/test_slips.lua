-- test_slips.lua - lua/slips/slips.lua, lua/slips/, repl/lua/slips.c: what
-- people type who come from elsewhere, as lines at the console, each with the
-- sentence that it gets, and the corrected line where one can be made.
--
-- Guards: lua/slips/slips.lua, lua/slips/, repl/lua/slips.c: two hundred lines
-- as people type them who come from Python, C or CUDA, each with its sentence
-- and the corrected line; valid Lua is left alone; lua/slips/{names, notes,
-- syntax}.lua
local t = dofile "tests/tap.lua"
t.compiler "slips"

local program = os.getenv "METTLE" or "build/mettle"

-- { typed, sentence, corrected line }
local rows = {
  { "twice(y, grid=1000)",
    "options go in braces in Lua, twice{…}",
    "twice{y, grid = 1000}" },
  { "twice(y, 1000)",
    "a launch is a table, k{a, b, grid = n}: grid says how many threads",
    "twice{y, grid = 1000}" },
  { "twice y",
    "a launch is a table, twice{y, grid = n}" },
  { "twice[1000](y)",
    "a launch is a table here: grid says how many threads",
    "twice{y, grid = 1000}" },
  { "twice<<<4, 64>>>(y)",
    "a launch is a table here: groups, or grid for the threads, and group say how many",
    "twice{y, groups = 4, group = 64}" },
  { "sweep(twice, y, grid=10)",
    "options go in braces in Lua, sweep{…}",
    "sweep{twice, y, grid = 10}" },
  { "x.sum()",
    "a method is called by a colon in Lua, x:sum(…)",
    "x:sum()" },
  { "x.fill(3)",
    "a method is called by a colon in Lua, x:fill(…)",
    "x:fill(3)" },
  { "x:sum",
    "a method is called with brackets",
    "x:sum()" },
  { "x:random(seed=3)",
    "Lua has no named arguments: give the values in their order",
    "x:random(3)" },
  { 'gpu.buffer(10, dtype="half")',
    "the type of a buffer comes first",
    'gpu.buffer("half", 10)' },
  { "range(10)",
    "Lua counts in the loop itself: for i = 0, 9 do … end; gpu.buffer(10):iota() is 0 to 9 as a buffer",
    "gpu.buffer(10):iota()" },
  { "len(x)",
    "the length is written # in Lua",
    "#x" },
  { "str(3)",
    "Lua's is called tostring",
    "tostring(3)" },
  { "int(3.5)",
    "math.floor rounds down, tonumber reads a number from a string",
    "math.floor(3.5)" },
  { 'float("3")',
    "tonumber reads a number from a string; Lua's numbers are doubles already",
    'tonumber("3")' },
  { "sum(x)",
    "a buffer adds itself up, b:sum()",
    "x:sum()" },
  { "max(x)",
    "a buffer's greatest is b:max(); of numbers it is math.max",
    "x:max()" },
  { "list(x)",
    "a list is a table, {1, 2, 3}; b:table() makes one of a buffer" },
  { "sorted(t)",
    "table.sort(t) sorts a table in place; cpu.sort sorts a buffer" },
  { "enumerate(t)",
    "for i, x in ipairs(t) do … end counts a list, from 1" },
  { "zip(t, t)",
    "for i = 1, #a do … a[i], b[i] … end goes through two lists" },
  { "isinstance(x, int)",
    'type(x) names the type: "number", "table", "userdata" for a buffer' },
  { 'input("n? ")',
    "io.read() reads a line",
    "io.read()" },
  { 'open("f")',
    "io.open(name) opens a file; gpu.load reads arrays and pictures" },
  { "sqrt(2)",
    "mathematics is in math",
    "math.sqrt(2)" },
  { "pow(2, 3)",
    "Lua writes x^y",
    "(2)^(3)" },
  { "round(2.5)",
    "math.floor(x + 0.5) rounds",
    "math.floor(2.5 + 0.5)" },
  { "zeros(3)",
    "gpu.buffer(n) is zeros, gpu.buffer(rows, columns) a matrix",
    "gpu.buffer(3)" },
  { "arange(10)",
    "gpu.buffer(n):iota() is 0, 1, 2 …",
    "gpu.buffer(10):iota()" },
  { "array([1,2,3])",
    "gpu.buffer{…} makes a buffer of values",
    "gpu.buffer{1,2,3}" },
  { "matmul(x, y)",
    'matmul: here it is cpu.matmul(a, b); gpu.kernel "matmul_tiled"; numpy "matmul" has an example' },
  { "relu(x)",
    'relu: here it is max(0.0f, x); cpu.relu; numpy "relu" has an example' },
  { "buffer(10)",
    "buffers are made by gpu.buffer",
    "gpu.buffer(10)" },
  { "print x",
    "print is a function in Lua",
    "print(x)" },
  { 'print "a" if n else "b"',
    "print is a function in Lua" },
  { 'print(x, end="")',
    "io.write prints without a newline",
    "io.write(x)" },
  { 'print("a" n)',
    "between two values stands a comma, or .. to join them" },
  { "print(1))",
    "there is one ) too many" },
  { 'print("hello)',
    "a string has no closing quote on this line" },
  { "print(“hi”)",
    [=[these are a page's curly quotes: Lua's are straight, " or ']=],
    'print("hi")' },
  { "help me",
    'help() lists the topics, help "sweep" explains one',
    "help()" },
  { "help sweep",
    'a word stands in quotes: help "sweep"',
    'help "sweep"' },
  { "glossary thread",
    'a word stands in quotes: glossary "thread"',
    'glossary "thread"' },
  { "cuda blockIdx",
    'a word stands in quotes: cuda "blockIdx"',
    'cuda "blockIdx"' },
  { "man sweep",
    "help explains a function or a word",
    'help "sweep"' },
  { "x?",
    "help explains a function or a word",
    'help "x"' },
  { "?",
    "help() lists the topics",
    "help()" },
  { ":q",
    "exit leaves, and so does Ctrl-D",
    "exit" },
  { "import torch",
    'nothing is imported here: torch "relu" says what a word of it is here; gpu.buffer(1000) makes memory' },
  { "import numpy as np",
    [=[nothing is imported here: numpy "sum" says what a word of Python's libraries is here; gpu.buffer(1000) makes memory]=] },
  { "import os",
    "nothing has to be imported: gpu, cpu and the functions that help() lists are here; a file of yours by require or dofile" },
  { "from torch import nn",
    'nothing is imported here: torch "relu" says what a word of it is here; gpu.buffer(1000) makes memory' },
  { "torch.randn(3)",
    'torch.randn: here it is gpu.buffer(n):normal(seed); torch "randn" has an example' },
  { "np.array([1, 2])",
    "gpu.buffer{…} makes a buffer of values",
    "gpu.buffer{1, 2}" },
  { "np.zeros(3)",
    'np.zeros: here it is gpu.buffer(n), gpu.buffer("half", rows, columns); numpy "zeros" has an example' },
  { "np.zeros((3, 3))",
    "Lua has no tuples: the sizes stand in the call's own brackets",
    "np.zeros(3, 3)" },
  { "jnp.cumsum(x)",
    'jnp.cumsum: here it is cpu.scan(a); gpu.kernel "scan"; numpy "cumsum" has an example' },
  { "tf.constant(3)",
    "tf is not part of Mettle: numpy() lists what its words are here" },
  { "plt.plot(x)",
    'plot draws in the terminal: plot(values); p:save "x.svg" writes a file' },
  { "time.time()",
    "os.clock() gives seconds of processor time; compare{…} times kernels",
    "os.clock()" },
  { "gpu.zeros(3)",
    "here it is gpu.buffer" },
  { "gpu.buffer[10]",
    "a function is called with round brackets",
    "gpu.buffer(10)" },
  { "gpu.buffer{1000, 1000}",
    "this buffer has two elements, the values 1000 and 1000; a matrix of 1000 rows and 1000 columns is gpu.buffer(1000, 1000)" },
  { "x[0:5]",
    "a part of a buffer is b:view(first, count), without a copy",
    "x:view(0, 5)" },
  { "x[:5]",
    "a part of a buffer is b:view(first, count), without a copy",
    "x:view(0, 5)" },
  { "x[2:]",
    "a part of a buffer is b:view(first, count), without a copy",
    "x:view(2)" },
  { "x[::2]",
    "a part of a buffer is b:view(first, count); there are no steps, and no ends counted from the back" },
  { "m[1, 2]",
    "an element of a matrix is b:at(row, column)",
    "m:at(1, 2)" },
  { "m[1, 2] = 3",
    "an element of a matrix is set by b:set(row, column, value)",
    "m:set(1, 2, 3)" },
  { "x(0)",
    "an element of a buffer is b[i], from 0; of a matrix b:at(row, column)",
    "x[0]" },
  { "m(1, 2)",
    "an element of a buffer is b[i], from 0; of a matrix b:at(row, column)",
    "m:at(1, 2)" },
  { "x.size",
    "#b is the number of elements, b.bytes the size in memory, b.shape the rows and columns",
    "#x" },
  { "x.dtype",
    "b.type is the name of the type",
    "x.type" },
  { "x.ndim",
    "#b.shape is the number of dimensions",
    "#x.shape" },
  { "m.T",
    'cpu.transpose(b) turns a matrix, or gpu.kernel "transpose_tiled"',
    "cpu.transpose(m)" },
  { "x.numpy()",
    'nothing has to be copied: b[0] reads an element, b:table() makes a table, b:save "b.npy" a file for NumPy' },
  { "x.cpu()",
    "Lua reads the same memory: nothing has to be copied back" },
  { 'x.to("cuda")',
    'a launch takes a buffer to its device; gpu.use "cuda" chooses the device, gpu.buffer("half", b:table()) another type' },
  { "x.item()",
    "b[0] is the first element",
    "x[0]" },
  { "x.tolist()",
    "b:table() makes a table",
    "x:table()" },
  { 'x.astype("half")',
    'gpu.buffer("half", b:table()) makes a copy of another type' },
  { "x.length",
    "#b is the number of elements",
    "#x" },
  { "x.append(3)",
    "a buffer keeps its size: make another with gpu.buffer(n)" },
  { "x % 2",
    'Lua does no arithmetic on whole buffers: that is what kernels are for, or cpu.add(a, b) and its like; help "python" and help "cpu" say more' },
  { "x < 3",
    "whole buffers are not compared: a:equals(b) says where two differ; element by element is a kernel" },
  { 'x .. "a"',
    "tostring(b) is the text of a buffer; .. joins strings and numbers" },
  { "for v in x do print(v) end",
    "a loop over a buffer counts its elements, from 0",
    "for i = 0, #x - 1 do local v = x[i] print(v) end" },
  { "for i = 1, x do end",
    "the last index is a number: for i = 0, #b - 1 do … end" },
  { "n += 1",
    "Lua has no +=: write the variable twice",
    "n = n + 1" },
  { "n -= 1",
    "Lua has no -=: write the variable twice",
    "n = n - 1" },
  { "n *= 2 + 3",
    "Lua has no *=: write the variable twice",
    "n = n * (2 + 3)" },
  { "n /= 2",
    "Lua has no /=: write the variable twice",
    "n = n / 2" },
  { "n //= 2",
    "Lua has no //=: write the variable twice",
    "n = n // 2" },
  { "n **= 2",
    "Lua has no **=: write the variable twice",
    "n = n ^ 2" },
  { "n++",
    "Lua has no ++",
    "n = n + 1" },
  { "++n",
    "Lua has no ++",
    "n = n + 1" },
  { "n--",
    "in Lua -- begins a comment, so n is as it was: write n = n - 1" },
  { "n != 3",
    "Lua writes ~= for !=",
    "n ~= 3" },
  { "n <> 3",
    "Lua writes ~= for <>",
    "n ~= 3" },
  { "n === 3",
    "Lua writes == for ===",
    "n == 3" },
  { "n && t",
    "Lua writes and for &&",
    "n and t" },
  { "n || t",
    "Lua writes or for ||",
    "n or t" },
  { "!n",
    "Lua writes not for !",
    "not n" },
  { "if !n then print(1) end",
    "Lua writes not for !",
    "if not n then print(1) end" },
  { "2 ** 3",
    "Lua writes ^ for **",
    "2 ^ 3" },
  { "n > 2 ? 1 : 0",
    "Lua writes a and b or c for a ? b : c",
    "n > 2 and 1 or 0" },
  { "q = n > 2 ? 1 : 0",
    "Lua writes a and b or c for a ? b : c",
    "q = n > 2 and 1 or 0" },
  { "1 if n > 2 else 0",
    "Lua writes c and a or b for a if c else b",
    "n > 2 and 1 or 0" },
  { "q = 1 if n > 2 else 0",
    "Lua writes c and a or b for a if c else b",
    "q = n > 2 and 1 or 0" },
  { "n is None",
    "Lua writes x == nil for x is None",
    "n == nil" },
  { "n is not None",
    "Lua writes x ~= nil for x is not None",
    "n ~= nil" },
  { "n in t",
    "Lua has no in: a table that has the value as its key answers",
    "t[n] ~= nil" },
  { "3 in t",
    "Lua has no in: a table that has the value as its key answers",
    "t[3] ~= nil" },
  { "x @ y",
    'matrices are multiplied by cpu.matmul or a kernel, gpu.kernel "matmul_tiled"',
    "cpu.matmul(x, y)" },
  { "0 < n < 5",
    "Lua compares two at a time",
    "0 < n and n < 5" },
  { '"a" + "b"',
    "Lua joins strings with ..",
    '"a" .. "b"' },
  { '"n is " + n',
    "Lua joins strings with ..",
    '"n is " .. n' },
  { '"abc".upper()',
    "a method of a string is called by a colon, and a string in the text stands in brackets",
    '("abc"):upper()' },
  { 'print(f"n is {n}")',
    'Lua has no f-strings: ("x is %g"):format(x), or "x is " .. x',
    'print(("n is %s"):format(n))' },
  { 'print(f"{n:.2f} and {t}")',
    'Lua has no f-strings: ("x is %g"):format(x), or "x is " .. x',
    'print(("%.2f and %s"):format(n, t))' },
  { "n := 3",
    "Lua assigns with =",
    "n = 3" },
  { "n: int = 3",
    "Lua's variables have no type to write",
    "n = 3" },
  { "a = b = 3",
    "Lua assigns one after the other",
    "a = 3; b = a" },
  { "p->x",
    "Lua writes . for ->",
    "p.x" },
  { "if n = 1 then print(1) end",
    "= assigns, == compares",
    "if n == 1 then print(1) end" },
  { "if n == 1 print(1) end",
    "the condition of an if ends with then: if x > 0 then … end" },
  { "def f(x):",
    "Lua writes function name(…) … end",
    "function f(x) … end" },
  { "def f(x): return x + 1",
    "Lua writes function name(…) … end",
    "function f(x) return x + 1 end" },
  { "f = lambda x: x + 1",
    "Lua writes function(x) return … end for lambda x: …",
    "f = function(x) return x + 1 end" },
  { "for i in range(10):",
    "Lua counts with for i = first, last do … end, the last included",
    "for i = 0, 9 do … end" },
  { "for i in range(3): print(i)",
    "Lua counts with for i = first, last do … end, the last included",
    "for i = 0, 2 do print(i) end" },
  { "for i in range(2, n):",
    "Lua counts with for i = first, last do … end, the last included",
    "for i = 2, n - 1 do … end" },
  { "for i in range(0, 10, 2):",
    "Lua counts with for i = first, last do … end, the last included; a third number is the step",
    "for i = 0, 9, 2 do … end" },
  { "for i in range(len(x)):",
    "Lua counts with for i = first, last do … end, the last included",
    "for i = 0, #x - 1 do … end" },
  { "for v in t:",
    "Lua goes through a list with ipairs; a buffer b by for i = 0, #b - 1 do … end",
    "for _, v in ipairs(t) do … end" },
  { "for i, v in enumerate(t):",
    "Lua goes through a list with ipairs, and counts it from 1",
    "for i, v in ipairs(t) do … end" },
  { "for k, v in t.items():",
    "Lua goes through a table with pairs",
    "for k, v in pairs(t) do … end" },
  { "while n < 3:",
    "Lua writes while … do … end",
    "while n < 3 do … end" },
  { "if n == 1:",
    "Lua writes if … then … end",
    "if n == 1 then … end" },
  { "if n == 1: print(n)",
    "Lua writes if … then … end",
    "if n == 1 then print(n) end" },
  { "elif n == 2:",
    "Lua writes elseif … then, inside if … end" },
  { "else:",
    "Lua writes else without a colon, inside if … then … else … end" },
  { "class Foo:",
    "Lua has no class: a table holds what belongs together",
    "Foo = {}" },
  { "try:",
    "Lua has no try: pcall(f, …) gives true and the results, or false and the message",
    "ok, why = pcall(function() … end)" },
  { 'with open("f") as g:',
    "Lua has no with: assign what is needed; memory goes back by itself",
    'g = io.open("f")' },
  { 'raise ValueError("x")',
    'Lua raises an error with error "…"',
    'error "…"' },
  { "del q",
    "Lua forgets a variable when it is set to nil; b:free() gives a buffer's memory back",
    "q = nil" },
  { "global q",
    "in Lua a variable is global unless it says local: leave the line out" },
  { 'assert n == 3, "no"',
    "assert is a function in Lua",
    'assert(n == 3, "no")' },
  { "@jit",
    "Lua has no decorators: wrap the function yourself, f = g(f)" },
  { "async def f():",
    "Lua writes function name(…) … end" },
  { "b = True",
    "true and false are written small in Lua; with a capital it is a variable without a value, nil" },
  { "None",
    "None is a variable without a value here: Lua writes nil" },
  { "b = null",
    "null is a variable without a value here: Lua writes nil" },
  { "True",
    "true and false are written small in Lua; with a capital it is a variable without a value, nil" },
  { "if x == None then print(1) end",
    "None is a variable without a value here: Lua writes nil" },
  { "y2 = [1, 2, 3]",
    "a list is {…} in Lua, counted from 1; memory for kernels is y2 = gpu.buffer{1, 2, 3}",
    "y2 = {1, 2, 3}" },
  { "[1, 2, 3]",
    "a list is {…} in Lua, counted from 1; memory for kernels is gpu.buffer{…}",
    "{1, 2, 3}" },
  { "[i for i in range(3)]",
    "Lua has no list comprehensions: a loop fills a table; for a buffer that is a kernel, or b:iota() and b:fill" },
  { 'd = {"a": 1}',
    "a dictionary is a table in Lua, {name = value}",
    "d = {a = 1}" },
  { "t[0]",
    "Lua's lists count from 1: the first is t[1]; buffers count from 0" },
  { "x.shape[0]",
    "Lua's lists count from 1: the first is x.shape[1]; buffers count from 0" },
  { "print(t)",
    "print gives where a table is; show(t), or t alone, what it holds" },
  { "# a comment",
    "Lua's comments start with --",
    "-- a comment" },
  { "# comment",
    "Lua's comments start with --",
    "-- comment" },
  { "n = 3  # three",
    "Lua's comments start with --",
    "n = 3  -- three" },
  { "// a comment",
    "Lua's comments start with --",
    "-- a comment" },
  { "/* a comment */",
    "Lua's comments are --[[ ... ]]" },
  { "let q = 3",
    "a variable of Lua is just assigned",
    "q = 3" },
  { "var q = 3",
    "a variable of Lua is just assigned",
    "q = 3" },
  { "const q = 3",
    "a variable of Lua is just assigned",
    "q = 3" },
  { "int q = 3;",
    "this is C or MSL, and the prompt speaks Lua: a variable is just x = 3, and MSL goes inside gpu.kernel [=[ ... ]=]" },
  { "float4 v = float4(0);",
    "this is C or MSL, and the prompt speaks Lua: a variable is just x = 3, and MSL goes inside gpu.kernel [=[ ... ]=]" },
  { "for (int i = 0; i < 10; i++) print(i)",
    "Lua counts with for i = first, last do … end, the last included",
    "for i = 0, 9 do print(i) end" },
  { "for (let i = 0; i < 10; i++) { print(i) }",
    "Lua counts with for i = first, last do … end, the last included",
    "for i = 0, 9 do print(i) end" },
  { "if (n == 1) { print(n) }",
    "Lua writes if … then … end, without braces",
    "if n == 1 then print(n) end" },
  { "while (n < 3) {",
    "Lua writes while … do … end, without braces",
    "while n < 3 do … end" },
  { "function f(x) { return x }",
    "Lua writes function name(…) … end, without braces",
    "function f(x) return x end" },
  { "(x) => x + 1",
    "Lua writes function(x) return … end for x => …",
    "function(x) return x + 1 end" },
  { "f = x => x + 1",
    "Lua writes function(x) return … end for x => …",
    "f = function(x) return x + 1 end" },
  { "switch (n) {",
    "Lua has no switch: if … then … elseif … then … end, or a table with a function for each value" },
  { "} else {",
    "Lua writes else inside if … then … else … end, without braces" },
  { [=[printf("%d\n", 3)]=],
    'print(…) prints, ("%d"):format(x) formats',
    [=[print(string.format("%d\n", 3))]=] },
  { "console.log(3)",
    "print(…) prints in Lua",
    "print(3)" },
  { "Math.sqrt(2)",
    "Lua's library is math, in lower case",
    "math.sqrt(2)" },
  { 'puts "x"',
    "print(…) prints in Lua",
    'print "x"' },
  { "std::vector<float> v",
    "C++ goes inside gpu.kernel [=[ ... ]=]; the prompt speaks Lua" },
  { "new Foo()",
    "Lua has no new: a function makes the thing",
    "Foo()" },
  { "10_000",
    "a number in Lua has no underscores: 1e6 is a million",
    "10000" },
  { "0b101",
    'Lua has no binary numbers: tonumber("101", 2), or 0x5',
    "0x5" },
  { "3.0f",
    "a number in Lua has no letter after it",
    "3.0" },
  { "kernel void f() {}",
    "this is MSL, not Lua: put it in k = gpu.kernel [=[ ... ]=]" },
  { "#include <metal_stdlib>",
    "this is MSL, not Lua: put it in k = gpu.kernel [=[ ... ]=]" },
  { "__global__ void f() {}",
    'this is CUDA: in Metal a kernel is written kernel void …, inside gpu.kernel [=[ ... ]=]; cuda "__global__" has an example' },
  { "cudaMalloc(&p, 100)",
    'cudaMalloc is CUDA: here it is gpu.buffer(n); cuda "cudaMalloc" has an example' },
  { "cudaMalloc(100)",
    'cudaMalloc is CUDA: here it is gpu.buffer(n); cuda "cudaMalloc" has an example' },
  { "threadIdx.x",
    'threadIdx is CUDA: here it is uint3 t [[thread_position_in_threadgroup]]; cuda "threadIdx" has an example' },
  { "__syncthreads()",
    '__syncthreads is CUDA: here it is threadgroup_barrier(mem_flags::mem_threadgroup); cuda "__syncthreads" has an example' },
  { "malloc(100)",
    "gpu.buffer(n) makes memory for n floats; it goes back by itself",
    "gpu.buffer(100)" },
  { "free(x)",
    "b:free() gives a buffer's memory back at once; by itself it goes back later",
    "x:free()" },
  { "synchronize()",
    "a launch k{…} has finished when it returns: nothing is left to wait for" },
  { "%timeit x:sum()",
    "compare{k, …, grid = n} times a kernel with warm-up and medians, sweep{…} over sizes; result.time of r = k{…} is one run" },
  { "%matplotlib inline",
    "Jupyter's % commands are not Lua; in a notebook with Mettle's kernel %%msl and %%task are there" },
  { "!ls",
    [=[ls is the shell's: use another window, or leave with Ctrl-D; os.execute "…" runs one command]=] },
  { "ls -l",
    "ls is the shell's: use another window, or leave with Ctrl-D" },
  { "ls",
    "ls is the shell's: use another window, or leave with Ctrl-D" },
  { "cd ..",
    [=[cd is the shell's: use another window, or leave with Ctrl-D; os.execute "…" runs one command]=] },
  { "pip install numpy",
    [=[pip is the shell's: use another window, or leave with Ctrl-D; os.execute "…" runs one command]=] },
  { "mettle doctor",
    "this is Mettle already: `mettle doctor` is for the shell; leave with Ctrl-D" },
  { "mettle lesson 4",
    "this is Mettle already: here it is lesson(4)" },
  { ">>> print(1)",
    "the prompt itself was copied, too: leave it out",
    "print(1)" },
  { "lesons",
    "nothing is called lesons; did you mean lessons?" },
  { "clear",
    "Ctrl-L clears the screen" },
  { "q",
    "exit leaves, and so does Ctrl-D" },
  { "nothing_here + 1",
    "nothing_here has no value: nothing of that name was defined" },
  { "prnt(1)",
    "prnt has no value: nothing of that name was defined; did you mean print?" },
}

---------------------------------------------------------------- the console

local setup = [==[
x = gpu.buffer(1000):iota() y = gpu.buffer(1000) m = gpu.buffer(4, 4) n = 3 t = {1, 2} twice = gpu.kernel [=[ kernel void twice(device float *a [[buffer(0)]], uint i [[thread_position_in_grid]]) { a[i] *= 2; } ]=]
]==]

-- All lines in one session; what it says after each, as lists of lines.
local function session(typed)
  local name = os.tmpname()
  local file = assert(io.open(name, "w"))
  file:write(setup)
  for i, line in ipairs(typed) do
    -- the semicolon ends what waits for more
    file:write(("print '@@%d' io.stdout:flush()\n%s\n;\n"):format(i, line))
  end
  file:write "print '@@end'\n"
  file:close()
  local pipe = assert(io.popen(("'%s' -i <'%s' 2>&1"):format(program, name)))
  local said, at = {}, nil
  for line in pipe:lines() do
    local number = line:match "^@@(%w+)$"
    if number then
      at = {}
      said[tonumber(number) or number] = at
    elseif at then at[#at + 1] = line end
  end
  pipe:close()
  t.ok(said["end"], "the session came to its end")
  return said
end

local typed = {}
for i, row in ipairs(rows) do typed[i] = row[1] end
local said

t.test("the session comes to its end", function() said = session(typed) end)

for i, row in ipairs(rows) do
  t.test(row[1], function()
    local text = "\n" .. table.concat(said and said[i] or {}, "\n") .. "\n"
    t.ok(text:find("\n" .. row[2] .. "\n", 1, true)
      or text:find("\n-- " .. row[2] .. "\n", 1, true), text)
    if row[3] then t.has(text, "\n  write: " .. row[3] .. "\n")
    else t.ok(not text:find "\n  write: ", text) end
    for _, raw in ipairs { "attempt to", "expected near", "near '", "console:",
      "bad argument" } do
      t.ok(not text:find(raw, 1, true), "Lua's own words: " .. text)
    end
  end)
end

t.test("two hundred slips and more", function() t.ok(#rows >= 200, #rows) end)

------------------------------------------------------------------ valid Lua

local slips = require "lua.slips.slips"

-- The examples of the help and of the lessons.
local function examples()
  local system = require "mettle.system"
  local list = {}
  local function add(path)
    local file = io.open(path)
    if not file then return end
    for code in file:read "a":gmatch "\n```lua\n(.-)\n```" do
      list[#list + 1] = { path, code }
    end
    file:close()
  end
  for _, name in ipairs(system.list "lua/reference/help") do
    add("lua/reference/help/" .. name)
  end
  for _, name in ipairs(system.list "lessons") do
    add("lessons/" .. name .. "/lesson.md")
  end
  return list
end

t.test("valid code gets no note", function()
  local count = 0
  for _, each in ipairs(examples()) do
    for line in each[2]:gmatch "[^\n]+" do
      -- a variable alone has its value where the example runs
      local valid = load(line, "=", "t") or load("return " .. line, "=", "t")
      if valid and not line:find "^%s*[%w_]+%s*$" then
        count = count + 1
        local note, name = slips.note(line)
        t.ok(not note or name, ("%s: %s: %s"):format(each[1], line,
          tostring(note)))
      end
    end
  end
  t.ok(count > 500, count)
end)

t.test("a value that is there is never explained away", function()
  _G.True, _G.range = 5, function(n) return n end
  t.equal(slips.note "x = True", nil)
  t.equal(slips.note "True", nil)
  _G.True, _G.range = nil, nil
end)

-- What Lua refuses is looked for outside strings, on the line that it names.
t.test("strings and other lines are left alone", function()
  local function say(text, line)
    return (slips.syntax(text, line, "=:1: syntax error near 'x'", false))
  end
  t.equal(say("x = '!=' y", 1), nil)
  t.equal(say("x = y -- a && b", 1), nil)
  t.equal(say("x = 1\nif a && b then", 1), nil)
  t.has(say("x = 1\nif a && b then", 2), "and for &&")
  t.has(say("k = [=[\n a != b\n]=] x = !x", 3), "not for !")
  t.equal(say("k = [=[\n a != b\n", 2), nil)
end)

t.test("MSL is told from Lua by how it begins", function()
  local function msl(text)
    local _, _, is_msl = slips.syntax(text, 1, "", true)
    return is_msl == true
  end
  for _, text in ipairs { "\n  kernel void f()", "struct P { float x; };",
    "int x = 3", "float4 *v;", "  const float pi = 3.14f;",
    "#include <metal_stdlib>", "using namespace metal;" } do
    t.ok(msl(text), text)
  end
  for _, text in ipairs { "kernel = 1", "device = {", "struct", "", "int = 3",
    "integer x", "float(x) y", "half", "const = {" } do
    t.ok(not msl(text), text)
  end
end)

t.test("what is unfinished and right waits for more", function()
  for _, text in ipairs { "for i = 1, 3 do", "function f(x)", "if x then",
    "x = {", "k = gpu.kernel [=[", "while x do", "for k, v in pairs(t)",
    "repeat", "f(1,", "x = y +", "if x", "t = { a = 1," } do
    t.equal(slips.syntax(text, 0, "", true), nil)
  end
end)

t.test("a file's slip has its place", function()
  local name = os.tmpname()
  local file = assert(io.open(name, "w"))
  file:write "x = 1\nif x != 2 then print(x) end\n"
  file:close()
  local pipe = io.popen(("'%s' '%s' 2>&1"):format(program, name))
  local words = pipe:read "a"
  pipe:close()
  t.has(words, name .. ":2: Lua writes ~= for !=")
  t.has(words, "2 | if x != 2 then")
  t.has(words, "write: if x ~= 2 then print(x) end")
end)

t.done()
