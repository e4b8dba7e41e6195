local trials = { -- sizes, device, cpu: answer
  { { 1, 2, 3 }, { 5, 5, 5 }, { 1, 6, 9 }, 2 }, { { 10 }, { 1 }, { 2 }, 10 },
  { { 10 }, { 2 }, { 1 }, nil },
  { { 1, 2, 3, 4 }, { 1, 5, 5, 5 }, { 2, 4, 6, 7 }, 3 },
  { { 1, 2, 3 }, { 1, 1, 1 }, { 2, 2, 1 }, nil },
  { { 1, 2, 3 }, { 1, 1, 1 }, { 2, 1, 2 }, 3 },
  { { 8, 16, 32 }, { 1, 1, 1 }, { 2, 2, 2 }, 8 },
}

local function judge_turning(env)
  if type(env.turning_point) ~= "function" then return false, "there is no function turning_point" end
  local score = 0
  for most = 0, 24, 4 do
    for answer = 0, most + 1 do
      local calls = 0
      local got = env.turning_point(function(k)
        if math.type(k) ~= "integer" or k < 0 or k > most then
          error(("is_faster(%s): k goes from 0 to %d"):format(tostring(k), most), 0)
        end
        calls = calls + 1
        return k >= answer
      end, most)
      local want = answer <= most and answer or nil
      if got ~= want then
        return false, ("most = %d, and the device is faster %s: got %s, expected %s"):format(most,
          want and ("from 2^%d on"):format(answer) or "nowhere", tostring(got),
          tostring(want))
      end
      score = score + calls
    end
  end
  return true, "Right for all turning points.", score
end

local function judge_share(env)
  if type(env.share) ~= "function" then return false, "there is no function share" end
  local total = 0
  for _, t in ipairs { { 1000, 5e-6, 1e-9, 0, 1e-8 },
    { 1000000, 5e-6, 1e-9, 1e-6, 4e-9 }, { 10, 5e-6, 1e-9, 0, 1e-8 },
    { 5000, 1e-6, 2e-9, 1e-6, 2e-9 }, { 1, 2e-6, 1e-9, 3e-6, 1e-9 } } do
    local n, device, cpu =
      t[1], { launch = t[2], each = t[3] }, { launch = t[4], each = t[5] }
    local k = math.tointeger(env.share(n, device, cpu))
    if not k or k < 0 or k > n then return false, ("for n = %d: a whole number from 0 to n is expected"):format(n) end
    local function takes(one, count)
      return count > 0 and one.launch + count * one.each or 0
    end
    total = total + math.max(takes(device, k), takes(cpu, n - k))
  end
  return true, "Right.", total * 1e6
end

return {
  title = "When the CPU wins", part = 4, minutes = 12,
  task = "Write `turning_point(sizes, device, cpu)`: the size from which on the device stays ahead.",
  exercise = function(env)
    if type(env.turning_point) ~= "function" then return false, "there is no function turning_point" end
    for _, t in ipairs(trials) do
      local got = env.turning_point(t[1], t[2], t[3])
      if got ~= t[4] then
        return false, ("sizes {%s}, device {%s}, cpu {%s}: got %s, expected %s"):format(table.concat(t[1], ", "),
          table.concat(t[2], ", "), table.concat(t[3], ", "), tostring(got),
          tostring(t[4]))
      end
    end
    return true
  end,
  start_fails = "wrong",
  wrong = { ["ties-win"] = "wrong", ["last-size"] = "wrong",
    ["last-loss"] = "wrong" },
  hints = {
    "The first win is not enough: a larger size may be lost again. From which end is it easier to look?",
    "Go through the sizes from the largest down, as long as the device wins.",
    "Remember the size of each win in a variable, `break` at the first one that is not, and return the variable.",
  },
  challenges = {
    { name = "few-measurements", title = "Fewer measurements",
      task = "Each measurement takes time. `turning_point(is_faster, most)`: is_faster(k) measures whether the device is faster at n = 2^k, with k from 0 to most; once it is, it stays so. Return the least such k, or nil. The start measures from 0 up. Fewer measurements.",
      score = { counts = "measurements", say = "One measurement in the middle rules out half of the sizes." },
      exercise = judge_turning, wrong = "wrong",
      hints = { "The answer is between 0 and most + 1, where most + 1 stands for nil.",
        "low = 0, high = most + 1; measure at the middle while low < high." } },
    { name = "share", title = "Both at once",
      task = "The CPU need not stand idle while the device works. Each takes `launch` seconds, if it gets anything, and `each` seconds for every element; the last one to finish counts. `share(n, device, cpu)` returns how many elements the device should get. The start gives all to the one that is faster alone. Less time.",
      score = { counts = "microseconds, by the model", within = 1.0001, say = "While one of them works alone, the other could take some of it: both should finish together." },
      exercise = judge_share, wrong = { "wrong", "score" },
      hints = { "device.launch + k device.each = cpu.launch + (n - k) cpu.each: solve for k, and round it.",
        "If k is not between 0 and n, one of them does all. Compare the times for 0, n, and the whole numbers around k." } },
  },
}
