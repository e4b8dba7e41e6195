local function card(list)
  local figures = {}
  for i, f in ipairs(list) do
    figures[i] = f.skipped and { id = f[1], title = f[1], skipped = "no memory for it" }
      or { id = f[1], title = f[1], time = { median = f[2], low = f[3], high = f[4] } }
  end
  return { figures = figures }
end

local skip = true
local trials = {
  { "b wins by far", { { "add", 2, 1.9, 2.1 } }, { { "add", 1, 0.9, 1.1 } }, "add" },
  { "b wins by less than the noise", { { "add", 2, 1.9, 2.1 } }, { { "add", 1.7, 1.65, 1.75 } }, "", 1.2 },
  { "b wins by more than the noise", { { "add", 2, 1.9, 2.1 } }, { { "add", 1.5, 1.4, 1.55 } }, "add", 1.2 },
  { "the intervals overlap", { { "add", 2, 1.5, 2.5 } }, { { "add", 1.9, 1.4, 2.4 } }, "" },
  { "the intervals touch", { { "add", 2, 1.5, 2.5 } }, { { "add", 1, 0.5, 1.5 } }, "" },
  { "b is slower", { { "add", 1, 0.9, 1.1 } }, { { "add", 3, 2.9, 3.1 } }, "" },
  { "the figures stand in another order", { { "add", 2, 1.9, 2.1 }, { "relu", 9, 8, 10 } },
    { { "relu", 1, 0.9, 1.1 }, { "add", 3, 2.9, 3.1 } }, "relu" },
  { "one is skipped in b", { { "add", 2, 1.9, 2.1 }, { "mean", 9, 8, 10 } },
    { { "add", 1, 0.9, 1.1 }, { "mean", skipped = skip } }, "add" },
  { "one is skipped in a", { { "mean", skipped = skip }, { "add", 2, 1.9, 2.1 } },
    { { "mean", 1, 1, 1 }, { "add", 1, 0.9, 1.1 } }, "add" },
  { "b has no such figure", { { "old", 2, 1.9, 2.1 }, { "add", 2, 1.9, 2.1 } }, { { "add", 1, 0.9, 1.1 } }, "add" },
  { "two wins", { { "b", 2, 1.9, 2.1 }, { "a", 2, 1.9, 2.1 } }, { { "a", 1, 0.9, 1.1 }, { "b", 1, 0.9, 1.1 } }, "b a" },
}

return {
  title = "Cards: the same work on two machines", part = 4, minutes = 12,
  task = "Write `wins(a, b, noise)`: the figures in which card b is faster beyond the noise.",
  exercise = function(env)
    if type(env.wins) ~= "function" then return false, "there is no function wins" end
    for _, t in ipairs(trials) do
      local ok, got = pcall(env.wins, card(t[2]), card(t[3]), t[5] or 1)
      if not ok then return false, ("where %s: %s"):format(t[1], tostring(got):gsub("^.-:%d+: ", "")) end
      if type(got) ~= "table" then return false, ("where %s: it returned %s, not a list"):format(t[1], tostring(got)) end
      local list = table.concat(got, " ")
      if list ~= t[4] then
        return false, ("where %s: got {%s}, expected {%s}"):format(t[1], list, t[4])
      end
    end
    return true
  end,
  start_fails = "wrong",
  wrong = { ["medians"] = "wrong", ["same-place"] = "wrong", ["slower-ones"] = "wrong", ["no-noise"] = "wrong" },
  hints = {
    "First make a table of b's times by id, leaving out the skipped ones: then the order does not matter.",
    "b wins where its time.high, times noise, is below a's time.low.",
    "Go through a.figures; skip those with `skipped` and those that b has no time for; collect the ids.",
  },
}
