-- test_include.lua - headers of the person's own: found where they should be,
-- read once where they say so, and named in messages. On Metal they are put
-- into the text by devices/metal/include.c, on the host Clang finds them
-- itself.
--
-- Guards: headers of the person's own, on the host and as
-- devices/metal/include.c puts them in place; msl/includes.c,
-- base/files/include_policy.c: files that may not be included, pipes, #line,
-- #embed, __has_include; headers beside a source elsewhere
local t = dofile "tests/tap.lua"

local folder = os.tmpname()
os.remove(folder)
os.execute("mkdir -p '" .. folder .. "/more/deep'")

local function write(name, text)
  local f = assert(io.open(folder .. "/" .. name, "w"))
  f:write(text)
  f:close()
  return folder .. "/" .. name
end

-- The value that a kernel with 'body' writes; options as for gpu.kernel.
local function value(head, expression, options)
  local source = head .. "\nkernel void f(device int *out [[buffer(0)]]) { out[0] = " .. expression .. "; }\n"
  local out = gpu.buffer("int", 1)
  gpu.kernel(source, options or {include = {folder}}){out, grid = 1}
  return out[0]
end

local function message(source, options)
  local ok, said = pcall(gpu.kernel, source, options or {include = {folder}})
  t.ok(not ok, "it must not compile")
  return tostring(said)
end

write("plain.h", "constant int plain = 7;\n")
write("once.h", "// says it once\n#pragma once\n#include \"more/inner.h\"\nconstant int once = inner + 1;\n")
write("more/inner.h", "#ifndef INNER_H\n#define INNER_H\n#include \"deep/deepest.h\"\nconstant int inner = deepest * 10;\n#endif\n")
write("more/deep/deepest.h", "#ifndef DEEPEST\n#define DEEPEST\nconstant int deepest = 4;\n#include \"../inner.h\"\n#endif /* ends */\n")
write("add.inc", "total += STEP;\n")
write("no_newline.h", "#define LAST 9")
write("wrong.h", "constant int a = 1;\n\nconstant int b = nowhere;\n")
write("comment.h", "constant int c = 3;\n")

t.test("from a folder that is given", function()
  t.equal(value('#include "plain.h"', "plain"), 7)
  t.equal(value('#include <plain.h>', "plain"), 7)
  t.equal(value('  #  include   "plain.h"  // with a comment', "plain"), 7)
  t.equal(value('#include "no_newline.h"', "LAST"), 9)
  t.equal(value('/* #include "nothing.h" */\n#include "plain.h"', "plain"), 7)
end)

t.test("not by the folder of Metal's own headers", function()
  write("words.txt", "hunter2 is no C\n")
  local up = ("../"):rep(24) .. folder:sub(2) .. "/words.txt"
  for _, head in ipairs { "#include <%s>", "#define F <%s>\n#include F",
    "#include <metal/%s>", "#include_next <%s>" } do
    local said = message(head:format(up) .. "\nkernel void f() {}", {})
    t.ok(not said:find "hunter2", said)
  end
end)

t.test("the names of defines are names", function()
  local twice = { ["TWICE(x)"] = "(2 * (x))" }
  t.equal(value("", "TWICE(3)", { defines = twice }), 6)
  if gpu.device.name ~= "host" then return end
  for _, name in ipairs { "", "-include", "@x", "A B", "A\n#include", "1A",
    "A(", "A(x)y", "--config" } do
    local said = message("kernel void f() {}", { include = { "" },
      defines = { [name] = folder .. "/plain.h" } })
    t.ok(said:find("cannot be the name of a define", 1, true), said)
  end
  t.equal(value("", "3", { include = { "" }, defines = { A = 1 } }), 3)
end)

t.test("beside the file that asks", function()
  local main = write("main.metal", '#include <metal_stdlib>\n#include "once.h"\n#include "once.h"\nkernel void f(device int *out [[buffer(0)]]) { out[0] = once; }\n')
  local out = gpu.buffer("int", 1)
  gpu.kernel(main){out, grid = 1}
  t.equal(out[0], 41)
end)

