-- bytes, operations, memory, operations a second: seconds, limit
local trials = {
  { 12e6, 1e6, 1e9, 1e10, 0.012, "memory" },
  { 12e6, 2e9, 1e9, 1e10, 0.2, "arithmetic" },
  { 1e6, 1e7, 1e8, 1e9, 0.01, "memory" },
  { 100, 300, 50, 100, 3, "arithmetic" },
  { 300, 100, 100, 10, 10, "arithmetic" },
  { 8, 0, 4, 1, 2, "memory" },
}

return {
  title = "The roofline: how fast could it be?", part = 4, minutes = 12,
  task = "Write `best_time(bytes, operations, peaks)` by the roofline model.",
  exercise = function(env)
    if type(env.best_time) ~= "function" then return false, "there is no function best_time" end
    for _, t in ipairs(trials) do
      local seconds, limit =
        env.best_time(t[1], t[2], { memory = t[3], operations = t[4] })
      local story = ("%g bytes and %g operations, on a machine with %g bytes and %g operations a second"):format(t[1], t[2], t[3], t[4])
      if type(seconds) ~= "number" then
        return false, ("%s: the first result is %s, not a number"):format(story, tostring(seconds))
      end
      if math.abs(seconds - t[5]) > 1e-9 * t[5] then
        return false, ("%s: got %g seconds, expected %g"):format(story, seconds, t[5])
      end
      if limit ~= t[6] then
        return false, ("%s: got the limit %s, expected \"%s\""):format(story, tostring(limit), t[6])
      end
    end
    return true
  end,
  start_fails = "wrong",
  wrong = { ["least-of-both"] = "wrong", ["words-exchanged"] = "wrong",
    ["ignores-the-machine"] = "wrong", ["compares-counts"] = "wrong" },
  hints = {
    "Moving the bytes takes bytes / peaks.memory seconds. What does computing take?",
    "Both happen at the same time, so they do not add up: the longer one counts.",
    "Compute `moving` and `computing`; return moving, \"memory\" if moving >= computing, else computing, \"arithmetic\".",
  },
  challenges = {
    { name = "fused", title = "Fewer bytes",
      task = "`affine`: y = 3 (2 x + 1). The start keeps 2 x + 1 in memory, in `between`, and reads it again; no one else needs it, so it may hold anything afterwards. Move fewer lines of memory: that is what the roofline asks for.",
      score = { profile = "lines", size = { n = 4096 }, say = "What is only needed by the same thread belongs into a variable, not into memory." },
      wrong = "wrong",
      kernel = "affine",
      arguments = function(s, make)
        return { x = make.random(s.n), between = make.zeros("float", s.n),
          y = make.out("float", s.n) }
      end,
      outputs = { "y" },
      launch = function(s) return { grid = s.n, group = 64 } end,
      reference = function(s, arg, out)
        for i = 0, s.n - 1 do out.y[i] = 3 * (2 * arg.x[i] + 1) end
      end,
      tolerance = 1e-5, cases = { { n = 1 }, { n = 65 }, { n = 1000 } },
      hints = { "What is needed once need not go to memory." } },
    { name = "one-pass", title = "Two sums, one pass",
      task = "`moments`: out[2 r] is the sum of row r and out[2 r + 1] the sum of its squares, a SIMD-group for each row. The start goes through the row twice: the same operations for half the bytes. Fewer reads of device memory.",
      score = { profile = "device_reads", size = { rows = 8, columns = 256 }, say = "Read an element once, into a variable, and use it for both sums." },
      wrong = "wrong",
      kernel = "moments",
      arguments = function(s, make)
        return { x = make.random(s.rows, s.columns),
          out = make.out("float", 2 * s.rows), columns = s.columns }
      end,
      outputs = { "out" },
      launch = function(s) return { groups = s.rows, group = 32 } end,
      reference = function(s, arg, out)
        for r = 0, s.rows - 1 do
          local sum, squares = 0, 0
          for c = r * s.columns, (r + 1) * s.columns - 1 do
            sum, squares = sum + arg.x[c], squares + arg.x[c] * arg.x[c]
          end
          out.out[2 * r], out.out[2 * r + 1] = sum, squares
        end
      end,
      tolerance = 1e-4,
      cases = { { rows = 1, columns = 1 }, { rows = 3, columns = 33 },
        { rows = 2, columns = 300 } },
      hints = { "Read an element into a variable, and use it for both sums." } },
  },
}
