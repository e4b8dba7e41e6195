return {
  title = "Reading compiler errors", part = 1, minutes = 12,
  task = "Fix the six mistakes in `brighten`, with the compiler's help.",
  kernel = "brighten",
  arguments = function(s, make)
    return { image = make.random(s.n), out = make.out("float", s.n), amount = s.amount, n = s.n }
  end,
  outputs = { "out" },
  launch = function(s) return { groups = (s.n + 31) // 32, group = 32 } end,
  reference = function(s, arg, out)
    for i = 0, s.n - 1 do
      out.out[i] = math.min(1, math.max(0, arg.image[i] * s.amount)) * 0.75
    end
  end,
  tolerance = 1e-6,
  cases = { { n = 1, amount = 2 }, { n = 2, amount = 2 }, { n = 3, amount = 1 }, { n = 31, amount = 3 },
    { n = 33, amount = 2 }, { n = 997, amount = 5 } },
  targets = {
    { profile = "device_writes", per = "busiest thread", at_most = 2,
      say = "There is a thread for every pixel: each writes its own." },
  },
  start_fails = "compile",
  wrong = {
    ["errors-left"] = "compile",
    ["no-metal-stdlib"] = "compile",
    ["three-quarters-of-nothing"] = "wrong",
    ["guard-taken-out"] = { "out-of-bounds", "wrong" },
    ["a-copy-of-amount"] = "wrong",
    ["one-thread-for-all"] = "target",
  },
  hints = {
    "Fix the first error only, save, check() again. There are six, and each message names a line and a column.",
    "A pointer needs an address space, a single value is a reference (constant float &amount), a variable outside all functions is constant.",
    "The one that the compiler does not see is a number. What is 3 / 4 between whole numbers?",
    "A name that the compiler does not know is often misspelt: compare the parameters with what is used below.",
  },
  challenges = {
    { name = "vectors", title = "Four at a time",
      task = "`brighten` once more, with a thread for every four elements; n is a multiple of four. The start takes them one by one: fewer instructions, and no mistakes on the way.",
      score = { profile = "issued", size = { n = 4096, amount = 2 } },
      launch = function(s) return { groups = (s.n + 127) // 128, group = 32 } end,
      cases = { { n = 4, amount = 2 }, { n = 36, amount = 3 }, { n = 1000, amount = 5 } },
      hints = { "saturate(x) is clamp(x, 0.0f, 1.0f), for a float4 too." } },
  },
}
