-- A run() that returns these seconds one after the other, and counts its calls.
local function clock(seconds)
  local calls = 0
  return function()
    calls = calls + 1
    return seconds[calls] or 1
  end, function() return calls end
end

local trials = {
  { { 9, 3 }, 3 }, { { 9, 3, 5 }, 4 }, { { 50, 1, 2, 30 }, 2 },
  { { 0.1, 4, 1, 3, 2 }, 2.5 },
  { { 7, 5, 1, 4, 2, 3 }, 3 }, { { 1, 8, 8, 8, 8, 8, 100 }, 8 },
}

-- Three times within 1 % of the least, after how many runs? And the least then.
local function agreed(seconds)
  local least = {}
  for i = 1, 100 do
    least[#least + 1] = seconds(i)
    table.sort(least)
    if least[3] and least[3] <= 1.01 * least[1] then return i, least[1] end
  end
  return 100, least[1]
end

local function judge_fastest(env)
  if type(env.fastest) ~= "function" then return false, "there is no function fastest" end
  local score = 0
  for _, row in ipairs { { 5, 5, 5 }, { 9, 4, 4.02, 4.03 },
    { 4, 4.02, 3, 3.01, 5, 3.02 }, { 8, 7, 6, 5, 4, 3, 3.001, 2, 3.002 },
    {} } do
    local function seconds(i)
      return row[i] or #row > 0 and 20 or 1 + (i * 37 % 100) / 10
    end
    local needed, want = agreed(seconds)
    local calls = 0
    local got = env.fastest(function()
      calls = calls + 1
      return seconds(calls)
    end)
    local story = ("run() took %s … seconds"):format(table.concat({ seconds(1),
      seconds(2), seconds(3), seconds(4) }, ", "))
    if calls < needed then return false, ("%s: it stopped after %d runs, and no three of these lie within 1 %% of the least"):format(story, calls) end
    if calls > 100 then return false, ("%s: run() was called %d times; 100 is the most"):format(story, calls) end
    if calls == needed and got ~= want then
      return false, ("%s: it returned %s, expected %g"):format(story, tostring(got), want)
    end
    score = score + calls
  end
  return true, "Right for all five.", score
end

local function judge_repeats(env)
  if type(env.repeats) ~= "function" then return false, "there is no function repeats" end
  local score = 0
  for _, t in ipairs { { 1e-9, 0.001, 0.01 }, { 0.5, 0.01, 0.25 },
    { 3e-6, 0.001, 0.1 }, { 1e-4, 0.01, 0.02 }, { 1.9e-9, 0.001, 1 } } do
    local each, tick, least = t[1], t[2], t[3]
    local calls = 0
    local function run(k) return math.floor(each * k / tick) * tick end
    local want = 1
    while run(want) < least do want = 2 * want end
    local got = env.repeats(function(k)
      calls = calls + 1
      return run(k)
    end, least)
    if got ~= want then
      return false, ("work of %g s, a tick of %g s, least = %g: it returned %s, expected %d"):format(each, tick, least, tostring(got), want)
    end
    score = score + calls
  end
  return true, "Right for all five clocks.", score
end

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
        return false, ("%s: the number of calls of run() is %d; with the warm-up it should be %d"):format(story, calls(), n + 1)
      end
      if math.abs(got - want) > 1e-9 then
        return false, ("%s: time_of returned %g, expected %g"):format(story, got, want)
      end
    end
    return true
  end,
  start_fails = "wrong",
  wrong = { ["no-warm-up"] = "wrong", ["not-sorted"] = "wrong",
    ["odd-only"] = "wrong", ["best-of"] = "wrong" },
  hints = {
    "Call run() once and throw its time away. Then collect n times in a table.",
    "table.sort(times) sorts them. With n = 5 the median is times[3].",
    "With an even n it is the mean of times[n / 2] and times[n / 2 + 1]; `//` divides to whole numbers.",
  },
  challenges = {
    { name = "enough", title = "No more runs than needed",
      task = "`fastest(run)` returns the least time that run() took, and stops as soon as three runs lie within 1 % of the least, itself included; after 100 runs at the latest. The start always makes 100. Fewer calls of run().",
      score = { counts = "calls of run()", say = "Look at the times after every run: are the three least within 1 %?" },
      exercise = judge_fastest, wrong = "wrong",
      hints = { "Keep the three least times. A new one takes its place among them.",
        "Stop when the third is at most 1.01 times the first." } },
    { name = "how-often", title = "Longer than a tick",
      task = "A clock with coarse ticks says 0 for short work, so work is repeated. run(k) does it k times and returns the seconds. `repeats(run, least)` returns the smallest power of two k, up to 2^30, with run(k) >= least. The start tries 1, 2, 4 … Fewer calls of run().",
      score = { counts = "calls of run()", say = "Doubling tries every power. run(k) only grows with k: what does one look at the middle rule out?" },
      exercise = judge_repeats, wrong = "wrong",
      hints = { "The answer is one of 31 powers, 2^0 to 2^30. Look at the middle one first.",
        "Keep low and high, exponents between which the answer lies; run(2 ^ middle) >= least makes middle the new high, else middle + 1 the new low." } },
    { name = "median", title = "The median of 32 runs",
      task = "`median`: y[r] is the median of the 32 times in row r, a SIMD-group for each row: the mean of the two in the middle. In the start every lane reads the whole row and counts what is less. Fewer instructions.",
      score = { profile = "issued", size = { rows = 16 }, say = "Sort the row across the lanes: simd_shuffle_xor exchanges values with a partner, and 15 exchanges sort 32 of them." },
      kernel = "median",
      arguments = function(s, make)
        return { x = make.random(s.rows, 32), y = make.out("float", s.rows) }
      end,
      outputs = { "y" },
      launch = function(s) return { groups = s.rows, group = 32 } end,
      reference = function(s, arg, out)
        for r = 0, s.rows - 1 do
          local row = {}
          for c = 1, 32 do row[c] = arg.x[32 * r + c - 1] end
          table.sort(row)
          out.y[r] = (row[16] + row[17]) / 2
        end
      end,
      tolerance = 1e-6, cases = { { rows = 1 }, { rows = 2 }, { rows = 7 } },
      wrong = "wrong",
      hints = { "A bitonic sort: for k = 2, 4 … 32 and j = k / 2, k / 4 … 1, a lane exchanges with lane ^ j.",
        "It keeps the lesser of the two if (lane & j) == 0 and (lane & k) == 0 agree, else the larger.",
        "Then lanes 15 and 16 have the middle: simd_shuffle(v, 15)." } },
  },
}
