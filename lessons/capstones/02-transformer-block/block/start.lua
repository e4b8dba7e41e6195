normalise, project = answer "normalise", answer "project"
both = answer "attention"       -- both.attend, both.mix_values
add = gpu.kernel "add"          -- add{a, b, c, n, grid = n}: c = a + b

-- x is words × width. W has gain1, shift1, q, k, v, o, gain2, shift2, up, down
-- (weights, inputs × outputs) and bq, bk, bv, bo, bup, bdown.
-- Returns a new buffer of x's shape.
function block(x, W)
  return x:copy()
end
