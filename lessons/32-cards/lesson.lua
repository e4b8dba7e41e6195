local function card(list)
  local figures = {}
  for i, f in ipairs(list) do
    figures[i] = { id = f[1], title = f[1] }
    if f.skipped then
      figures[i].skipped = "no memory for it"
    else
      figures[i].time = { median = f[2], low = f[3], high = f[4] }
    end
  end
  return { figures = figures }
end

local skip = true
local trials = {
  { "b wins by far", { { "add", 2, 1.9, 2.1 } }, { { "add", 1, 0.9, 1.1 } },
    "add" },
  { "b wins by less than the noise", { { "add", 2, 1.9, 2.1 } }, { { "add", 1.7, 1.65, 1.75 } }, "", 1.2 },
  { "b wins by more than the noise", { { "add", 2, 1.9, 2.1 } }, { { "add", 1.5, 1.4, 1.55 } }, "add", 1.2 },
  { "the intervals overlap", { { "add", 2, 1.5, 2.5 } }, { { "add", 1.9, 1.4, 2.4 } }, "" },
  { "the intervals touch", { { "add", 2, 1.5, 2.5 } },
    { { "add", 1, 0.5, 1.5 } }, "" },
  { "b is slower", { { "add", 1, 0.9, 1.1 } }, { { "add", 3, 2.9, 3.1 } }, "" },
  { "the figures stand in another order", { { "add", 2, 1.9, 2.1 }, { "relu", 9, 8, 10 } },
    { { "relu", 1, 0.9, 1.1 }, { "add", 3, 2.9, 3.1 } }, "relu" },
  { "one is skipped in b", { { "add", 2, 1.9, 2.1 }, { "mean", 9, 8, 10 } },
    { { "add", 1, 0.9, 1.1 }, { "mean", skipped = skip } }, "add" },
  { "one is skipped in a", { { "mean", skipped = skip },
    { "add", 2, 1.9, 2.1 } }, { { "mean", 1, 1, 1 }, { "add", 1, 0.9, 1.1 } },
    "add" },
  { "b has no such figure", { { "old", 2, 1.9, 2.1 }, { "add", 2, 1.9, 2.1 } },
    { { "add", 1, 0.9, 1.1 } }, "add" },
  { "two wins", { { "b", 2, 1.9, 2.1 }, { "a", 2, 1.9, 2.1 } },
    { { "a", 1, 0.9, 1.1 }, { "b", 1, 0.9, 1.1 } }, "b a" },
}

local function judge_best_two(env)
  if type(env.best_two) ~= "function" then return false, "there is no function best_two" end
  local score = 0
  for _, n in ipairs { 2, 3, 4, 5, 8, 13, 16, 32 } do
    for turn = 0, n - 1 do
      local time = {}
      for i = 1, n do
        time[i] = (i * 7 + turn * 3) % (n + 1) * 100 + (i + turn) % n
      end
      local calls = 0
      local first, second = env.best_two(n, function(i, j)
        if not (time[i] and time[j]) or i == j then
          error(("is_faster(%s, %s): two machines of %d"):format(tostring(i), tostring(j), n), 0)
        end
        calls = calls + 1
        return time[i] < time[j]
      end)
      local order = {}
      for i = 1, n do order[i] = i end
      table.sort(order, function(i, j) return time[i] < time[j] end)
      if first ~= order[1] or second ~= order[2] then
        return false, ("%d machines with the times %s: got %s and %s, expected %d and %d"):format(n,
          table.concat(time, ", ", 1, math.min(n, 8)), tostring(first),
          tostring(second), order[1], order[2])
      end
      score = score + calls
    end
  end
  return true, "Right for all.", score
end

-- Cards by rows: low and high of each figure.
local function cards_of(rows)
  local list = {}
  for i, row in ipairs(rows) do
    local figures = {}
    for j, low in ipairs(row) do
      figures[j] = { "f" .. j, low + 0.4, low, low + 0.8 }
    end
    list[i] = card(figures)
  end
  return list
end

