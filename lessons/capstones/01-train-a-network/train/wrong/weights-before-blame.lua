hidden, shares = answer "hidden", answer "shares"
both, update = answer "backward", answer "update"

function train(net, x, label, rate, steps)
  n, D, H, K = x.shape[1], net.inputs, net.neurons, net.classes
  h, p, loss = gpu.buffer(n, H), gpu.buffer(n, K), gpu.buffer(n)
  dz, dh = gpu.buffer(n, K), gpu.buffer(n, H)
  losses = {}
  for s = 1, steps do
    hidden{x, net.w1, net.b1, h, D, grid = {H, n}}
    shares{h, net.w2, net.b2, label, p, loss, H, K, grid = n}
    losses[s] = loss:mean()
    both.blame{p, label, dz, grid = {K, n}}
    update{h, dz, net.w2, net.b2, n, H, rate, grid = {K, H + 1}}
    both.backward{dz, net.w2, h, dh, K, grid = {H, n}}
    update{x, dh, net.w1, net.b1, n, D, rate, grid = {H, D + 1}}
  end
  return losses
end
