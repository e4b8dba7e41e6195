local function is_kernel(k)
  return type(k) == "userdata" and pcall(function()
    return k.max_threads + 0
  end)
end

local function with(kernel, launch)
  local t = { kernel }
  for name, value in pairs(launch) do t[name] = value end
  return t
end

-- nil, or why the kernel's answer is not what the learner says it must be.
local function wrong_answer(kernel, launch, output, expected)
  local out = launch[output]
  out:fill(0 / 0)
  kernel(launch)
  for i = 0, #out - 1 do
    local wanted = expected(i)
    if type(wanted) ~= "number" then
      return ("expected(%d) gives no number"):format(i)
    end
    local most = 1e-3 * math.max(1, math.abs(wanted))
    if not (math.abs(out[i] - wanted) <= most) then
      return ("%s[%d] is %g, and expected(%d) says %g"):format(output, i, out[i], i, wanted)
    end
  end
end

local function finding(kernel, launch)
  local report = check(with(kernel, launch))
  if not report.ok then
    return "check finds a mistake in it: " .. tostring(report[1]):match "[^\n]*"
  end
end

-- What a launch costs by the profiler's model: instructions, lines, banks,
-- atomics that wait.
local function price(p)
  return p.instructions + 4 * p.total.lines + p.total.banks
    + p.total.atomics_worst
end

