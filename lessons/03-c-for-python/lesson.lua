return {
  title = "C for Python people", part = 1, minutes = 20,
  task = "Write `summary` in C: the mean, the least and the number of odd elements of x.",
  kernel = "summary",
  arguments = function(s, make)
    return { x = make.integers("int", s.low or -100, s.high or 100, s.n),
      out = make.out("float", 3), n = s.n }
  end,
  outputs = { "out" },
  launch = function() return { grid = 1, group = 1 } end,
  reference = function(s, arg, out)
    local sum, least, odd = 0, arg.x[0], 0
    for i = 0, s.n - 1 do
      local v = arg.x[i]
      sum, least, odd = sum + v, math.min(least, v), odd + v % 2
    end
    out.out[0], out.out[1], out.out[2] = sum / s.n, least, odd
  end,
  tolerance = 1e-6,
  cases = { { n = 1 }, { n = 2 }, { n = 3 }, { n = 4, low = 5, high = 50 },
    { n = 7, low = -50, high = -5 }, { n = 32 }, { n = 97 } },
  targets = {
    { profile = "device_reads", per = "busiest thread", at_most = 98,
      size = { n = 96 },
      say = "Read each element once: one loop does all three." },
  },
  start_fails = { "wrong", "uninitialised" },
  wrong = { ["whole-mean"] = "wrong", ["odd-as-in-python"] = "wrong",
    ["least-begins-at-zero"] = "wrong",
    ["one-too-far"] = { "out-of-bounds", "wrong" },
    ["sum-without-a-value"] = { "uninitialised", "wrong" },
    ["python"] = "compile", ["three-loops"] = "target" },
  hints = {
    "Declare what the loop should leave before it: int sum = 0, least = x[0]; uint odd = 0;",
    "for (uint i = 0; i < n; i++) { … } goes through x. Put x[i] into an int first: that is its only read.",
    "x % 2 is -1 for a negative odd number, so ask whether it is != 0.",
    "sum / n divides whole numbers, and n is even a uint: float(sum) / n is what you want.",
  },
  challenges = {
    { name = "four-at-once", title = "Four at once",
      task = "An `int4` holds four ints, v.x, v.y, v.z and v.w, and is read in one go: ((device const int4 *)x)[k] has elements 4k to 4k + 3. Read x with fewer reads; what is left at the end is read one by one.",
      score = { profile = "device_reads", per = "busiest thread", size = { n = 96 }, say = "Four ints that lie side by side are one read." },
      wrong = "wrong",
      hints = { "Put the work on one int into a function that gets the sums as references, or write it four times.",
        "A loop over k < n / 4, then one from n / 4 * 4 to n. Begin least with the largest int, 2147483647, so that x[0] is not read twice." } },
    { name = "no-division", title = "Digits",
      task = "`digits`: out[i] is the sum of the decimal digits of x[i], a thread for each number from 0 to 99,999. The start takes ten digits from each, as if it were the largest uint. Fewer instructions.",
      score = { profile = "issued", size = { n = 256 }, say = "A loop may end when nothing is left, and five digits are the most." },
      kernel = "digits",
      arguments = function(s, make)
        return { x = make.integers("uint", 0, 99999, s.n),
          out = make.out("uint", s.n) }
      end,
      outputs = { "out" },
      launch = function(s) return { grid = s.n, group = 64 } end,
      reference = function(s, arg, out)
        for i = 0, s.n - 1 do
          local v, sum = arg.x[i], 0
          while v > 0 do v, sum = v // 10, sum + v % 10 end
          out.out[i] = sum
        end
      end,
      tolerance = 0, cases = { { n = 1 }, { n = 33 }, { n = 500 } },
      wrong = "wrong",
      hints = { "x % 10 is x - 10 * (x / 10): the division can serve both.",
        "Five rounds, written as for (int k = 0; k < 5; k++), need no test of x." } },
    { name = "longest-run", title = "The longest run",
      task = "`run_length`: out[0] is the length of the longest run of equal elements of x, which one thread looks through. The start measures the run from every element on. Fewer reads.",
      score = { profile = "device_reads", size = { n = 96 }, say = "Each element need be read only once: keep the one before in a variable." },
      kernel = "run_length",
      arguments = function(s, make)
        return { x = make.integers("int", 0, s.high, s.n),
          out = make.out("uint", 1), n = s.n }
      end,
      launch = function() return { grid = 1, group = 1 } end,
      reference = function(s, arg, out)
        local best, now = 1, 1
        for i = 1, s.n - 1 do
          now = arg.x[i] == arg.x[i - 1] and now + 1 or 1
          best = math.max(best, now)
        end
        out.out[0] = best
      end,
      cases = { { n = 1, high = 1 }, { n = 2, high = 1 }, { n = 30, high = 1 },
        { n = 96, high = 2 } },
      wrong = "wrong",
      hints = { "Three variables: the element before, the length of the run so far, the best so far.",
        "Compare best with the run at every element, not only where a run ends: the last one ends with x." } },
  },
}
