local trials = { -- bytes, operations, memory, operations a second: seconds, limit
  { 12e6, 1e6, 1e9, 1e10, 0.012, "memory" }, { 12e6, 2e9, 1e9, 1e10, 0.2, "arithmetic" },
  { 1e6, 1e7, 1e8, 1e9, 0.01, "memory" }, { 100, 300, 50, 100, 3, "arithmetic" }, { 300, 100, 100, 10, 10, "arithmetic" },
  { 8, 0, 4, 1, 2, "memory" },
}

return {
  title = "The roofline: how fast could it be?", part = 4, minutes = 12,
  task = "Write `best_time(bytes, operations, peaks)` by the roofline model.",
  exercise = function(env)
    if type(env.best_time) ~= "function" then return false, "there is no function best_time" end
    for _, t in ipairs(trials) do
      local seconds, limit = env.best_time(t[1], t[2], { memory = t[3], operations = t[4] })
      local story = ("%g bytes and %g operations, on a machine with %g bytes and %g operations a second"):format(t[1], t[2], t[3], t[4])
      if type(seconds) ~= "number" then return false, ("%s: the first result is %s, not a number"):format(story, tostring(seconds)) end
      if math.abs(seconds - t[5]) > 1e-9 * t[5] then return false, ("%s: got %g seconds, expected %g"):format(story, seconds, t[5]) end
      if limit ~= t[6] then return false, ("%s: got the limit %s, expected \"%s\""):format(story, tostring(limit), t[6]) end
    end
    return true
  end,
  start_fails = "wrong",
  wrong = { ["least-of-both"] = "wrong", ["words-exchanged"] = "wrong", ["ignores-the-machine"] = "wrong",
    ["compares-counts"] = "wrong" },
  hints = {
    "Moving the bytes takes bytes / peaks.memory seconds. What does computing take?",
    "Both happen at the same time, so they do not add up: the longer one counts.",
    "Compute `moving` and `computing`; return moving, \"memory\" if moving >= computing, else computing, \"arithmetic\".",
  },
}