local function judge_choice(env)
  if not is_kernel(env.naive) then return false, "naive must be a kernel: gpu.kernel[=[ … ]=]" end
  if type(env.launch) ~= "table" or type(env.expected) ~= "function"
    or type(env.output) ~= "string" then
    return false, "the file must set launch (a table), output (a name) and expected (a function)"
  end
  local ok, out = pcall(function() return #env.launch[env.output] end)
  if not ok or out < 1 then return false, "launch has no buffer called '" .. env.output .. "'" end
  local why = finding(env.naive, env.launch)
    or wrong_answer(env.naive, env.launch, env.output, env.expected)
  if why then return false, why end
  local p = profile(with(env.naive, env.launch))
  if p.instructions < 200 then
    return false, ("it issues only %d instructions in all: take more data, there is nothing to win here"):format(p.instructions)
  end
  return true, "Right, and clean. Now it may become fast."
end

local reasons = {
  lines = function(p) return p.total.lines >= 1.5 * p.total.lines_ideal end,
  divergence = function(p) return p.active <= 0.8 end,
  conflicts = function(p) return p.conflicts >= 1.5 end,
  atomics = function(p) return p.total.atomics_worst >= 32 end,
  instructions = function(p)
    return p.total.lines < 1.5 * p.total.lines_ideal and p.active > 0.8
      and p.conflicts < 1.5 and p.total.atomics_worst < 32
  end,
}

local function judge_reason(env)
  local ok, instructions = pcall(function() return env.cost.instructions end)
  if not ok or type(instructions) ~= "number" then
    return false, "cost must be what profile gives: profile{mine.naive, …}"
  end
  local there = reasons[env.reason]
  if not there then
    return false, "reason is one of \"lines\", \"divergence\", \"conflicts\", \"atomics\", \"instructions\""
  end
  if not there(env.cost) then
    return false, ("the profile does not show \"%s\": print(cost), and look for what is above its ideal"):format(env.reason)
  end
  return true, "Right: that is where it goes."
end

local function judge_faster(env)
  local mine = answer "choose"
  if not is_kernel(env.fast) or type(env.fast_launch) ~= "table" then
    return false, "the file must set fast (a kernel) and fast_launch (a table)"
  end
  if env.fast_launch[mine.output] == nil then
    return false, "fast_launch has no '" .. mine.output .. "'"
  end
  for name, value in pairs(mine.launch) do
    if type(value) == "userdata" and env.fast_launch[name] ~= nil
      and #env.fast_launch[name] ~= #value then
      return false, name .. " has another length in fast_launch"
    end
  end
  local why = finding(env.fast, env.fast_launch)
    or wrong_answer(env.fast, env.fast_launch, mine.output, mine.expected)
  if why then return false, why end
  local before = price(profile(with(mine.naive, mine.launch)))
  local after = price(profile(with(env.fast, env.fast_launch)))
  if after > 0.7 * before then
    return false, ("by the profile it costs %d, and the first one %d: the aim is 70 %% of that"):format(after, before)
  end
  return true, ("Right: it costs %.0f %% of what it did."):format(100 * after / before)
end

local function near(a, b, share)
  return type(a) == "number" and math.abs(a - b) <= share * math.abs(b)
end

local function judge_card(env)
  local one, two, card = answer "choose", answer "faster", env.card
  if type(card) ~= "table" then return false, "there is no table card" end
  if card.device ~= gpu.device.title then
    return false, "card.device should be gpu.device.title: no time means anything without it"
  end
  for _, name in ipairs { "naive", "fast" } do
    if type(card[name]) ~= "number" or not (card[name] > 0) then
      return false, "card." .. name .. " is no time"
    end
  end
  if not near(card.times, card.naive / card.fast, 1e-6) then
    return false, "card.times is how many times as fast: naive / fast"
  end
  local naive = profile(with(one.naive, one.launch)).total.lines
  local fast = profile(with(two.fast, two.fast_launch)).total.lines
  if not near(card.naive_lines, naive, 1e-6)
    or not near(card.fast_lines, fast, 1e-6) then
    return false, "the lines of memory are those of profile: p.total.lines"
  end
  local time = one.naive(one.launch).time
  if not (card.naive < 100 * time and card.naive > time / 100) then
    return false, ("a run of the first kernel takes about %.2g s here, and the card says %.2g"):format(time, card.naive)
  end
  return true, ("A card to show: %.1f times as fast on %s."):format(card.times, card.device)
end

return {
  title = "From naive to fast: a kernel of your own", part = 1, minutes = 120,
  tasks = {
    { name = "choose", title = "A right kernel",
      task = "Choose a problem, write its first kernel, and say what is expected.",
      exercise = judge_choice, start_fails = "wrong",
      wrong = { ["too-little-work"] = "wrong", ["expects-something-else"] = "wrong",
        ["one-row-too-many"] = "wrong", ["no-launch"] = "wrong" },
      hints = { "Take something small that you know: sums of rows, a transpose, a blur, a histogram, distances of points.",
        "expected(i) must not use the kernel: it computes element i of the output in Lua, from the inputs.",
        "check{naive, x = x, y = y, grid = n} shows what the judge's checker sees." } },
    { name = "explain", title = "What it wastes",
      task = "Profile it, and name the reason.",
      exercise = judge_reason, start_fails = "wrong",
      wrong = { ["not-there"] = "wrong", ["never-profiled"] = "wrong",
        ["no-such-reason"] = "wrong" },
      hints = { "print(profile{mine.naive, …}) says in words what stands out.",
        "cost.total.lines beside cost.total.lines_ideal, cost.active, cost.conflicts, cost.total.atomics_worst.",
        "If none of these is above its ideal, the reason is \"instructions\"." } },
    { name = "faster", title = "A better kernel",
      task = "Write `fast`: the same answer for at most 70 % of the cost.",
      exercise = judge_faster, start_fails = "wrong",
      wrong = { ["leaves-a-half-out"] = "wrong", ["no-better"] = "wrong",
        races = "wrong", ["half-of-the-rows"] = "wrong" },
      hints = { "Lines: let neighbouring lanes read neighbouring elements; a SIMD-group for each row, or a tile.",
        "Instructions: use what a neighbour has computed (simd_sum, threadgroup memory); more threads, each with less.",
        "Atomics: add up in threadgroup memory or registers first, and add once for each group." } },
    { name = "card", title = "The card",
      task = "Measure both and fill in the card.",
      exercise = judge_card, start_fails = "wrong",
      wrong = { ["the-wrong-way-round"] = "wrong", ["lines-guessed"] = "wrong",
        ["no-device"] = "wrong", ["times-made-up"] = "wrong" },
      hints = { "compare{kernel, …} verifies, then measures: the rows[1].median of its result is in seconds.",
        "profile{kernel, …}.total.lines is what it moves.",
        "card.times = card.naive / card.fast" } },
  },
}
