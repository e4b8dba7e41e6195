return {
  title = "Occupancy and registers", part = 4, minutes = 18,
  task = "Make `contrast` leave room for 3,072 threads on a core, reading each element once.",
  kernel = "contrast",
  arguments = function(s, make)
    return { x = make.random("float", 32 * s.n, nil, 0.25, 1),
      y = make.out("float", s.n) }
  end,
  outputs = { "y" },
  launch = function(s) return { grid = s.n, group = 64 } end,
  reference = function(s, arg, out)
    for i = 0, s.n - 1 do
      local low, high = math.huge, -math.huge
      for k = 0, 31 do
        local v = arg.x[i + k * s.n]
        low, high = math.min(low, v), math.max(high, v)
      end
      out.y[i] = (high - low) / (high + low)
    end
  end,
  tolerance = 1e-5,
  cases = { { n = 1 }, { n = 2 }, { n = 3 }, { n = 65 }, { n = 200 } },
  targets = {
    { profile = "device_reads", per = "busiest thread", at_most = 33,
      size = { n = 128 },
      say = "Each element is needed once: compare it with low and with high as it comes." },
    { profile = "occupancy", gpu = "M1", at_least = 3072, size = { n = 128 },
      say = "What a thread must keep is low and high: two registers, and no threadgroup memory." },
  },
  start_fails = "target",
  wrong = { ["half-a-tile"] = "target", ["twice-through-memory"] = "target",
    ["a-stretch-for-each"] = "wrong", ["low-begins-at-zero"] = "wrong",
    ["an-array-that-is-kept"] = "target" },
  hints = {
    "The tile is not needed: no thread reads what another thread wrote. So what must be kept of the elements seen so far?",
    "The least and the largest. float low = x[i], high = x[i]; and a loop over the other 31.",
    "for (uint k = 1; k < 32; k++) { float v = x[i + k * n]; low = min(low, v); high = max(high, v); }",
  },
  challenges = {
    { name = "walk", title = "Walk along",
      task = "`x[i + k * n]` multiplies for every element, and low and high are two comparisons each round. Fewer instructions, with as few registers.",
      score = { profile = "issued", size = { n = 128 }, say = "Let a pointer go on by n each round, and find both extremes by one min of a float2." },
      wrong = "wrong",
      hints = { "A pointer that moves on by n needs no multiplication.",
        "low and -high are both minima: min of two float2, (v, -v), finds both at once." } },
    { name = "small-tile", title = "A smaller tile",
      task = "`reverse_groups` turns the 64 elements of each threadgroup round: y[64 g + t] = x[64 g + 63 - t]. The start takes a tile of 4,096 floats, of which 64 are used; only three such groups fit on an M1's core. Fewer bytes of threadgroup memory.",
      score = { profile = "threadgroup_bytes", size = { n = 256 }, say = "Does a thread need what another one wrote to the tile, or only what is in x?" },
      kernel = "reverse_groups",
      arguments = function(s, make)
        return { x = make.random("float", s.n), y = make.out("float", s.n) }
      end,
      reference = function(s, arg, out)
        for i = 0, s.n - 1 do out.y[i] = arg.x[i // 64 * 64 + 63 - i % 64] end
      end,
      cases = { { n = 64 }, { n = 128 }, { n = 640 } }, wrong = "wrong",
      hints = { "Neighbours may read backwards: a SIMD-group still uses all of every line.", "y[i] = x[i - t + 63 - t] needs no tile." } },
    { name = "third-best", title = "The three best",
      task = "`third`: y[i] is the third largest of the 32 numbers x[i + k * n]. The start keeps all 32 in an array and sorts it. What has to be kept? Fewer instructions of the busiest thread.",
      score = { profile = "issued", per = "busiest thread", size = { n = 128 }, say = "Three variables are enough: the best, the second and the third so far." },
      kernel = "third",
      reference = function(s, arg, out)
        for i = 0, s.n - 1 do
          local list = {}
          for k = 0, 31 do list[k + 1] = arg.x[i + k * s.n] end
          table.sort(list)
          out.y[i] = list[30]
        end
      end,
      wrong = "wrong",
      hints = { "A new number v sinks through them: each keeps the larger and passes the smaller on.",
        "float w = min(a, v); a = max(a, v); then the same with b and w, and c needs only the max." } },
  },
}
