return {
  title = "Reading compiler errors", part = 1, minutes = 12,
  task = "Fix the six mistakes in `brighten`, with the compiler's help.",
  kernel = "brighten",
  arguments = function(s, make)
    return { image = make.random(s.n), out = make.out("float", s.n),
      amount = s.amount, n = s.n }
  end,
  outputs = { "out" },
  launch = function(s) return { groups = (s.n + 31) // 32, group = 32 } end,
  reference = function(s, arg, out)
    for i = 0, s.n - 1 do
      out.out[i] = math.min(1, math.max(0, arg.image[i] * s.amount)) * 0.75
    end
  end,
  tolerance = 1e-6,
  cases = { { n = 1, amount = 2 }, { n = 2, amount = 2 }, { n = 3, amount = 1 },
    { n = 31, amount = 3 }, { n = 33, amount = 2 }, { n = 997, amount = 5 } },
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
      score = { profile = "issued", size = { n = 4096, amount = 2 }, say = "saturate clamps all four parts of a float4 to 0 and 1." },
      wrong = "wrong",
      launch = function(s)
        return { groups = (s.n + 127) // 128, group = 32 }
      end,
      cases = { { n = 4, amount = 2 }, { n = 36, amount = 3 },
        { n = 1000, amount = 5 } },
      hints = { "saturate(x) is clamp(x, 0.0f, 1.0f), for a float4 too." } },
    { name = "swizzle", title = "Colours in another order",
      task = "`reorder`: each pixel of four bytes, red, green, blue, alpha, becomes blue, green, red, alpha. The start does not compile; fix it, and then move a whole pixel at a time. Fewer reads and writes.",
      score = { profile = "issued", size = { n = 512 }, say = "As uchar4 a pixel is one read and one write, and .zyxw is another order of it." },
      kernel = "reorder",
      arguments = function(s, make)
        return { x = make.integers("uchar", 0, 255, 4 * s.n),
          y = make.out("uchar", 4 * s.n) }
      end,
      outputs = { "y" }, tolerance = 0,
      launch = function(s) return { grid = s.n, group = 64 } end,
      reference = function(s, arg, out)
        for i = 0, 4 * s.n - 4, 4 do
          out.y[i], out.y[i + 1], out.y[i + 2], out.y[i + 3] =
            arg.x[i + 2], arg.x[i + 1], arg.x[i], arg.x[i + 3]
        end
      end,
      cases = { { n = 1 }, { n = 33 }, { n = 300 } }, start_fails = "compile",
      wrong = "wrong",
      hints = { "A pointer needs an address space, and i an attribute.", "Parameters may be declared as device const uchar4 *x: x[i] is then a pixel.",
        "y[i] = x[i].zyxw;" } },
    { name = "lookup", title = "A table",
      task = "`bend`: y[i] is table[x[i]], where the table of 256 numbers is k * k / 255, rounded to the nearest whole number. The start makes the table in every thread, and does not compile. Fewer instructions.",
      score = { profile = "issued", size = { n = 512 }, say = "One entry is needed, so compute one: no table at all." },
      kernel = "bend",
      arguments = function(s, make)
        return { x = make.integers("uchar", 0, 255, s.n),
          y = make.out("uchar", s.n) }
      end,
      outputs = { "y" }, tolerance = 0,
      launch = function(s) return { grid = s.n, group = 64 } end,
      reference = function(s, arg, out)
        for i = 0, s.n - 1 do
          out.y[i] = (2 * arg.x[i] * arg.x[i] + 255) // 510
        end
      end,
      cases = { { n = 1 }, { n = 33 }, { n = 500 } }, start_fails = "compile",
      wrong = "wrong",
      hints = { "A table in a kernel is a variable of the thread: uchar table[256]; inside the function.",
        "uint k = x[i]; (2 * k * k + 255) / 510 is the entry, rounded." } },
  },
}
