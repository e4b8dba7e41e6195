return {
  title = "Barriers and races: a detective story", part = 2, minutes = 20,
  task = "Make `heat` free of races, for every length of rod and number of steps.",
  kernel = "heat",
  arguments = function(s, make)
    local n = s.rods * s.length
    return { before = make.random(n), after = make.out("float", n),
      steps = s.steps }
  end,
  outputs = { "after" },
  launch = function(s) return { groups = s.rods, group = s.length } end,
  reference = function(s, arg, out)
    for r = 0, s.rods - 1 do
      local rod, first = {}, r * s.length
      for t = 1, s.length do rod[t] = arg.before[first + t - 1] end
      for _ = 1, s.steps do
        local new = { rod[1] }
        for t = 2, s.length - 1 do
          new[t] = (rod[t - 1] + rod[t] + rod[t + 1]) / 3
        end
        if s.length > 1 then new[s.length] = rod[s.length] end
        rod = new
      end
      for t = 1, s.length do out.after[first + t - 1] = rod[t] end
    end
  end,
  tolerance = 1e-5,
  cases = { { rods = 1, length = 1, steps = 1 },
    { rods = 1, length = 3, steps = 1 }, { rods = 2, length = 3, steps = 2 },
    { rods = 1, length = 31, steps = 4 }, { rods = 2, length = 33, steps = 3 },
    { rods = 3, length = 100, steps = 5 },
    { rods = 2, length = 256, steps = 7 } },
  targets = {
    { profile = "issued", per = "busiest thread", of_solution = 4,
      size = { rods = 2, length = 256, steps = 7 },
      say = "One thread for each point: a thread that computes the whole rod needs no barrier, and the others wait for it." },
  },
  start_fails = { "race", "wrong" },
  wrong = { ["flag-of-the-other-memory"] = "race", ["no-barrier-after-reading"] = { "race", "wrong" },
    ["no-barrier-after-writing"] = { "race", "wrong" }, ["barrier-inside-the-if"] = { "divergent-barrier", "race" },
    ["one-thread-for-the-rod"] = "target", ["one-thread-computes"] = "target" },
  hints = {
    "In a step, each thread reads three places and writes one. None may write before all have read.",
    "Split the step: compute the mean into a variable `float mean`, which starts as rod[t] for the ends, and write it later.",
    "A threadgroup_barrier(mem_flags::mem_threadgroup) between the two, one at the end of each step, and one before the loop. All three outside any if.",
  },
  challenges = {
    { name = "one-barrier", title = "One barrier a step",
      task = "With two rods, one to read and one to write, a step needs one barrier. Fewer barriers.",
      score = { profile = "barriers", per = "simdgroup",
        size = { rods = 2, length = 256, steps = 8 },
        say = "No thread writes what is read in this step if there are two rods: then one barrier, after writing, is enough." },
      wrong = "race",
      hints = { "While a slow thread still reads the old rod, a fast one writes only to the new one." } },
    { name = "registers", title = "What a thread knows already",
      task = "A thread knows its own temperature and need not look it up. Fewer reads of threadgroup memory.",
      score = { profile = "group_reads",
        size = { rods = 2, length = 256, steps = 8 },
        say = "A thread keeps its own temperature in a variable and reads only its two neighbours." },
      wrong = "out-of-bounds",
      hints = { "Keep float mine over all steps; only the two neighbours are read.", "The last step need not be written back to the rod at all." } },
  },
}