t.test("once, and each other, and again and again", function()
  t.equal(value('#include "once.h"\n#include "more/inner.h"\n#include "once.h"', "once + inner"), 81)
  t.equal(value('#if 0\n#include "once.h"\n#include "more/inner.h"\n#endif\n#include "once.h"\n#include "more/inner.h"', "once"), 41)
  t.equal(value("static int sum() { int total = 0;\n#define STEP 2\n#include \"add.inc\"\n#include \"add.inc\"\nreturn total; }", "sum()"), 4)
end)

t.test("what is not asked for need not be there", function()
  t.equal(value('#ifdef NEVER\n#include "nothing.h"\n#endif\n#include "plain.h"', "plain"), 7)
  t.equal(value('#include "comment.h" /* that\n goes on */', "c"), 3)
end)

t.test("lines are the person's own", function()
  t.equal(value('#include "plain.h"\n#include "once.h"', "__LINE__"), 3)
  t.equal(value('#include "plain.h" /*\n\n*/\n#include "once.h"', "__LINE__"), 5)
  t.has(message('#include "plain.h"\nkernel void f(device int *a [[buffer(0)]]) { a[0] = missing; }'), "program_source:2:")
  t.has(message('#include "plain.h"\n#include "wrong.h"\nkernel void f(device int *a [[buffer(0)]]) { a[0] = b; }'), "wrong.h:3:18: error")
  local main = write("bad.metal", '#include "plain.h"\n\nkernel void f(device int *a [[buffer(0)]]) { a[0] = nowhere; }\n')
  t.has(message(main, {}), "bad.metal:3:")
end)

t.test("what is missing, and what has no end", function()
  t.has(message('#include "nothing.h"\nkernel void f(device int *a [[buffer(0)]]) { a[0] = 1; }'), "'nothing.h' file not found")
  write("self.h", '#include "self.h"\n')
  t.has(message('#include "self.h"\nkernel void f(device int *a [[buffer(0)]]) { a[0] = 1; }'), "self.h")
end)

t.test("kernels may stand in a header", function()
  write("kernels.h", "#pragma once\nkernel void set(device int *out [[buffer(1)]], constant int &v [[buffer(0)]]) { out[0] = v; }\n")
  local k = gpu.kernel('#include "kernels.h"\n', {include = {folder}})
  local out = gpu.buffer("int", 1)
  k{out, 5, grid = 1}
  t.equal(out[0], 5)
end)

local kernel = "\nkernel void f(device int *a [[buffer(0)]]) { a[0] = nowhere; }\n"
local refusal = "is not included: it is not in the source's folder"
local outside = os.tmpname()
do
  local f = assert(io.open(outside, "w"))
  f:write("secret words\n")
  f:close()
end
local function refused(source, expected, options)
  local said = message(source .. kernel, options)
  t.has(said, expected)
  t.ok(not said:find("secret", 1, true), "nothing of the file is shown: " .. said)
end

t.test("only what is near the source", function()
  os.execute("ln -s '" .. outside .. "' '" .. folder .. "/linked.h'; ln -s ../plain.h '" .. folder .. "/more/near'")
  write("more/asks.h", '#include "' .. outside .. '"\n')
  refused('#include "' .. outside .. '"', refusal)
  refused('#include <' .. outside .. '>', refusal)
  refused('#include "../' .. outside:match("[^/]*$") .. '"', refusal)
  refused('#include "linked.h"', refusal)
  refused('#include "more/asks.h"', refusal)
  t.equal(value('#include "more/near"', "plain"), 7)
  t.equal(value('#if 0\n#include "' .. outside .. '"\n#endif\n#include "plain.h"', "plain"), 7)
  t.equal(value('// #include "' .. outside .. '"\n#include "plain.h"', "plain"), 7)
  local main = write("more/main.metal", '#include "../plain.h"\nkernel void f(device int *out [[buffer(0)]]) { out[0] = plain; }\n')
  local out = gpu.buffer("int", 1)
  gpu.kernel(main){out, grid = 1}
  t.equal(out[0], 7)
end)

t.test("#line leads to no other file", function()
  refused('#line 1 "' .. outside .. '"', "nowhere")
  refused('# 1 "' .. outside .. '" 1', "nowhere")
end)

