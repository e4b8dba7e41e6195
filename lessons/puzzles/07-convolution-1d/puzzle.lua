return {
  title = "Convolution in one dimension", part = 2, minutes = 10,
  task = "Slide five weights along a list, fetching each element once.",
  kernel = "convolve",
  arguments = function(s, make)
    return { x = make.random(s.n + 4), w = make.random(5),
      y = make.out("float", s.n), n = s.n }
  end,
  outputs = { "y" },
  launch = function(s) return { groups = (s.n + 63) // 64, group = 64 } end,
  reference = function(s, arg, out)
    for i = 0, s.n - 1 do
      local sum = 0
      for k = 0, 4 do sum = sum + arg.x[i + k] * arg.w[k] end
      out.y[i] = sum
    end
  end,
  tolerance = 1e-5,
  picture = { size = { n = 6 }, values = { w = { 1, 0, 2, 0, 1 } }, mark = 1 },
  cases = { { n = 1 }, { n = 2 }, { n = 60 }, { n = 64 }, { n = 65 },
    { n = 68 }, { n = 300 } },
  targets = {
    { profile = "device_reads", per = "busiest thread", at_most = 2,
      say = "A group needs 68 elements: each thread fetches one, and four of them one more." },
  },
  start_fails = "wrong",
  wrong = { ["five-reads"] = "target",
    ["forgets-the-last-four"] = { "uninitialised", "wrong" },
    ["fetches-too-few"] = { "uninitialised", "wrong" },
    ["weights-backwards"] = "wrong" },
  hints = {
    "64 threads need 68 elements. Put all 68 into threadgroup memory first.",
    "Thread t fetches x[i]; the first four also fetch x[i + 64]. Both only if there is such an element: x has n + 4.",
    "After a barrier: for (uint k = 0; k < 5; k++) sum += part[t + k] * w[k];",
  },
}
