local trials = { -- sizes, device, cpu: answer
  { { 1, 2, 3 }, { 5, 5, 5 }, { 1, 6, 9 }, 2 }, { { 10 }, { 1 }, { 2 }, 10 }, { { 10 }, { 2 }, { 1 }, nil },
  { { 1, 2, 3, 4 }, { 1, 5, 5, 5 }, { 2, 4, 6, 7 }, 3 }, { { 1, 2, 3 }, { 1, 1, 1 }, { 2, 2, 1 }, nil },
  { { 1, 2, 3 }, { 1, 1, 1 }, { 2, 1, 2 }, 3 }, { { 8, 16, 32 }, { 1, 1, 1 }, { 2, 2, 2 }, 8 },
}

return {
  title = "When the CPU wins", part = 4, minutes = 12,
  task = "Write `turning_point(sizes, device, cpu)`: the size from which on the device stays ahead.",
  exercise = function(env)
    if type(env.turning_point) ~= "function" then return false, "there is no function turning_point" end
    for _, t in ipairs(trials) do
      local got = env.turning_point(t[1], t[2], t[3])
      if got ~= t[4] then
        return false, ("sizes {%s}, device {%s}, cpu {%s}: got %s, expected %s"):format(table.concat(t[1], ", "),
          table.concat(t[2], ", "), table.concat(t[3], ", "), tostring(got), tostring(t[4]))
      end
    end
    return true
  end,
  start_fails = "wrong",
  wrong = { ["ties-win"] = "wrong", ["last-size"] = "wrong", ["last-loss"] = "wrong" },
  hints = {
    "The first win is not enough: a larger size may be lost again. From which end is it easier to look?",
    "Go through the sizes from the largest down, as long as the device wins.",
    "Remember the size of each win in a variable, `break` at the first one that is not, and return the variable.",
  },
}