t.test("pipes, devices and sockets at once", function()
  os.execute("mkfifo '" .. folder .. "/pipe.h' '" .. folder .. "/more/pipe.h'")
  write("more/waits.h", '#include "pipe.h"\n')
  local system = require "mettle.system"
  local before = system.now()
  refused('#include "pipe.h"', "is a pipe, not a file")
  refused('#include "more/waits.h"', "is a pipe, not a file")
  refused('#include "/dev/zero"', "is a device, not a file")
  t.ok(system.now() - before < 20, "without waiting")
end)

t.test("a header beside the source, not one of that name in the current folder", function()
  os.execute("mkdir -p '" .. folder .. "/here' '" .. folder .. "/there/in'")
  write("here/same.h", "constant int same = 1;\n")
  write("here/only.h", "constant int only = 1;\n")
  write("there/same.h", '#include "in/deep.h"\n#include "same2.h"\nconstant int same = 2 + deep;\n')
  write("there/same2.h", "constant int same2 = 5;\n")
  write("there/in/deep.h", '#include "same2.h"\nconstant int deep = 10;\n')
  write("here/main.lua", [[
    local out = gpu.buffer("int", 1)
    for _, path in ipairs(arg) do
      print(pcall(function() gpu.kernel(path){out, grid = 1} return out[0] end))
    end]])
  local function kernel_with(head, value)
    return head .. "\nkernel void f(device int *out [[buffer(0)]]) { out[0] = " .. value .. "; }\n"
  end
  write("there/right.metal", kernel_with('#pragma once\n#include "same.h"', "same"))
  write("there/wrong.metal", kernel_with('#pragma once\n#include "only.h"', "only"))
  write("there/word.metal", kernel_with('#pragma once\n#include "bad.h"', "1"))
  write("there/bad.h", "constant int bad = nowhere;\n")
  write("there/same2.h", "#pragma once\nconstant int same2 = 5;\n")
  local program = os.getenv "METTLE" or "build/mettle"
  if not program:find "^/" then
    program = io.popen("pwd"):read "l" .. "/" .. program
  end
  local pipe = io.popen(("cd '%s/here' && '%s' main.lua ../there/right.metal ../there/wrong.metal ../there/word.metal 2>&1"):format(folder, program))
  local text = pipe:read "a"
  pipe:close()
  t.has(text, "true\t12")
  t.has(text, "'only.h' file not found")
  t.has(text, "../there/bad.h:1:20: error")
  local out = gpu.buffer("int", 1) -- and on this device, whichever it is
  gpu.kernel(folder .. "/there/right.metal") { out, grid = 1 }
  t.equal(out[0], 12)
end)

if gpu.device.name == "host" then
  t.test("__has_include tells of no other files", function()
    local asks = '#if __has_include("' .. outside .. '") || __has_include( <' .. outside .. '> )\n#define FOUND 1\n#else\n#define FOUND 0\n#endif'
    t.equal(value(asks, "FOUND"), 0)
    t.equal(value('#if __has_include("plain.h") && __has_include(<plain.h>) && !__has_include("none.h")\n#define FOUND 2\n#endif', "FOUND"), 2)
    write("more/asking.h", asks)
    local said = message('#include "more/asking.h"\nkernel void f(device int *a [[buffer(0)]]) { a[0] = FOUND; }')
    t.has(said, "is not looked for: it is not in the source's folder")
    t.has(message('#define CAT(a, b) a##b\n#if CAT(__has_, include)("' .. outside .. '")\n#endif\nkernel void f() {}'), "is not looked for")
  end)
  t.test("by the name of a macro", function()
    t.equal(value('#define NAME "plain.h"\n#include NAME', "plain"), 7)
    refused('#define NAME "' .. outside .. '"\n#include NAME', refusal)
    refused('#define NAME "pipe.h"\n#include NAME', "is a pipe, not a file")
    refused('#define TEXT(x) #x\n#include TEXT(pipe.h)', "did nothing for 5 s, as if it waited for a pipe")
  end)
  t.test("#embed is not MSL's", function()
    refused('constant char c[] = {\n#embed "' .. outside .. '"\n};', "#embed is not part of MSL")
    t.equal(value('#ifdef __has_embed\n#error\n#endif\n#include "plain.h"', "plain"), 7)
  end)
end

os.remove(outside)
os.execute("rm -rf '" .. folder .. "'")
t.done()
