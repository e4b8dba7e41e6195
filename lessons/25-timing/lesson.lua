-- A run() that returns these seconds one after the other, and counts its calls.
local function clock(seconds)
  local calls = 0
  return function()
    calls = calls + 1
    return seconds[calls] or 1
  end, function() return calls end
end

local trials = {
  { { 9, 3 }, 3 }, { { 9, 3, 5 }, 4 }, { { 50, 1, 2, 30 }, 2 }, { { 0.1, 4, 1, 3, 2 }, 2.5 },
  { { 7, 5, 1, 4, 2, 3 }, 3 }, { { 1, 8, 8, 8, 8, 8, 100 }, 8 },
}

return {
  title = "Timing, and how to be fooled", part = 4, minutes = 12,
  task = "Write `time_of(run, n)`: one warm-up run, then the median of n runs.",
  exercise = function(env)
    if type(env.time_of) ~= "function" then return false, "there is no function time_of" end
    for _, trial in ipairs(trials) do
      local seconds, want = trial[1], trial[2]
      local run, calls = clock(seconds)
      local n = #seconds - 1
      local got = env.time_of(run, n)
      local story = ("run() took %s seconds, one after the other, and n = %d"):format(table.concat(seconds, ", "), n)
      if type(got) ~= "number" then return false, ("%s: time_of returned %s, not a number"):format(story, tostring(got)) end
      if calls() ~= n + 1 then
        return false, ("%s: run() was called %d times; a warm-up and %d runs are %d"):format(story, calls(), n, n + 1)
      end
      if math.abs(got - want) > 1e-9 then
        return false, ("%s: time_of returned %g, expected %g"):format(story, got, want)
      end
    end
    return true
  end,
  start_fails = "wrong",
  wrong = { ["no-warm-up"] = "wrong", ["not-sorted"] = "wrong", ["odd-only"] = "wrong", ["best-of"] = "wrong" },
  hints = {
    "Call run() once and throw its time away. Then collect n times in a table.",
    "table.sort(times) sorts them. With n = 5 the median is times[3].",
    "With an even n it is the mean of times[n / 2] and times[n / 2 + 1]; `//` divides to whole numbers.",
  },
}
