return {
  title = "Attention", part = 4, minutes = 25,
  task = "One head of attention, with the softmax made in one pass.",
  kernel = "attention",
  arguments = function(s, make)
    return { q = make.random(s.n, 8, -9, 9), k = make.random(s.n, 8, -9, 9),
      v = make.random(s.n, 8), o = make.out("float", s.n, 8), n = s.n }
  end,
  outputs = { "o" },
  launch = function(s) return { grid = s.n, group = 32 } end,
  reference = function(s, arg, out)
    for i = 0, s.n - 1 do
      local score, most, sum = {}, -math.huge, 0
      for j = 0, s.n - 1 do
        score[j] = 0
        for c = 0, 7 do
          score[j] = score[j] + arg.q[i * 8 + c] * arg.k[j * 8 + c]
        end
        most = math.max(most, score[j])
      end
      for j = 0, s.n - 1 do
        score[j] = math.exp(score[j] - most)
        sum = sum + score[j]
      end
      for c = 0, 7 do
        local mean = 0
        for j = 0, s.n - 1 do mean = mean + score[j] * arg.v[j * 8 + c] end
        out.o[i * 8 + c] = mean / sum
      end
    end
  end,
  tolerance = 1e-3,
  picture = { size = { n = 2 }, values = {
    q = { 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0 },
    k = { 1, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0 },
    v = { 1, 2, 3, 4, 5, 6, 7, 8, 8, 7, 6, 5, 4, 3, 2, 1 } }, mark = 9 },
  cases = { { n = 1 }, { n = 2 }, { n = 31 }, { n = 70 } },
  targets = {
    { profile = "device_reads", per = "busiest thread", of_solution = 1.1,
      say = "Each row of k and v is read once: rescale instead of reading again." },
  },
  start_fails = "wrong",
  wrong = { ["without-the-largest"] = "wrong",
    ["sum-not-rescaled"] = "wrong",
    ["two-passes"] = "target" },
  hints = {
    "Keep most = -INFINITY, sum = 0 and the weighted rows = 0, and go through j once.",
    "A new score may be the largest so far: larger = max(most, score). Everything kept is then too big by exp(larger - most): multiply it by exp(most - larger).",
    "sum = sum * keep + weight; rows = rows * keep + weight * v[j]; at the end divide by sum.",
  },
}
