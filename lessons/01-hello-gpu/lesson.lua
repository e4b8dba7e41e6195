-- What is wrong with y, said in one sentence.
local function look(y)
  if y == nil then return "there is no y yet: y = gpu.buffer(…) makes a buffer, as x was made in the first step" end
  if type(y) ~= "userdata" or getmetatable(y).__name ~= "buffer" then
    return "y is not a buffer: make it with gpu.buffer, as x was made in the first step"
  end
  if #y ~= 1000 then return ("y has %d numbers and should have 1000"):format(#y) end
  if y:max() == 0 then return "y holds only zeros: :iota() fills it with 0, 1, 2 …" end
  if y[1] == 1 then return "y still holds 0, 1, 2 …: send the workers over it, as in twice{x, grid = 8}" end
  if y[1] == 4 then return "y was doubled more than once: make it anew, then launch twice once" end
  for i = 0, 999 do
    if y[i] ~= 2 * i then
      return ("y[%d] is %g and should be %d%s"):format(i, y[i], 2 * i,
        y[i] == i and ": there were fewer workers than numbers, grid says how many" or "")
    end
  end
end

return {
  title = "Hello, GPU", part = 1, minutes = 5,
  task = "Make a buffer y with the numbers 0 to 999 and double them with a kernel.",
  exercise = function(env)
    local why = look(env.y)
    if why then return false, why end
    return true, "Right: a thousand workers, a thousand numbers, y[999] is 1998."
  end,
  start_fails = "wrong",
  wrong = { ["not-launched"] = "wrong", ["too-few-workers"] = "wrong",
    ["too-short"] = "wrong", ["launched-twice"] = "wrong",
    ["zeros"] = "wrong" },
  hints = {
    "Two lines: one that makes y, one that launches twice on it. Back in steps 1 and 2 (back()) they stand for x.",
    "x = gpu.buffer(8):iota() made eight numbers. For y it is a thousand.",
    "y = gpu.buffer(1000):iota() and then twice{y, grid = 1000}",
  },
  challenges = {
    { name = "four-at-a-time", title = "Four at a time",
      task = "A kernel of your own: `twice` makes y[i] = 2 * x[i], with a thread for every four elements. The start takes them one by one; `float4` takes four at once. Fewer instructions.",
      score = { profile = "issued", size = { n = 4096 }, say = "One float4 is one read, one multiplication and one write for four elements." },
      wrong = "out-of-bounds",
      kernel = "twice",
      arguments = function(s, make)
        return { x = make.random(s.n), y = make.out("float", s.n) }
      end,
      outputs = { "y" },
      launch = function(s) return { grid = s.n // 4, group = 64 } end,
      reference = function(s, arg, out)
        for i = 0, s.n - 1 do out.y[i] = 2 * arg.x[i] end
      end,
      tolerance = 1e-6, cases = { { n = 4 }, { n = 12 }, { n = 1000 } },
      hints = { "Declare both parameters as float4: x[i] is then elements 4i to 4i + 3." } },
    { name = "both", title = "Two answers, two reads",
      task = "`both` makes sum[i] = a[i] + b[i] and difference[i] = a[i] - b[i]. The start reads a[i] and b[i] twice: the compiler cannot know that writing to sum leaves a and b alone. Fewer reads.",
      score = { profile = "device_reads", per = "busiest thread", say = "Put a[i] and b[i] into variables first: a variable is not read from memory again." },
      wrong = "wrong",
      kernel = "both",
      arguments = function(s, make)
        return { a = make.random(s.n), b = make.random(s.n),
          sum = make.out("float", s.n), difference = make.out("float", s.n) }
      end,
      outputs = { "sum", "difference" },
      launch = function(s) return { grid = s.n, group = 64 } end,
      reference = function(s, arg, out)
        for i = 0, s.n - 1 do
          out.sum[i], out.difference[i] =
            arg.a[i] + arg.b[i], arg.a[i] - arg.b[i]
        end
      end,
      tolerance = 1e-6, cases = { { n = 1 }, { n = 33 }, { n = 1000 } },
      hints = { "Read both into variables first." } },
  },
}
