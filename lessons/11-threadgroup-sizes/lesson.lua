return {
  title = "Threadgroups: how many threads in a team?", part = 2, minutes = 12,
  task = "Make `fill_positions` right for every size of threadgroup.",
  kernel = "fill_positions",
  arguments = function(s, make)
    return { out = make.out("uint", s.n), n = s.n }
  end,
  outputs = { "out" },
  launch = function(s)
    return { groups = (s.n + s.size - 1) // s.size, group = s.size }
  end,
  reference = function(s, arg, out)
    for i = 0, s.n - 1 do out.out[i] = 10 * i + 7 end
  end,
  tolerance = 0,
  cases = { { n = 1, size = 1 }, { n = 2, size = 1 }, { n = 3, size = 2 },
    { n = 31, size = 32 }, { n = 100, size = 32 }, { n = 101, size = 50 },
    { n = 257, size = 256 }, { n = 1023, size = 33 },
    { n = 2049, size = 1024 } },
  rules = {
    { forbid = "thread_position_in_grid",
      say = "Build the position from the three other numbers: that is what this exercise is about." },
  },
  targets = {
    { profile = "device_writes", per = "busiest thread", at_most = 1,
      size = { n = 1024, size = 256 },
      say = "There is a thread for every element: each writes one." },
  },
  start_fails = { "wrong", "coverage" },
  wrong = { ["local-only"] = { "wrong", "coverage" },
    ["roles-exchanged"] = { "wrong", "coverage", "race" },
    ["another-number"] = { "wrong", "coverage" },
    ["off-by-one"] = { "wrong", "coverage" }, ["the-position-itself"] = "rule",
    ["position-of-the-program"] = "rule", ["one-thread-for-all"] = "target" },
  hints = {
    "How many threads come before the first thread of team 3, if a team has 50?",
    "The kernel has a parameter with the size of a team: use it where the number 256 stands.",
    "`uint i = group * size + local;`",
  },
  challenges = {
    { name = "stride", title = "A quarter of the groups",
      task = "A quarter of the groups is launched, so each thread writes up to four elements; still without [[thread_position_in_grid]]. In the start a thread writes neighbours: move fewer lines of memory.",
      score = { profile = "lines", size = { n = 4096, size = 64 }, say = "Each step should go on by the number of all threads, size × groups, so that neighbours write neighbours." },
      wrong = "coverage",
      launch = function(s)
        return { groups = (s.n + 4 * s.size - 1) // (4 * s.size),
          group = s.size }
      end,
      rules = { { forbid = "thread_position_in_grid", say = "Build the position from the other numbers." } },
      hints = { "In each round all threads together write a stretch without gaps: step by the number of all threads, size * groups." } },
    { name = "four-writes-in-one", title = "Four writes in one",
      task = "A quarter of the groups again, still without [[thread_position_in_grid]], and n is a multiple of four: write four elements at once. Fewer writes.",
      score = { profile = "device_writes", size = { n = 4096, size = 64 }, say = "A uint4 is one write for four elements." },
      wrong = "wrong",
      launch = function(s)
        return { groups = (s.n + 4 * s.size - 1) // (4 * s.size),
          group = s.size }
      end,
      rules = { { forbid = "thread_position_in_grid", say = "Build the position from the other numbers." } },
      cases = { { n = 4, size = 1 }, { n = 100, size = 32 },
        { n = 1024, size = 33 } },
      hints = { "As uint4, out has n / 4 elements: element i holds the values of 4i to 4i + 3." } },
  },
}
