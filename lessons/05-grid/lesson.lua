return {
  title = "The grid", part = 1, minutes = 10,
  task = "Make `places` write each thread's group and its place in that group.",
  kernel = "places",
  arguments = function(s, make)
    return { member = make.out("uint", s.n), place = make.out("uint", s.n) }
  end,
  outputs = { "member", "place" },
  launch = function(s) return { grid = s.n, group = s.size } end,
  reference = function(s, arg, out)
    for i = 0, s.n - 1 do
      out.member[i], out.place[i] = i // s.size, i % s.size
    end
  end,
  cases = { { n = 1, size = 1 }, { n = 3, size = 2 }, { n = 10, size = 4 },
    { n = 64, size = 64 }, { n = 100, size = 48 }, { n = 997, size = 32 },
    { n = 1025, size = 256 } },
  targets = {
    { profile = "device_writes", per = "busiest thread", at_most = 4,
      say = "There is a thread for every element: each writes its own two numbers." },
  },
  start_fails = "wrong",
  wrong = { ["swapped"] = "wrong", ["groups-of-32"] = "wrong",
    ["lane"] = "wrong", ["size-of-this-group"] = "wrong",
    ["one-thread-for-all"] = "target" },
  hints = {
    "A parameter such as uint g [[…]] is filled in by the device; the table in step 2 has the names. back() shows it.",
    "The group's number is [[threadgroup_position_in_grid]], the place in it [[thread_position_in_threadgroup]].",
    "Add uint g [[threadgroup_position_in_grid]], uint t [[thread_position_in_threadgroup]] to the parameters; then member[i] = g; and place[i] = t;",
  },
  challenges = {
    { name = "one-write", title = "One write for both",
      task = "Group and place now go into one buffer, `both`, in turn: both[2 * i] and both[2 * i + 1]. Fewer writes.",
      score = { profile = "device_writes", size = { n = 1024, size = 64 }, say = "A uint2 holds both numbers and is written at once." },
      wrong = "wrong",
      arguments = function(s, make)
        return { both = make.out("uint", 2 * s.n) }
      end,
      outputs = { "both" },
      reference = function(s, arg, out)
        for i = 0, s.n - 1 do
          out.both[2 * i], out.both[2 * i + 1] = i // s.size, i % s.size
        end
      end,
      hints = { "A uint2 is two uints that are written at once." } },
    { name = "three-dimensions", title = "A number for each place",
      task = "`number`: out holds for each place of a grid in three dimensions its number, x first, then y, then z. Fewer instructions for a thread: how few multiplications are enough?",
      score = { profile = "issued", per = "busiest thread", size = { x = 16, y = 8, z = 8 }, say = "Take size.x out of the sum: (z * height + y) * width + x has two multiplications." },
      wrong = "wrong",
      kernel = "number",
      arguments = function(s, make)
        return { out = make.out("uint", s.x * s.y * s.z) }
      end,
      outputs = { "out" },
      launch = function(s) return { grid = { s.x, s.y, s.z } } end,
      reference = function(s, arg, out)
        for i = 0, s.x * s.y * s.z - 1 do out.out[i] = 10 * i end
      end,
      cases = { { x = 1, y = 1, z = 1 }, { x = 2, y = 3, z = 4 },
        { x = 9, y = 5, z = 3 } },
      hints = { "(z * height + y) * width + x has two multiplications.", "The value is ten times the index that you have already." } },
  },
}
