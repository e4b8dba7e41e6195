-- five-minutes.lua - what Mettle is, for a room that has never seen it.
--
--   mettle present demos/five-minutes.lua
n = quick and 10000 or 1000000

--# Five minutes: a kernel, a comparison, a mistake (1 min)
--: A kernel is a function that a GPU runs once for each element. Data lives
--: in buffers that Lua and the kernel share.
--: Say which device this is: on a Mac the GPU, elsewhere the processor, which
--: runs the same source.
print(gpu.device)
a, b = gpu.buffer(n):random(1), gpu.buffer(n):random(2)
c = gpu.buffer(n)

--# The grid is the loop (1 min)
--: The kernel is a string in Metal's language. It has no loop: the grid is the
--: loop. Each thread gets its own i.
add = gpu.kernel [==[
  kernel void add(device const float *a [[buffer(0)]],
                  device const float *b [[buffer(1)]],
                  device float *c       [[buffer(2)]],
                  uint i [[thread_position_in_grid]]) {
    c[i] = a[i] + b[i];
  }
]==]
add{a, b, c, grid = n}
print(c)
--? c:equals(cpu.add(a, b), 1e-6)

--# Is it right, and is it fast? (1 min)
--: First right: compare holds it against the CPU, and shows times only if the
--: answer is correct. Ask the room for a guess before you go on.
--: Adding is one operation for twelve bytes: memory decides.
compare{add, a, b, c, grid = n, cpu = cpu.add}
--? _.ok

--# One thread too many (1 min)
--: A mistake that everybody makes. Nothing happens on a GPU, or something else
--: breaks tomorrow. check runs the kernel and checks every access.
--: It names the line, the thread, the buffer and the way out, and a word to
--: look up.
check{add, a, b, c, grid = n + 1}
--? not _.ok and _[1].kind == "out-of-bounds"

--# It does not compile
--: And if it does not even compile, it says why.
ok, why = pcall(gpu.kernel, "kernel void zero(float *a) { a[0] = 0; }")
print(why)
--? not ok and why:find "device"

--# A thread for each pixel (1 min)
--: The same, sixty times a second. [ and ] change the threadgroups, q leaves.
--: Copy demos/live/life.metal, and the picture changes whenever it is saved.
--: That is all of it: type, run, compare, check. The course begins with
--: lesson(1) and takes a newcomer from here to a fast matrix product.
play "life"
--? _.frames > 0
