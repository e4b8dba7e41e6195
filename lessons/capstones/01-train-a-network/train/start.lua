hidden, shares = answer "hidden", answer "shares"
both, update = answer "backward", answer "update"

-- net has w1, b1, w2, b2 (buffers) and inputs, neurons, classes (numbers).
-- Returns the mean loss before each step, as a list of numbers.
function train(net, x, label, rate, steps)
  losses = {}
  for s = 1, steps do
    losses[s] = 0
  end
  return losses
end
