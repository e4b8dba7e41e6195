-- A bit of everything that a bundle needs its parts for; says "all of it".
local k = gpu.kernel [=[
  #include <metal_stdlib>
  using namespace metal;
  kernel void twice(device const float *x [[buffer(0)]], device float *y [[buffer(1)]],
                    uint i [[thread_position_in_grid]]) { y[i] = 2 * x[i] + sqrt(x[i]); }
]=]
local x, y = gpu.buffer(1000):fill(4), gpu.buffer(1000)
k{x, y, grid = 1000}
assert(y[0] == 10 and y[999] == 10, "the kernel's answer")
assert(check{k, x, y, grid = 1000}.ok, "check: nothing to find")
assert(check{k, x, y, grid = 1001}[1].kind == "out-of-bounds",
  "check: the finding")
assert(profile{k, x, y, grid = 1000}.reads_per_thread == 1, "profile")
assert(pcall(gpu.kernel, "kernel void broken() { int x = ; }") == false, "a kernel that is wrong")
local c = gpu.buffer("float", 1, 1)
cpu.matmul(gpu.buffer{{1, 2}}, gpu.buffer{{3}, {4}}, c, "vendor")
assert(c[0] == 11, "the vendor's library")
assert(#gpu.kernels > 10 and gpu.kernel "relu", "the kernels that come with Mettle")
print "all of it"
