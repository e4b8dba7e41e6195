local function look(b)
  if b == nil then return "there is no squares yet: squares = gpu.buffer(…) makes it" end
  if type(b) ~= "userdata" or getmetatable(b).__name ~= "buffer" then
    return ("squares is a %s; it should be a buffer: gpu.buffer(…)"):format(type(b))
  end
  if b.type ~= "int" then return ('its elements are %s and should be int: the type is named first, as in gpu.buffer("half", 8)'):format(b.type) end
  if #b ~= 100 then return ("it has %d elements and should have 100"):format(#b) end
  for i = 0, 99 do
    if b[i] ~= i * i then
      return ("squares[%d] is %d and should be %d%s"):format(i, b[i], i * i,
        b[i] == (i + 1) ^ 2 and ": the first index is 0" or b[i] == i and ": that is i, not i * i" or "")
    end
  end
end

return {
  title = "Buffers", part = 1, minutes = 10,
  task = "Make a buffer `squares` of 100 ints with squares[i] = i * i.",
  exercise = function(env)
    local why = look(env.squares)
    if why then return false, why end
    return true, "Right: 100 ints, from squares[0] = 0 to squares[99] = 9801."
  end,
  start_fails = "wrong",
  wrong = { ["floats"] = "wrong", ["from-one"] = "error", ["shifted"] = "wrong", ["iota"] = "wrong", ["a-table"] = "wrong" },
  hints = {
    'The type stands before the size: gpu.buffer("uint", 10) would be ten numbers without a sign.',
    "Indices go from 0 to 99, and squares[i] = i * i sets one of them.",
    'squares = gpu.buffer("int", 100) makes it; for i = 0, 99 do squares[i] = i * i end fills it.',
  },
}
