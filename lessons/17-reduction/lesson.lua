return {
  title = "Reduction: many numbers become one", part = 3, minutes = 20,
  task = "Let all threads of a group share the work of `group_sums`, with simd_sum and one barrier.",
  kernel = "group_sums",
  arguments = function(s, make)
    return { x = make.random(s.n), sums = make.out("float", (s.n + 255) // 256),
      n = s.n }
  end,
  outputs = { "sums" },
  launch = function(s) return { groups = (s.n + 255) // 256, group = 256 } end,
  reference = function(s, arg, out)
    for g = 0, #out.sums - 1 do
      local first = g * 256
      local sum = cpu.sum(arg.x:view(first, math.min(256, s.n - first)))
      out.sums[g] = sum
    end
  end,
  tolerance = 1e-5,
  cases = { { n = 1 }, { n = 2 }, { n = 3 }, { n = 31 }, { n = 33 },
    { n = 255 }, { n = 256 }, { n = 257 }, { n = 997 }, { n = 4099 } },
  targets = {
    { profile = "barriers", per = "simdgroup", at_most = 1, size = { n = 2560 },
      say = "One barrier is enough: simd_sum needs none." },
    { profile = "issued", per = "group", at_most = 420, size = { n = 2560 },
      say = "A group should execute at most 420 instructions: let every thread bring one element." },
    { profile = "issued", per = "busiest thread", of_solution = 5,
      size = { n = 2560 },
      say = "Each group adds up its own 256 elements: none works for another." },
  },
  start_fails = "target",
  wrong = { ["no-barrier"] = { "race", "uninitialised" },
    ["no-guard"] = "out-of-bounds", ["first-simdgroup-only"] = "wrong",
    ["early-return"] = { "wrong", "divergent-barrier", "uninitialised" },
    ["tree"] = "target", ["one-group-for-all"] = "target" },
  hints = {
    "Every thread fetches one element first: `float v = i < n ? x[i] : 0.0f;` - and none returns early, since all are needed below.",
    "`v = simd_sum(v)` leaves the sum of 32 elements in every lane. Lane 0 of each SIMD-group writes it to `part[simd]`, a threadgroup array of 8.",
    "After one threadgroup_barrier(mem_flags::mem_threadgroup), SIMD-group 0 reads the eight parts (`lane < 8 ? part[lane] : 0.0f`), sums them with simd_sum, and lane 0 writes sums[g].",
  },
  challenges = {
    { name = "four-each", title = "A quarter of the threads",
      task = "64 threads now make the sum of 256 elements, four each. Fewer instructions in all.",
      score = { profile = "issued", size = { n = 4096 }, say = "Four elements are one float4; then two SIMD-groups have two sums, and one barrier joins them." },
      wrong = "wrong",
      launch = function(s)
        return { groups = (s.n + 255) // 256, group = 64 }
      end,
      hints = { "simd_sum does five rounds in one instruction, and two SIMD-groups need one barrier.", "Four neighbours are a float4, read at once." } },
    { name = "no-barrier", title = "No barrier at all",
      task = "One SIMD-group of 32 threads makes the sum of 256 elements. Who must wait for whom? Fewer barriers: none.",
      score = { profile = "barriers", say = "The lanes of one SIMD-group need no barrier: each adds its own elements, simd_sum the rest." },
      wrong = "out-of-bounds",
      launch = function(s)
        return { groups = (s.n + 255) // 256, group = 32 }
      end,
      hints = { "The lanes of one SIMD-group need no barrier between them." } },
  },
}
