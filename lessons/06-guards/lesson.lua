return {
  title = "Guards and ragged edges", part = 1, minutes = 15,
  task = "Make `scale` right for every n, with groups of 64.",
  kernel = "scale",
  arguments = function(s, make)
    return { x = make.random(s.n), y = make.out("float", s.n), n = s.n }
  end,
  outputs = { "y" },
  launch = function(s) return { groups = (s.n + 63) // 64, group = 64 } end,
  reference = function(s, arg, out)
    for i = 0, s.n - 1 do out.y[i] = 2 * arg.x[i] end
  end,
  tolerance = 1e-6,
  cases = { { n = 1 }, { n = 2 }, { n = 3 }, { n = 31 }, { n = 63 }, { n = 64 },
    { n = 65 }, { n = 127 }, { n = 997 } },
  targets = {
    { profile = "device_writes", per = "busiest thread", at_most = 2,
      say = "There is a thread for every element: each writes its own." },
  },
  start_fails = "out-of-bounds",
  wrong = { ["off-by-one"] = "out-of-bounds",
    ["guard-too-late"] = "out-of-bounds", ["inverted"] = "wrong",
    ["last-is-lost"] = "wrong", ["reads-too-far"] = "out-of-bounds",
    ["one-thread-for-all"] = "target" },
  hints = {
    "One line is missing: the one that lets threads without an element leave, before they touch anything.",
    "The last element has index n - 1, so a thread has none if i >= n.",
    "The first line of the body is: if (i >= n) return;",
  },
  challenges = {
    { name = "quarter", title = "A quarter of the threads",
      task = "Now only a quarter of the groups is launched, so each thread has up to four elements. The start is right, but neighbouring threads read far apart: move fewer lines of memory.",
      score = { profile = "lines", size = { n = 4000 }, say = "At each step neighbouring threads should take neighbouring elements, and go on by the number of threads." },
      wrong = "out-of-bounds",
      launch = function(s)
        return { groups = (s.n + 255) // 256, group = 64 }
      end,
      hints = { "Thread i takes elements i, i + threads, i + 2 * threads …" } },
    { name = "vectors", title = "Four at a time",
      task = "The same quarter of the groups, and the data as `float4`: let each thread move four elements at once, and guard what is left at the end. Fewer instructions.",
      score = { profile = "issued", size = { n = 4001 }, say = "Four elements by one float4: one read, one write, and one guard for all four." },
      wrong = "out-of-bounds",
      launch = function(s)
        return { groups = (s.n + 255) // 256, group = 64 }
      end,
      hints = { "device float4 *four = (device float4 *)y; four[i] has elements 4i to 4i + 3.", "If all four are there, move them at once; else one by one." } },
  },
}
