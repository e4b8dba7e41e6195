-- test_escapes.lua - no text from a source, a file's name, a card or a kernel
-- gives a command to the terminal: an escape is planted in each field, and
-- looked for in all that is shown.
--
-- Guards: base/str.c's mt_str_add_visible and its callers: an escape planted in
-- a source, a file's name, a card, a log or an option reaches no terminal, by
-- whatever shows it
local t = dofile "tests/tap.lua"
local system = require "mettle.system"

-- OSC, CSI, BEL, DEL, C1 as UTF-8 and as a byte, bidirectional controls; no
-- slash, no line end, so that a file can be called so.
local planted = "\27]0\7\27[2J\127\xc2\x9b31m\u{202e}\u{2066}"
local folder = system.scratch()
local path = folder .. "/a" .. planted .. "b.metal"
local source = [=[
// %s
kernel void f(device float *a, uint i [[thread_position_in_grid]]) {
  a[i] = 2; // %s
}
]=]
-- (Metal takes valid UTF-8 alone)
local byte = gpu.device.name == "host" and "\x9b2J" or ""
source = source:format(planted .. byte, planted .. byte)

local function write(name, text)
  local f = assert(io.open(name, "wb"))
  f:write(text)
  f:close()
  return name
end
write(path, source)

-- What of 'text' a terminal would not print; nil: nothing.
local function command_in(text)
  for at, code in utf8.codes((text:gsub("[\x80-\xff]+", function(part)
    return utf8.len(part) and part or "\1"
  end)), true) do
    local control = code < 32 and code ~= 10 and code ~= 9
    if control or code >= 127 and code < 160 or code >= 0x202a and
      code <= 0x202e or code >= 0x2066 and code <= 0x2069 then
      return ("U+%04X at byte %d"):format(code, at)
    end
  end
end

local function clean(name, text)
  t.equal(command_in(text), nil, name .. ": " .. ("%q"):format(text))
end

t.test("the looking sees what was planted", function()
  for _, one in ipairs { "\27", "\7", "\127", "\xc2\x9b", "\x9b",
    "\u{202e}", "\u{2066}", "\r" } do
    t.ok(command_in("a" .. one .. "b"))
  end
  t.equal(command_in "grün ␛ 漢\n\t", nil)
end)

t.test("what a kernel says of itself", function()
  for _, k in ipairs { gpu.kernel(source), gpu.kernel(path) } do
    local a = gpu.buffer(64)
    clean("tostring", tostring(k))
    clean("a result", tostring(k { a, grid = 64 }))
    if gpu.device.name == "host" then
      for _, what in ipairs { "asm", "ir", "why" } do
        clean(what, k[what](k))
      end
    end
    clean("check", tostring(check { k, gpu.buffer(3), grid = 64 }))
    clean("profile", tostring(profile { k, a, grid = 64 }))
    clean("draw", tostring(draw { k, a, grid = 64 }))
    local r = record { k, a, grid = 4 }
    clean("record", tostring(r))
    clean("a thread", tostring(r:thread(0)))
  end
end)

-- What a run of the program prints, by words after its name.
local function program(words)
  local p = io.popen(("'%s' %s 2>&1"):format(system.program, words))
  local text = p:read "a"
  p:close()
  return text
end
local function quoted(text) return "'" .. text:gsub("'", "'\\''") .. "'" end

t.test("errors that nobody catches", function()
  local script = folder .. "/script.lua"
  for _, code in ipairs {
    "gpu.kernel(P)", "gpu.kernel(P .. 'x')", "gpu.load(P .. 'x')", "error(P)",
    "gpu.load(P)", "gpu.buffer(3):save(P .. '/x')", "gpu.use(N)", "help(N)",
    "gpu.texture(N, 3, 3)", "gpu.library('kernel void f() {}'):kernel(N)",
    "gpu.kernel('kernel void f() {}', { [N] = 1 })", "io.open(N .. '/x'):read()",
    "gpu.kernel('kernel void f() {}', { defines = { [N] = 1 } })",
    "gpu.kernel('kernel void f() {}', { include = { N } })()",
    "gpu.kernel('#include \"' .. N .. '\"\\nkernel void f() {}')",
    "gpu.kernel('wrong ' .. N .. ';\\nkernel void f() {}')", "cards(N)",
    "gpu.kernel(P) { [N] = 1, grid = 1 }", "require(N)", "load(N)()",
    "lesson(N)", "puzzle(N)", "glossary(N)", "cuda(N)", "numpy(N)", "torch(N)",
    "gpu.kernel(N:gsub('.*', 'x'))", "plot({ 1 }, { title = N })", "play(P)", "cpu.sum(gpu.buffer(1), { way = N })",
  } do
    write(script, ("local P, N = %q, %q\n%s"):format(path, planted, code))
    clean(code, program(quoted(script)))
  end
end)

t.test("commands over a file of that name", function()
  for _, words in ipairs { "compile", "check", "bench",
    "cards", "lesson check", "present", "play", "" } do
    clean(words, program(words .. " " .. quoted(path) .. " </dev/null"))
  end
  for _, words in ipairs { "", "compile ", "devices ", "doctor ", "bench " } do
    clean(words .. "an option", program(words .. quoted("--" .. planted)))
    clean(words .. "a file", program(words .. quoted(folder .. planted)))
  end
end)

t.test("cards", function()
  local card = folder .. "/c" .. planted .. ".json"
  for _, text in ipairs { "", "{", '{"mettle_card": "\\u001b[2J\\u009b"}',
    '{"mettle_card": 1, "device": "\\u001b[2J\\u202e"}' } do
    write(card, text)
    local ok, why = pcall(cards, card)
    clean(text, tostring(why))
    t.ok(not ok)
  end
end)

t.test("what kernels log, and warnings", function()
  local script = write(folder .. "/log.lua", [==[
    local k = gpu.kernel [=[
#include <metal_stdlib>
#include <metal_logging>
kernel void f(device int *o) {
  os_log_default.log("a\x1b[2J\x07\x9b\xc2\x9b\u202e\u2066 b");
}]=]
    k { gpu.buffer("int", 1), grid = 1 }
]==])
  local said = program(quoted(script))
  t.ok(said:find " b" or gpu.device.name ~= "host", said)
  clean("os_log", said)
  local array = folder .. "/w" .. planted .. ".npy"
  gpu.buffer { 1 }:save(array)
  local f = assert(io.open(array, "ab"))
  f:write "more"
  f:close()
  write(script, ("gpu.load(%q)"):format(array))
  said = program(quoted(script))
  t.has(said, "4 bytes after the end")
  clean("a warning", said)
end)

os.execute("rm -rf " .. quoted(folder))
t.done()
