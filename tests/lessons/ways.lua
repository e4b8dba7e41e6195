-- ways.lua - every way in which a source, an option or a name can lead to a
-- file, tried from inside a sandbox; lessons/test_sandbox.sh puts it before a
-- lesson and test_notebook.c into a cell, each with a first line
--
--   local outside, inside, first, step = "/not/its/own", "/its/own", 1, 1
--
-- and takes every step-th way from the first on: each is a compile.
--
-- outside  secret.h   #define SECRET 4711
--          words.txt  hunter2 …, which is no C++: an error would show it
--          lib.so, rsp, config   what an option of Clang's could name
-- inside   link.h, link.txt, dir   links to these and to outside
--          own.h      #define SECRET 7, which it may include
--
-- It ends with an error that says how many ways it has tried, and what it got
-- by those that lead out: what a lesson prints is not shown.
local header, words = outside .. "/secret.h", outside .. "/words.txt"
local up = ("../"):rep(24)
local relative, by_dir = up .. header:sub(2), "dir/secret.h"

local body = [=[

#ifndef SECRET
#define SECRET 0
#endif
kernel void f(device int *o, uint i [[thread_position_in_grid]]) {
  o[0] = SECRET;
}
]=]

local known, tried, found = 0, 0, {}

-- Is the next way one of those that are to be tried?
local function is_turn()
  known = known + 1
  return known % step == first % step
end

-- What a way gave: the message, or the number that the kernel had.
local function result_of(text, options)
  local ok, k = pcall(gpu.kernel, text, options)
  if not ok then return tostring(k) end
  local o = gpu.buffer("int", 1)
  local ran, why = pcall(k, { o, grid = 1 })
  return ran and tostring(o[0]) or tostring(why)
end

