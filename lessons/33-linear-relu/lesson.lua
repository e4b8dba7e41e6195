return {
  title = "A layer of a neural network", part = 5, minutes = 15,
  task = "Complete `layer`: y = relu(x . w + b), in one kernel.",
  kernel = "layer",
  arguments = function(s, make)
    return { x = make.random(s.rows, s.inputs),
      w = make.random(s.inputs, s.outputs), b = make.random(s.outputs),
      y = make.out("float", s.rows, s.outputs), rows = s.rows,
      inputs = s.inputs, outputs = s.outputs }
  end,
  outputs = { "y" },
  launch = function(s)
    return { groups = { (s.outputs + 15) // 16, (s.rows + 15) // 16 },
      group = { 16, 16 } }
  end,
  reference = function(s, arg, out)
    cpu.linear(arg.x, arg.w, arg.b, out.y)
  end,
  tolerance = 2e-5,
  cases = { { rows = 1, inputs = 1, outputs = 1 },
    { rows = 1, inputs = 2, outputs = 3 },
    { rows = 3, inputs = 1, outputs = 2 },
    { rows = 7, inputs = 5, outputs = 4 },
    { rows = 16, inputs = 16, outputs = 16 },
    { rows = 17, inputs = 31, outputs = 33 },
    { rows = 41, inputs = 67, outputs = 10 } },
  targets = {
    { profile = "device_writes", per = "busiest thread", at_most = 4,
      size = { rows = 32, inputs = 32, outputs = 32 },
      say = "One thread for each element of y." },
  },
  start_fails = "wrong",
  wrong = { ["relu-before-bias"] = "wrong",
    ["bias-of-the-row"] = { "wrong", "out-of-bounds" }, ["no-relu"] = "wrong",
    ["no-guard"] = { "out-of-bounds", "wrong", "race" },
    ["one-thread-for-all"] = "target", ["max-with-an-int"] = "compile" },
  hints = {
    "Each output j has one bias: b[j], for all rows.",
    "relu(v) is max(v, 0.0f), and comes last.",
    "`y[row * outputs + column] = max(sum + b[column], 0.0f);`",
  },
  challenges = {
    { name = "tiles", title = "By tiles",
      task = "The layer is a matrix multiplication: with tiles of 16 × 16 in threadgroup memory each number is fetched once for 16 results. Fewer reads of device memory.",
      score = { profile = "device_reads",
        size = { rows = 64, inputs = 64, outputs = 64 },
        say = "Fetch a tile of x and one of w together; each number then serves 16 results." },
      wrong = "wrong",
      hints = { "As in the lesson on matrix multiplication; the bias and the relu come at the end." } },
    { name = "four-rows", title = "Four rows a thread",
      task = "Groups of 16 × 4 threads now make 16 × 16 results, four rows each, without threadgroup memory. A weight that was read serves four rows. Fewer reads of device memory.",
      score = { profile = "device_reads",
        size = { rows = 64, inputs = 64, outputs = 64 },
        say = "Read a weight once, into a variable, and multiply it with four rows." },
      wrong = "out-of-bounds",
      launch = function(s)
        return { groups = { (s.outputs + 15) // 16, (s.rows + 15) // 16 },
          group = { 16, 4 } }
      end,
      targets = { { profile = "threadgroup_bytes", at_most = 0,
        size = { rows = 64, inputs = 64, outputs = 64 },
        say = "In this challenge everything stays in registers." } },
      hints = { "Put the loop over the inputs outside and the four rows inside: float4 sum.", "Rows past the end may read the last row instead; they are only not written." } },
  },
}
