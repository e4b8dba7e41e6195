return {
  title = "Scan: running sums, all at once", part = 3, minutes = 15,
  task = "Fix the race in `group_scan`, so that every order of the threads gives the same running sums.",
  kernel = "group_scan",
  arguments = function(s, make)
    return { x = make.random(s.n), y = make.out("float", s.n), n = s.n }
  end,
  outputs = { "y" },
  launch = function(s) return { groups = (s.n + 255) // 256, group = 256 } end,
  reference = function(s, arg, out)
    for first = 0, s.n - 1, 256 do
      local length = math.min(256, s.n - first)
      cpu.scan(arg.x:view(first, length), out.y:view(first, length))
    end
  end,
  tolerance = 1e-5,
  cases = { { n = 1 }, { n = 2 }, { n = 3 }, { n = 31 }, { n = 32 }, { n = 33 },
    { n = 255 }, { n = 256 }, { n = 257 }, { n = 1009 } },
  targets = {
    { profile = "issued", per = "busiest thread", of_solution = 4,
      size = { n = 1024 },
      say = "The running sums are made by all 256 threads of a group together." },
  },
  start_fails = { "race", "wrong" },
  wrong = { ["one-barrier"] = { "race", "wrong" }, ["exclusive"] = "wrong",
    ["barrier-inside-the-if"] = { "divergent-barrier", "race", "wrong" }, ["lanes-only"] = "wrong",
    ["one-thread-for-the-group"] = "target", ["atomic-float-for-all"] = "compile" },
  hints = {
    "In one round every thread reads its neighbour's place and writes its own. What must have happened everywhere before the first write?",
    "Split the line in two: `float before = t >= back ? part[t - back] : 0;` then, later, `part[t] += before;`.",
    "Put a threadgroup_barrier(mem_flags::mem_threadgroup) between the two, and another after the second. Both outside any if: all threads must reach them.",
  },
  challenges = {
    { name = "one-barrier", title = "One barrier",
      task = "Seventeen barriers are in our solution. With the instruction for a SIMD-group one is enough. Fewer barriers.",
      score = { profile = "barriers", per = "simdgroup", size = { n = 1024 }, say = "The last lane of each SIMD-group knows its total; one barrier, and each adds the totals before it." },
      wrong = "wrong",
      hints = { "simd_prefix_inclusive_sum, and eight totals in threadgroup memory." } },
    { name = "fewest-instructions", title = "Two elements a thread",
      task = "128 threads now scan 256 elements, two neighbours each. Fewer instructions in all.",
      score = { profile = "issued", size = { n = 2048 }, say = "A pair is one element of the scan: half as many threads, and one prefix sum for both." },
      wrong = "wrong",
      launch = function(s)
        return { groups = (s.n + 255) // 256, group = 128 }
      end,
      hints = { "Scan the sums of pairs by simd_prefix_exclusive_sum, and add the first of the pair." } },
  },
}
