return {
  title = "Convolution: neighbours share their reads", part = 3, minutes = 15,
  task = "Make `convolve` fetch each stretch of x once, into threadgroup memory, with its halo.",
  kernel = "convolve",
  arguments = function(s, make)
    return { x = make.random(s.n), y = make.out("float", s.n),
      w = make.random(9), n = s.n }
  end,
  outputs = { "y" },
  launch = function(s) return { groups = (s.n + 255) // 256, group = 256 } end,
  reference = function(s, arg, out)
    local x, w, y = arg.x, arg.w, out.y
    for i = 0, s.n - 1 do
      local sum = 0
      for j = -4, 4 do
        if i + j >= 0 and i + j < s.n then sum = sum + w[j + 4] * x[i + j] end
      end
      y[i] = sum
    end
  end,
  tolerance = 1e-5,
  cases = { { n = 1 }, { n = 2 }, { n = 3 }, { n = 5 }, { n = 255 },
    { n = 256 }, { n = 257 }, { n = 261 }, { n = 997 } },
  targets = {
    { profile = "device_reads", per = "thread", at_most = 1.1,
      size = { n = 2560 },
      say = "A group of 256 threads needs only 264 elements of x." },
    { profile = "device_reads", per = "busiest thread", at_most = 3,
      size = { n = 2560 },
      say = "264 elements for 256 threads: each fetches one, and a few a second one." },
  },
  start_fails = "target",
  wrong = { ["no-halo"] = "wrong",
    ["early-return"] = { "divergent-barrier", "uninitialised", "wrong" },
    ["no-barrier"] = { "race", "uninitialised", "wrong" },
    ["before-the-start"] = { "out-of-bounds", "wrong" },
    ["one-fetches-for-all"] = "target" },
  hints = {
    "The array needs 264 places: 4 of the halo, 256 of the group, 4 of the halo. part[k] holds x[group * 256 + k - 4].",
    "Fill it with `for (uint k = t; k < 264; k += 256)`, and put 0 where the place lies outside x. Compute the place as an int.",
    "After the barrier, thread t's window is part[t] to part[t + 8]. Only there may threads with i >= n return.",
  },
  challenges = {
    { name = "four-each", title = "Four results a thread",
      task = "64 threads now make 256 results, four neighbours each. Four neighbours need 12 elements, not 36. Fewer reads of threadgroup memory.",
      score = { profile = "group_reads", size = { n = 1024 }, say = "Read the twelve elements into variables once; the nine products of each result take them from there." },
      wrong = "wrong",
      launch = function(s)
        return { groups = (s.n + 255) // 256, group = 64 }
      end,
      hints = { "Read the 12 elements into float v[12] first; all four results come from there." } },
    { name = "no-table", title = "No threadgroup memory",
      task = "Lanes can hand elements to each other by simd_shuffle. At most 2 reads of device memory for a thread, and no threadgroup memory at all.",
      score = { profile = "threadgroup_bytes", size = { n = 1024 }, say = "A lane asks its neighbours with simd_shuffle; the last eight elements are a second read of some lanes." },
      wrong = "wrong",
      targets = { { profile = "device_reads", per = "busiest thread",
        at_most = 2, size = { n = 1024 },
        say = "A SIMD-group needs 40 elements: each lane fetches one, and eight of them one more." } },
      hints = { "Lane l fetches x[i - 4], and lanes 0 to 7 also x[i + 28]: that is all that the 32 lanes need.", "simd_shuffle(v, k) is v of lane k. All lanes must call it, so no early return." } },
  },
}
