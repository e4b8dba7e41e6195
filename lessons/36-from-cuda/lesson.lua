return {
  title = "From CUDA to Metal", part = 6, minutes = 20,
  task = "Bring the CUDA kernel `block_sums` over to Metal.",
  kernel = "block_sums",
  arguments = function(s, make)
    return { x = make.random(s.n), sums = make.out("float", (s.n + 255) // 256),
      n = s.n }
  end,
  outputs = { "sums" },
  launch = function(s) return { groups = (s.n + 255) // 256, group = 256 } end,
  reference = function(s, arg, out)
    for g = 0, (s.n + 255) // 256 - 1 do
      local sum = 0
      for i = 256 * g, math.min(s.n, 256 * g + 256) - 1 do
        sum = sum + arg.x[i]
      end
      out.sums[g] = sum
    end
  end,
  tolerance = 1e-4,
  cases = { { n = 1 }, { n = 2 }, { n = 31 }, { n = 33 }, { n = 256 },
    { n = 257 }, { n = 997 }, { n = 2048 } },
  rules = {
    { parameters = { "x", "sums", "n" },
      say = "A program binds buffers by their index: x to [[buffer(0)]], sums to [[buffer(1)]], n to [[buffer(2)]], as the CUDA kernel has them." },
  },
  targets = {
    { profile = "device_reads", per = "busiest thread", at_most = 2,
      size = { n = 2048 },
      say = "Every thread of the block brings one element, as in the CUDA kernel." },
    { profile = "issued", per = "busiest thread", of_solution = 4,
      size = { n = 2048 },
      say = "The warps add up side by side; only their eight sums are left for one thread." },
  },
  start_fails = "compile",
  wrong = {
    ["no-barrier"] = { "race", "uninitialised", "schedule", "wrong" },
    ["no-guard"] = { "out-of-bounds", "wrong" },
    ["one-simdgroup"] = { "wrong", "uninitialised" },
    ["early-return"] = { "divergent-barrier", "uninitialised", "wrong" },
    ["grid-for-group"] = { "out-of-bounds", "wrong" },
    ["mask-left-in"] = "compile",
    ["another-order"] = "rule",
    ["one-thread-adds"] = "target",
    ["one-thread-adds-the-table"] = "target",
  },
  hints = {
    "Go line by line, and ask cuda \"word\" for each word that Metal does not know. Parameters first.",
    "blockIdx.x, threadIdx.x and the sum of both become parameters: [[threadgroup_position_in_grid]], [[thread_position_in_threadgroup]], [[thread_position_in_grid]].",
    "The loop over __shfl_down_sync becomes v = simd_sum(v); __shared__ becomes threadgroup, __syncthreads() becomes threadgroup_barrier(mem_flags::mem_threadgroup).",
    "n is constant uint &n [[buffer(2)]], and i < n compares two uint. The first thread of each SIMD-group is the one with t % 32 == 0.",
  },
  challenges = {
    { name = "one-warp", title = "One warp a block",
      task = "A block of 256 elements now has one warp, 32 threads. What would __syncthreads be for? Fewer barriers: none.",
      score = { profile = "barriers", say = "A single warp needs no barrier: each lane adds eight elements, simd_sum the rest." },
      wrong = "wrong",
      launch = function(s)
        return { groups = (s.n + 255) // 256, group = 32 }
      end,
      hints = { "__shfl_down_sync five times is simd_sum once." } },
    { name = "float4-loads", title = "Wide loads",
      task = "64 threads for a block of 256 elements, n a multiple of 4: as in CUDA, a float4 load moves 16 bytes at once. Fewer reads of device memory.",
      score = { profile = "device_reads", size = { n = 4096 }, say = "A float4 is one read of 16 bytes." },
      wrong = "out-of-bounds",
      launch = function(s)
        return { groups = (s.n + 255) // 256, group = 64 }
      end,
      cases = { { n = 4 }, { n = 36 }, { n = 256 }, { n = 1000 } },
      hints = { "device const float4 *x: reinterpret_cast is not needed.", "dot(v, float4(1)) adds the four." } },
  },
}