local function judge(name, got)
  tried = tried + 1
  if got:find("hunter2", 1, true) or got:find("4711", 1, true) then
    found[#found + 1] = ("%s: %s"):format(name, got):gsub("\n", " | ")
  end
end

local own_file = inside .. "/x.metal"
local function source(name, text, options)
  if not is_turn() then return end
  options = options or {}
  options.file = options.file or own_file
  judge(name, result_of(text .. body, options))
end

-- ------------------------------------------------- ways to write a directive
-- %s is the name of a file
local directives = {
  '#include "%s"', "#include <%s>", '#  include\t"%s"', '%%:include "%s"',
  '#include/**/"%s"', '/* */#include "%s"', '#inc\\\nlude "%s"',
  '??=include "%s"', '#include_next "%s"', "#include_next <%s>",
  '#import "%s"', "#import <%s>", '#__include_macros "%s"',
  '#define F "%s"\n#include F', "#define F <%s>\n#include F",
  "#define S(x) #x\n#define T(x) S(x)\n#include T(%s)",
  "#define L <\n#define A(x) <x>\n#include A(%s)",
  "#define G() \"%s\"\n#include G()", '#define F "%s"\n#import F',
  '#define F "%s"\n#include_next F',
  '#embed "%s"', "#embed <%s>", '#define F "%s"\n#embed F',
  'constant char t[] = {\n#embed "%s" limit(64)\n, 0};',
  '#if __has_include("%s")\n#define SECRET 4711\n#endif',
  "#if __has_include(<%s>)\n#define SECRET 4711\n#endif",
  '#define F "%s"\n#if __has_include(F)\n#define SECRET 4711\n#endif',
  '#define H __has_include\n#if H("%s")\n#define SECRET 4711\n#endif',
  '#if __has_\\\ninclude("%s")\n#define SECRET 4711\n#endif',
  '#ifdef __has_include\n#if __has_include ( "%s" )\n#define SECRET 4711\n#endif\n#endif',
  '#if __has_include_next("%s")\n#define SECRET 4711\n#endif',
  '#if __has_embed("%s")\n#define SECRET 4711\n#endif',
  '#line 1 "%s"\nwrong here;', '# 1 "%s"\nwrong here;',
  '# 1 "%s" 1\nwrong here;', '# 1 "%s" 3 4\nwrong here;',
  '#pragma GCC dependency "%s"', '_Pragma("GCC dependency \\"%s\\"")',
  '#pragma GCC pch_preprocess "%s"',
  '#pragma include_alias("own.h", "%s")\n#include "own.h"',
  '#pragma clang module import "%s"', '#pragma clang module load "%s"',
  '#pragma clang module build "%s"', '#pragma comment(lib, "%s")',
  '#pragma clang __debug include "%s"', '#pragma plugin "%s"',
  '#pragma clang include_instead("%s")', '#pragma GCC system_header\n#include "%s"',
  '#pragma once\n#include "%s"', '#ident "%s"', '#sccs "%s"',
  'import "%s";', 'import <%s>;', '@import "%s";', 'module "%s";',
  'asm(".incbin \\"%s\\"");', 'asm(".include \\"%s\\"");',
  '__asm__(".incbin \\"%s\\"");', '__asm(".include \\"%s\\"");',
  'kernel void g() { asm volatile(".incbin \\"%s\\""); }',
  '__attribute__((annotate("%s"))) constant int z = 0;',
  '__attribute__((section("%s"))) constant int z = 0;',
  'static_assert(false, __FILE__ "%s");',
  '#include <metal_stdlib>\n#include <metal_/../%s>',
  '#ifdef NEVER\n#include "own.h"\n#else\n#include "%s"\n#endif',
  '#include "own.h"\n#undef SECRET\n#include "%s"',
  '#define __FILE__ "%s"\n#include __FILE__',
}

local names = { header, words, relative, "/" .. header, "/." .. header,
  "/proc/self/root" .. header, "/proc/self/cwd/" .. relative,
  "link.h", "link.txt", by_dir, "dir/words.txt", "./dir/../dir/secret.h",
  inside .. "/link.h", inside .. "/dir/words.txt", up .. words:sub(2) }

-- One way to write it with all names, and all ways with the likeliest names.
for n, name in ipairs(names) do
  for d, directive in ipairs(directives) do
    if n <= 3 or n == 8 or d <= 2 or d == 14 or d == 25 then
      source((directive:format(name):gsub("\n", " | ")),
        (directive:gsub("%%%%", "%%"):gsub("%%s", (name:gsub("%%", "%%%%")))))
    end
  end
end

-- ------------------------------------------------------ names of the system's
for _, name in ipairs { "/proc/self/environ", "/proc/self/cmdline", "/dev/fd/0",
  "/dev/stdin", "/dev/fd/3", "/proc/self/fd/4", "/proc/1/environ",
  "/proc/thread-self/environ", "/etc/passwd", "/etc/hostname" } do
  if is_turn() then
    local got = result_of(('#include "%s"'):format(name) .. body)
    judge("#include " .. name, (got:find "root:" or got:find "HOME=") and
      "4711: " .. got or got)
  end
end

-- ------------------------------------------------------------- by an option
local ask = '#include "secret.h"'
local function option(name, options, text)
  source(name, text or ask, options)
  source(name .. ", words", '#include "words.txt"', options)
end
for _, folder in ipairs { outside, "..", "/", up .. outside:sub(2), "dir",
  inside .. "/dir", "/proc/self/root" .. outside, outside .. "/../" ..
    outside:match "[^/]+$" } do
  option("include = " .. folder, { include = { folder } })
  option("include <> " .. folder, { include = { folder } },
    "#include <secret.h>")
  source("include_next " .. folder, "#include_next <secret.h>",
    { include = { inside, folder } })
  source("has_include " .. folder,
    '#if __has_include("secret.h")\n#define SECRET 4711\n#endif',
    { include = { folder } })
  option("file in " .. folder, { file = folder .. "/x.metal" })
  source("file, line " .. folder, '#line 1 "words.txt"\nwrong here;',
    { file = folder .. "/x.metal" })
  source("file of it " .. folder, "wrong here;",
    { file = folder .. "/words.txt" })
end
source("include = /", ('#include "%s"'):format(header:sub(2)),
  { include = { "/" } })
source("file = /x", ('#include "%s"'):format(header:sub(2)),
  { file = "/x.metal" })
for _, value in ipairs { ('"%s"'):format(header), ("<%s>"):format(header),
  ('"%s"'):format(words), '"link.h"', '"dir/words.txt"',
  ('"%s"'):format(relative) } do
  source("defines " .. value, "#include F", { defines = { F = value } })
  source("defines has " .. value,
    "#if __has_include(F)\n#define SECRET 4711\n#endif",
    { defines = { F = value } })
end
source("a define of two lines", "", { defines = {
  A = ('1\n#include "%s"'):format(header) } })
source("a name of two lines", "", { defines = {
  [('A 1\n#include "%s"\n//'):format(header)] = "1" } })

-- Options of Clang's: an empty folder must not take the next word, nor a name
-- become a word of its own.
for name, value in pairs { ["-include"] = header, ["--include"] = header,
  ["--include-directory"] = outside, ["--config"] = outside .. "/config",
  ["-working-directory"] = outside, ["-fplugin"] = outside .. "/lib.so",
  ["--embed-dir"] = outside, ["--sysroot"] = outside,
  ["-fmodule-file"] = header, ["-isysroot"] = outside,
  ["@" .. outside .. "/rsp"] = "", ["-fmodule-map-file"] = words,
  ["-I" .. outside .. "/"] = "", ["-include" .. header] = "",
  ["-imacros" .. header] = "", ["-iquote" .. outside .. "/."] = "",
  ["-Xclang"] = "-load", ["-fprofile-list"] = words,
  ["-ivfsoverlay"] = words, ["-fxray-attr-list"] = words } do
  for _, folder in ipairs { "", " ", "-", "@" .. outside .. "/rsp" } do
    option(("define %s=%s after -I%s"):format(name, value, folder),
      { include = { folder }, defines = { [name] = value } })
  end
end

-- -------------------------------------------- a kernel that calls the system
local function call(code)
  local text = code:format(words) ..
    "\nkernel void f(device int *o) { g(); o[0] = 4711; }"
  local ok, k = pcall(gpu.kernel, text)
  local o = gpu.buffer("int", 1)
  local ran = ok and pcall(k, { o, grid = 1 })
  judge(code, ran and "4711: it ran" or tostring(k))
end
for _, code in ipairs {
  'extern "C" int open(const char *, int); void g() { open("%s", 0); }',
  'extern "C" int system(const char *); void g() { system("cat %s"); }',
  'extern "C" long syscall(long, ...); void g() { syscall(2, "%s", 0); }',
  'extern "C" void *fopen(const char *, const char *); void g() { fopen("%s", "r"); }',
} do
  if is_turn() then call(code) end
end

-- ------------------------------------------------- functions that take a name
local function try(name, f, ...)
  if not is_turn() then return end
  local got = table.pack(pcall(f, ...))
  for i = 1, got.n do
    if io.type(got[i]) == "file" then got[i] = tostring(got[i]:read "a") end
    if type(got[i]) == "function" then
      local ok, line = pcall(got[i])
      got[i] = ok and line or ""
    end
    got[i] = tostring(got[i])
  end
  judge(name, table.concat(got, " ", 1, got.n))
end
local function field(t, name) return type(t) == "table" and t[name] or nil end
for _, name in ipairs(names) do
  try("io.open " .. name, io.open, name)
  try("io.lines " .. name, io.lines, name)
  try("gpu.kernel " .. name, gpu.kernel, name)
  try("gpu.library " .. name, gpu.library, name)
  try("gpu.load " .. name, gpu.load, name)
  try("play " .. name, play, name)
  try("cards " .. name, cards, name)
  try("kernels " .. name, field(kernels, "load") or kernels, name)
  try("help " .. name, help, name)
  try("image " .. name, image, name)
  try("load", load, ("return io.open(%q):read 'a'"):format(name))
end
for _, topic in ipairs { relative, "../" .. relative, relative:gsub("%.h$", ""),
  words, up .. words:sub(2) } do
  for _, word in ipairs { "help", "glossary", "rosetta", "lesson", "puzzle" } do
    if _G[word] then try(word .. " " .. topic, _G[word], topic) end
  end
end

source("its own header", '#include "own.h"')
local own = result_of('#include "own.h"' .. body, { file = own_file })
error(("%d ways of %d, %d leaks, its own header gives %s %s"):format(tried,
  known, #found, own:match "[^\n]*", table.concat(found, " || ")), 0)
