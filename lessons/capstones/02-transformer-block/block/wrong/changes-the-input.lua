normalise, project = answer "normalise", answer "project"
both = answer "attention"       -- both.attend, both.mix_values
add = gpu.kernel "add"          -- add{a, b, c, n, grid = n}: c = a + b

function normal(x, gain, shift)
  y = gpu.buffer(x.shape[1], x.shape[2])
  normalise{x, gain, shift, y, x.shape[2], groups = x.shape[1], group = 32}
  return y
end

function linear(x, w, b, bend)
  y = gpu.buffer(x.shape[1], w.shape[2])
  project{x, w, b, y, x.shape[2], bend and 1 or 0,
    grid = {w.shape[2], x.shape[1]}}
  return y
end

function sum(a, b)
  y = gpu.buffer(a.shape[1], a.shape[2])
  add{a = a, b = b, c = y, n = #a, grid = #a}
  return y
end

function attention(q, k, v)
  words, width = q.shape[1], q.shape[2]
  share, y = gpu.buffer(words, words), gpu.buffer(words, width)
  both.attend{q, k, share, words, width, grid = words}
  both.mix_values{share, v, y, words, grid = {width, words}}
  return y
end

function block(x, W)
  x[0] = x[0] + 1
  n = normal(x, W.gain1, W.shift1)
  a = attention(linear(n, W.q, W.bq), linear(n, W.k, W.bk),
    linear(n, W.v, W.bv))
  x = sum(x, linear(a, W.o, W.bo))
  n = normal(x, W.gain2, W.shift2)
  return sum(x, linear(linear(n, W.up, W.bup, true), W.down, W.bdown))
end
