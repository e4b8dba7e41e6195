return {
  title = "SIMD-groups: 32 threads, one instruction", part = 2, minutes = 15,
  task = "Deal the elements out so that all lanes of a SIMD-group in `even_odd` go the same way.",
  kernel = "even_odd",
  arguments = function(s, make)
    return { x = make.random(s.n), y = make.out("float", s.n), n = s.n }
  end,
  outputs = { "y" },
  launch = function(s) return { groups = (s.n + 63) // 64, group = 64 } end,
  reference = function(s, arg, out)
    for i = 0, s.n - 1 do
      local v = arg.x[i]
      for _ = 1, 16 do
        if i % 2 == 0 then v = 0.5 * v + 1 else v = 0.9 * v - 0.1 end
      end
      out.y[i] = v
    end
  end,
  tolerance = 1e-5,
  cases = { { n = 1 }, { n = 2 }, { n = 3 }, { n = 31 }, { n = 63 }, { n = 64 },
    { n = 65 }, { n = 997 }, { n = 2049 } },
  targets = {
    { profile = "active", at_least = 0.9, size = { n = 4096 },
      say = "All lanes of a SIMD-group should go the same way at the if." },
    { profile = "operations", per = "thread", at_most = 40, size = { n = 4096 },
      say = "An element needs 16 multiplications and 16 additions, 32 operations: one side for each, and nothing else. A choice inside the loop may cost both sides in every round." },
    { profile = "issued", per = "simdgroup", of_solution = 1.5,
      size = { n = 4096 },
      say = "Lanes that are busy with useless work are no gain: the instructions count." },
    { profile = "issued", per = "busiest thread", of_solution = 1.5,
      size = { n = 4096 },
      say = "Each of the two SIMD-groups takes 32 of the 64 elements: none works for the other." },
  },
  start_fails = "target",
  wrong = { ["by-simdgroup-only"] = "wrong",
    ["even-only"] = { "wrong", "coverage", "race" },
    ["beyond-the-64"] = { "wrong", "coverage", "race" },
    ["less-work"] = "wrong", ["both-sides"] = "target",
    ["busy-for-nothing"] = "target", ["one-simdgroup-for-both"] = "target" },
  hints = {
    "Only the line `uint i = …` must change: which of the group's 64 elements does this thread take?",
    "Lane 0 of SIMD-group 0 takes element 0, lane 1 takes element 2, lane 2 takes element 4. What does SIMD-group 1 take?",
    "`uint i = group * 64 + lane * 2 + simd;`",
  },
  challenges = {
    { name = "closed-form", title = "Sixteen rounds in one",
      task = "Sixteen rounds of v = a v + b are a¹⁶ v + b (1 + a + … + a¹⁵). Which instructions are left for a thread, and do even and odd elements still need two ways? Fewer instructions.",
      score = { profile = "issued", size = { n = 2048 }, say = "Choose the two numbers, not the way: one fma with the numbers of even or odd elements does it." },
      wrong = "wrong",
      hints = { "For even elements a¹⁶ is 0.5¹⁶ and the sum is 2 (1 - 0.5¹⁶); for odd ones 0.9¹⁶ and -(1 - 0.9¹⁶).", "Choose two numbers by i % 2, then one fma: no lane waits for another." } },
    { name = "neighbour", title = "The next lane",
      task = "`turn`: y[i] = x of the next element in its stretch of 32, and the last takes the first. The start goes through threadgroup memory; lanes can hand values to each other. Fewer instructions.",
      score = { profile = "issued", size = { n = 2048 }, say = "A lane can take its neighbour's value directly: simd_shuffle_rotate_down." },
      wrong = "wrong",
      kernel = "turn",
      arguments = function(s, make)
        return { x = make.random(s.n), y = make.out("float", s.n) }
      end,
      launch = function(s) return { grid = s.n, group = 64 } end,
      reference = function(s, arg, out)
        for i = 0, s.n - 1 do out.y[i] = arg.x[i // 32 * 32 + (i + 1) % 32] end
      end,
      tolerance = 0, cases = { { n = 64 }, { n = 128 }, { n = 1024 } },
      hints = { "simd_shuffle_rotate_down(v, 1) is v of the next lane, around the end." } },
  },
}
