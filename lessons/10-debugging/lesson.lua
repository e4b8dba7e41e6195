return {
  title = "Debugging: what did thread 3 do?", part = 1, minutes = 20,
  task = "Find the mistakes of `find`, a binary search, and fix them.",
  kernel = "find",
  arguments = function(s, make)
    local list, x = {}, gpu.buffer("int", math.max(s.n, 1))
    x:fill(-1000) -- what is read where n is 0
    local drawn = make.integers("int", 0, 2 * s.n, math.max(s.n, 1))
    for i = 0, s.n - 1 do list[i + 1] = drawn[i] end
    table.sort(list)
    for i, v in ipairs(list) do x[i - 1] = v end
    local q = make.integers("int", -1, 2 * s.n + 1, s.m)
    if s.m > 2 then q[1], q[2] = 2 * s.n + 1, -1 end
    return { x = x, q = q, place = make.out("uint", s.m), n = s.n }
  end,
  outputs = { "place" },
  launch = function(s) return { grid = s.m, group = 32 } end,
  reference = function(s, arg, out)
    for i = 0, s.m - 1 do
      local count = 0
      for k = 0, s.n - 1 do
        if arg.x[k] < arg.q[i] then count = count + 1 end
      end
      out.place[i] = count
    end
  end,
  tolerance = 0,
  cases = { { n = 1, m = 3 }, { n = 2, m = 4 }, { n = 3, m = 5 },
    { n = 0, m = 2 }, { n = 8, m = 10 }, { n = 31, m = 33 },
    { n = 100, m = 64 } },
  targets = {
    { profile = "device_reads", per = "busiest thread", at_most = 24,
      size = { n = 1000, m = 32 },
      say = "Halve the stretch in each round: a thousand elements take ten rounds." },
  },
  start_fails = { "wrong", "error", "out-of-bounds" },
  wrong = { ["from-one-end"] = "target",
    ["last-is-lost"] = { "wrong", "error", "out-of-bounds" },
    ["wraps-below-zero"] = { "wrong", "error", "out-of-bounds" },
    ["counts-equal-ones"] = "wrong", ["middle-is-skipped"] = "wrong",
    ["no-elements"] = { "wrong", "error", "out-of-bounds" } },
  hints = {
    "Take x = 10 20 30 and q = 5 20 25 99, record it, and read r:thread(3): can its place ever be 3?",
    "While the search runs, the answer lies between low and high, both included. At first it can be anything from 0 to n.",
    "If x[middle] is not smaller, the answer can be middle itself. And middle - 1 is 4294967295 where middle is 0.",
    "Three lines: high begins at n; the loop runs while low < high; and `high = middle;`.",
  },
  challenges = {
    { name = "thirty-two", title = "Thirty-two at once",
      task = "Now a SIMD-group has each query: group i of 32 threads finds place[i]. In the start all 32 lanes do the same search. Let them look at 32 places in each round: fewer reads by the busiest thread.",
      score = { profile = "device_reads", per = "busiest thread", size = { n = 1000, m = 16 }, say = "Ten rounds halve a thousand; two rounds of 32 places are enough." },
      launch = function(s) return { groups = s.m, group = 32 } end,
      wrong = { "wrong", "out-of-bounds" },
      hints = { "Split the stretch low … high into 33 parts by 32 places; each lane compares the element at its own place with q.",
        "simd_sum(uint(…)) counts the lanes whose element is smaller: that many parts lie before the answer.",
        "Once high - low is at most 32, lane l looks at low + l, and the count is added to low." } },
    { name = "how-many", title = "How many of them?",
      task = "`count_equal`: count[i] is how many elements of the sorted x are equal to q[i]. The start goes through all of x. Fewer reads by the busiest thread.",
      score = { profile = "device_reads", per = "busiest thread",
        size = { n = 1000, m = 32 }, within = 1.05,
        say = "Two searches are enough: for the first that is not smaller, and for the first that is larger." },
      kernel = "count_equal",
      arguments = function(s, make)
        local drawn, list, x =
          make.integers("int", 0, s.n // 4, s.n), {}, gpu.buffer("int", s.n)
        for i = 1, s.n do list[i] = drawn[i - 1] end
        table.sort(list)
        for i, v in ipairs(list) do x[i - 1] = v end
        return { x = x, q = make.integers("int", -1, s.n // 4 + 1, s.m),
          count = make.out("uint", s.m), n = s.n }
      end,
      outputs = { "count" },
      reference = function(s, arg, out)
        for i = 0, s.m - 1 do
          local count = 0
          for k = 0, s.n - 1 do
            if arg.x[k] == arg.q[i] then count = count + 1 end
          end
          out.count[i] = count
        end
      end,
      cases = { { n = 1, m = 3 }, { n = 8, m = 10 }, { n = 31, m = 33 },
        { n = 100, m = 64 } },
      wrong = "wrong",
      hints = { "The search of the lesson finds the first that is not smaller. With <= it finds the first that is larger.",
        "The second search can begin where the first ended." } },
  },
}