local sets = {
  { { 1 }, { 2 } },
  { { 1, 5, 9 }, { 1, 6, 9 }, { 2, 5, 9 } },
  { { 1, 1, 1, 1 }, { 1, 2, 1, 2 }, { 1, 1, 2, 3 }, { 1, 2, 2, 4 } },
  { { 1, 1, 1 }, { 2, 1, 1 }, { 3, 1, 2 }, { 1, 2, 1 }, { 2, 2, 2 },
    { 3, 2, 2 } },
}

local function judge_few_figures(env)
  if type(env.enough) ~= "function" then return false, "there is no function enough" end
  local score = 0
  for number, rows in ipairs(sets) do
    local ids = env.enough(cards_of(rows))
    if type(ids) ~= "table" then return false, ("set %d: it returned %s, not a list"):format(number, tostring(ids)) end
    for a = 1, #rows do
      for b = a + 1, #rows do
        local told = false
        for _, id in ipairs(ids) do
          local j = math.tointeger(tonumber(tostring(id):match "^f(%d+)$"))
          if not (j and rows[1][j]) then
            return false, ("set %d has no figure '%s'"):format(number, tostring(id))
          end
          told = told or math.abs(rows[a][j] - rows[b][j]) > 0.8
        end
        if not told then
          return false, ("set %d: none of {%s} tells card %d from card %d"):format(number, table.concat(ids, " "), a, b)
        end
      end
    end
    score = score + #ids
  end
  return true, "Every two cards are told apart.", score
end

return {
  title = "Cards: the same work on two machines", part = 4, minutes = 12,
  task = "Write `wins(a, b, noise)`: the figures in which card b is faster beyond the noise.",
  exercise = function(env)
    if type(env.wins) ~= "function" then return false, "there is no function wins" end
    for _, t in ipairs(trials) do
      local ok, got = pcall(env.wins, card(t[2]), card(t[3]), t[5] or 1)
      if not ok then
        return false, ("where %s: %s"):format(t[1],
          tostring(got):gsub("^.-:%d+: ", ""))
      end
      if type(got) ~= "table" then return false, ("where %s: it returned %s, not a list"):format(t[1], tostring(got)) end
      local list = table.concat(got, " ")
      if list ~= t[4] then
        return false, ("where %s: got {%s}, expected {%s}"):format(t[1], list, t[4])
      end
    end
    return true
  end,
  start_fails = "wrong",
  wrong = { ["medians"] = "wrong", ["same-place"] = "wrong",
    ["slower-ones"] = "wrong", ["no-noise"] = "wrong" },
  hints = {
    "First make a table of b's times by id, leaving out the skipped ones: then the order does not matter.",
    "b wins where its time.high, times noise, is below a's time.low.",
    "Go through a.figures; skip those with `skipped` and those that b has no time for; collect the ids.",
  },
  challenges = {
    { name = "best-two", title = "The best two machines",
      task = "Comparing two cards takes a person's time. `best_two(n, is_faster)` returns the numbers, 1 to n, of the fastest machine and of the second; is_faster(i, j) compares two, and no two are equal. The start goes through them twice. Fewer comparisons.",
      score = { counts = "comparisons", say = "The second fastest can only have lost to the fastest: who did?" },
      exercise = judge_best_two, wrong = "wrong",
      hints = { "A knock-out tournament finds the fastest with n - 1 comparisons, in about log2 n rounds.",
        "Keep for each machine the list of those it has beaten. The second is the best of the winner's list." } },
    { name = "few-figures", title = "As few figures as will do",
      task = "`enough(cards)` gets a list of cards with the same figures, none skipped, and returns a list of ids: for every two cards at least one of these figures has intervals that do not meet. The start returns all ids. Fewer figures.",
      score = { counts = "figures", say = "Some figure tells more pairs apart than another. Is there a set that is smaller still?" },
      exercise = judge_few_figures, wrong = "wrong",
      hints = { "First: which pairs does each figure tell apart?",
        "Taking the best figure first, again and again, is not always the least. There are only 2^k sets of k figures: try all, the small ones first." } },
  },
}
