-- five-minutes.lua - what Mettle is, for a room that has never seen it.
local demo = require "demos.present"
local n = { n = demo.pick("1e6", "1e4") }

demo.title "Five minutes: a kernel, a comparison, a mistake"

demo.say [[
A kernel is a function that a GPU runs once for each element. Data lives in
buffers that Lua and the kernel share. (30 seconds; say which device this is:
on a Mac the GPU, elsewhere the processor, which runs the same source.)
]]
demo.types([=[
gpu.device
a, b = gpu.buffer($n):random(1), gpu.buffer($n):random(2)
c = gpu.buffer($n)
]=], n)

demo.say [[
The kernel is a string in Metal's language. It has no loop: the grid is the
loop. Each thread gets its own i.
]]
demo.types([=[
add = gpu.kernel [==[
  kernel void add(device const float *a [[buffer(0)]],
                  device const float *b [[buffer(1)]],
                  device float *c       [[buffer(2)]],
                  uint i [[thread_position_in_grid]]) {
    c[i] = a[i] + b[i];
  }
]==]
add{a, b, c, grid = $n}
c
]=], n)
demo.sure "c:equals(cpu.add(a, b), 1e-6)"

demo.say [[
Is it right, and is it fast? First right: compare holds it against the CPU, and
shows times only if the answer is correct. Ask the room for a guess before you
press Enter. (Adding is one operation for twelve bytes: memory decides.)
]]
demo.types([=[
compare{add, a, b, c, grid = $n, cpu = cpu.add}
]=], n)
demo.sure "_.ok"

demo.say [[
Now a mistake that everybody makes: one thread too many. Nothing happens on a
GPU, or something else breaks tomorrow. check runs it and checks every access.
]]
demo.types([=[
check{add, a, b, c, grid = $n + 1}
]=], n)
demo.sure "not _.ok and _[1].kind == 'out-of-bounds'"

demo.say [[
It names the line, the thread, the buffer and the way out, and a word to look
up. And if it does not even compile, it says why:
]]
demo.fails [=[
gpu.kernel "kernel void zero(float *a) { a[0] = 0; }"
]=]

demo.say [[
That is all of it: type, run, compare, check. The course begins with
  lesson(1)
and takes a newcomer from here to a fast matrix product.
]]
