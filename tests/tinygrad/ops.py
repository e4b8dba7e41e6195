"""tinygrad's operations through its Metal renderer and Mettle, beside NumPy.

Each case is an expression over tinygrad's Tensor and the same over NumPy; both
are computed from the same numbers. tinygrad chooses tiles, unrolls, vectors and
threadgroup memory by its own rules, so a few lines here give kernels of many
shapes that nobody here wrote. Speaks TAP; words on the command line choose
cases by their names.
"""
import sys, traceback
import numpy as np
import metal
metal.put()
from tinygrad import Tensor, dtypes, TinyJit, Variable  # noqa: E402

cases = []
random = np.random.default_rng(7)

def case(name, ours, theirs, *shapes, low=-2.0, high=2.0, kind=np.float32, rtol=1e-5, atol=1e-5):
  """A case: ours takes Tensors, theirs arrays, of these shapes, with numbers of low to high."""
  def inputs():
    make = lambda s: (random.integers(int(low), int(high) + 1, s) if np.issubdtype(kind, np.integer)
                      else random.uniform(low, high, s)).astype(kind)
    return [make(s) for s in shapes]
  cases.append((name, ours, theirs, inputs, rtol, atol))

def softmax(x, axis=-1):
  e = np.exp(x - x.max(axis, keepdims=True))
  return e / e.sum(axis, keepdims=True)

def convolve(x, w, stride=1, padding=0, dilation=1, groups=1):
  """2-D correlation by its definition, in double."""
  x = np.pad(x.astype(np.float64), ((0, 0), (0, 0), (padding,) * 2, (padding,) * 2))
  n, channels, height, width = x.shape
  out, _, kh, kw = w.shape
  oh = (height - dilation * (kh - 1) - 1) // stride + 1
  ow = (width - dilation * (kw - 1) - 1) // stride + 1
  y = np.zeros((n, out, oh, ow))
  per_in, per_out = channels // groups, out // groups
  for o in range(out):
    first = o // per_out * per_in
    for i in range(kh):
      for j in range(kw):
        piece = x[:, first:first + per_in,
                  i * dilation:i * dilation + oh * stride:stride,
                  j * dilation:j * dilation + ow * stride:stride]
        y[:, o] += np.einsum("nchw,c->nhw", piece, w[o, :, i, j])
  return y

def pooled(x, size, stride, how):
  n, c, h, w = x.shape
  oh, ow = (h - size) // stride + 1, (w - size) // stride + 1
  y = np.zeros((n, c, oh, ow), x.dtype)
  for i in range(oh):
    for j in range(ow):
      y[:, :, i, j] = how(x[:, :, i * stride:i * stride + size, j * stride:j * stride + size], (2, 3))
  return y

# ------------------------------------------------- one number from one number

unary = {
  "neg": (lambda x: -x, np.negative), "abs": (Tensor.abs, np.abs), "square": (Tensor.square, np.square),
  "exp": (Tensor.exp, np.exp), "exp2": (Tensor.exp2, np.exp2), "sin": (Tensor.sin, np.sin), "cos": (Tensor.cos, np.cos),
  "tan": (lambda x: (x / 2).tan(), lambda x: np.tan(x / 2)), "tanh": (Tensor.tanh, np.tanh), "sigmoid": (Tensor.sigmoid, lambda x: 1 / (1 + np.exp(-x))),
  "relu": (Tensor.relu, lambda x: np.maximum(x, 0)), "floor": (Tensor.floor, np.floor), "ceil": (Tensor.ceil, np.ceil),
  "round": (Tensor.round, np.round), "trunc": (Tensor.trunc, np.trunc), "sign": (Tensor.sign, np.sign),
  "leaky": (Tensor.leaky_relu, lambda x: np.where(x > 0, x, 0.01 * x)), "elu": (Tensor.elu, lambda x: np.where(x > 0, x, np.expm1(x))),
  "silu": (Tensor.silu, lambda x: x / (1 + np.exp(-x))), "softplus": (Tensor.softplus, lambda x: np.log1p(np.exp(x))),
  "hardswish": (Tensor.hardswish, lambda x: x * np.clip(x + 3, 0, 6) / 6), "isnan": (Tensor.isnan, np.isnan),
  "clip": (lambda x: x.clip(-0.5, 0.7), lambda x: np.clip(x, -0.5, 0.7)),
}
positive = {
  "sqrt": (Tensor.sqrt, np.sqrt), "rsqrt": (Tensor.rsqrt, lambda x: 1 / np.sqrt(x)), "log": (Tensor.log, np.log),
  "log2": (Tensor.log2, np.log2), "reciprocal": (Tensor.reciprocal, np.reciprocal),
  "power": (lambda x: x ** 2.5, lambda x: x ** 2.5),
}
for name, (ours, theirs) in unary.items():
  for shape in ((45, 65), (1,), (3, 1, 7, 5)): case(f"{name} {shape}", ours, theirs, shape)
for name, (ours, theirs) in positive.items():
  for shape in ((45, 65), (1,)): case(f"{name} {shape}", ours, theirs, shape, low=0.1, high=9)

# ---------------------------------------------------------- two, broadcast

binary = {
  "add": (lambda a, b: a + b, np.add), "sub": (lambda a, b: a - b, np.subtract), "mul": (lambda a, b: a * b, np.multiply),
  "maximum": (Tensor.maximum, np.maximum), "minimum": (Tensor.minimum, np.minimum),
  "less": (lambda a, b: a < b, np.less), "equal": (lambda a, b: a == b, np.equal),
}
for name, (ours, theirs) in binary.items():
  for left, right in (((45, 65), (45, 65)), ((45, 65), (65,)), ((5, 1, 7), (1, 4, 1)), ((4,), ())):
    case(f"{name} {left} {right}", ours, theirs, left, right)
case("div", lambda a, b: a / b, np.divide, (45, 65), (45, 65), low=0.5, high=4)
case("where", lambda a, b: (a > b).where(a, b * 2), lambda a, b: np.where(a > b, a, b * 2), (33, 17), (33, 17))

for kind in (np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.int64, np.uint64):
  low, high = (0, 100) if np.issubdtype(kind, np.unsignedinteger) else (-100, 100)
  n = kind.__name__
  case(f"add {n}", lambda a, b: a + b, np.add, (70,), (70,), kind=kind, low=low, high=high)
  case(f"mul {n}", lambda a, b: a * b, np.multiply, (70,), (70,), kind=kind, low=low, high=high)
  case(f"xor {n}", lambda a, b: a ^ b, np.bitwise_xor, (70,), (70,), kind=kind, low=low, high=high)
  case(f"and or {n}", lambda a, b: (a & b) | 3, lambda a, b: (a & b) | 3, (70,), (70,), kind=kind, low=low, high=high)
  case(f"floor division {n}", lambda a, b: a // (b.abs() + 1), lambda a, b, one=kind(1): a // (np.abs(b) + one), (70,), (70,), kind=kind, low=low, high=min(high, 90))
  case(f"remainder {n}", lambda a: a % 7, lambda a, seven=kind(7): a % seven, (70,), kind=kind, low=low, high=high)
  case(f"sum {n}", lambda a: a.cast(dtypes.int64).sum(), lambda a: a.astype(np.int64).sum(), (1000,), kind=kind, low=low, high=high)
  case(f"max {n}", Tensor.max, np.max, (300,), kind=kind, low=low, high=high)
  case(f"to float {n}", lambda a: a.float() / 3, lambda a: (a.astype(np.float32) / np.float32(3)), (70,), kind=kind, low=low, high=high)
for to, kind in ((dtypes.half, np.float16), (dtypes.int32, np.int32), (dtypes.uint8, np.uint8), (dtypes.bool, np.bool_)):
  case(f"cast to {kind.__name__}", lambda a, to=to: a.cast(to), lambda a, kind=kind: a.astype(kind), (65,), low=0, high=200)
case("bitcast", lambda a: a.bitcast(dtypes.uint32), lambda a: a.view(np.uint32), (65,))
case("shift", lambda a: (a << 3) + (a >> 2), lambda a: (a << np.uint32(3)) + (a >> np.uint32(2)), (65,), kind=np.uint32, low=0, high=10**6)
case("half add", lambda a, b: a + b, np.add, (65,), (65,), kind=np.float16, rtol=2e-3, atol=2e-3)
case("half product", lambda a, b: a @ b, lambda a, b: a.astype(np.float32) @ b.astype(np.float32), (24, 40), (40, 16), kind=np.float16, rtol=1e-2, atol=2e-2)
case("bfloat", lambda a: a.cast(dtypes.bfloat16).float() * 2, lambda a: a * 2, (65,), rtol=1e-2)

# -------------------------------------------------------------- reductions

for shape, axis in (((45, 3), None), ((1000,), None), ((3, 100000), 1), ((64, 64), 0), ((3, 4, 5, 6), (1, 3)), ((256, 255), 1)):
  case(f"sum {shape} {axis}", lambda a, x=axis: a.sum(x), lambda a, x=axis: a.sum(x, dtype=np.float64), shape, rtol=1e-4, atol=1e-2 if shape[-1] > 9999 else 1e-4)
  case(f"max {shape} {axis}", lambda a, x=axis: a.max(x), lambda a, x=axis: a.max(x), shape)
  case(f"mean {shape} {axis}", lambda a, x=axis: a.mean(x), lambda a, x=axis: a.mean(x, dtype=np.float64), shape, atol=1e-4)
case("min", lambda a: a.min(1), lambda a: a.min(1), (30, 70))
case("prod", lambda a: a.prod(1), lambda a: a.prod(1), (30, 7))
case("std", lambda a: a.std(1), lambda a: a.std(1, ddof=1), (30, 70), rtol=1e-4)
case("var", lambda a: a.var(0), lambda a: a.var(0, ddof=1), (30, 70), rtol=1e-4)
case("argmax", lambda a: a.argmax(1), lambda a: a.argmax(1), (30, 70))
case("argmin", lambda a: a.argmin(0), lambda a: a.argmin(0), (30, 70))
case("any", lambda a: (a > 1.9).any(1), lambda a: (a > 1.9).any(1), (30, 20))
case("all", lambda a: (a > -1.9).all(1), lambda a: (a > -1.9).all(1), (30, 20))
case("logsumexp", lambda a: a.logsumexp(1), lambda a: np.log(np.exp(a).sum(1)), (30, 70))
for n in (7, 513, 5000): case(f"cumsum {n}", lambda a: a.cumsum(0), lambda a: np.cumsum(a, 0, dtype=np.float64), (n,), rtol=1e-3, atol=1e-3)
case("cummax", lambda a: a.cummax(0)[0], lambda a: np.maximum.accumulate(a, 0), (300,))
case("softmax", Tensor.softmax, softmax, (45, 65))
case("softmax wide", Tensor.softmax, softmax, (3, 4000))
case("log softmax", Tensor.log_softmax, lambda a: np.log(softmax(a)), (45, 65))
case("layer norm", lambda a: a.layernorm(), lambda a: (a - a.mean(-1, keepdims=True)) / np.sqrt(a.var(-1, keepdims=True) + 1e-5), (16, 300), rtol=1e-4, atol=1e-4)

# ---------------------------------------------------------------- products

for m, n, k in ((1, 1, 1), (3, 5, 7), (8, 8, 8), (16, 16, 16), (64, 64, 64), (65, 33, 17), (128, 96, 200), (256, 256, 256), (1, 500, 300), (500, 1, 300)):
  case(f"matmul {m} {n} {k}", lambda a, b: a @ b, lambda a, b: a.astype(np.float64) @ b, (m, k), (k, n), rtol=1e-3, atol=1e-3)
case("batched matmul", lambda a, b: a @ b, lambda a, b: a.astype(np.float64) @ b, (5, 24, 40), (5, 40, 32), rtol=1e-3, atol=1e-3)
case("matmul of transposes", lambda a, b: a.T @ b.T, lambda a, b: a.T.astype(np.float64) @ b.T, (48, 64), (32, 48), rtol=1e-3, atol=1e-3)
case("linear, bias, relu", lambda a, w, b: (a @ w + b).relu(), lambda a, w, b: np.maximum(a.astype(np.float64) @ w + b, 0), (17, 64), (64, 32), (32,), rtol=1e-3, atol=1e-3)
case("einsum", lambda a, b: Tensor.einsum("ijk,kl->lij", a, b), lambda a, b: np.einsum("ijk,kl->lij", a, b), (3, 5, 7), (7, 4), rtol=1e-4, atol=1e-4)
case("outer", lambda a, b: a.reshape(-1, 1) * b, np.outer, (33,), (65,))
case("dot", lambda a, b: a.dot(b), lambda a, b: a.astype(np.float64).dot(b), (5000,), (5000,), rtol=1e-3, atol=1e-2)
case("attention", lambda q, k, v: q.scaled_dot_product_attention(k, v),
     lambda q, k, v: softmax(q @ k.transpose(0, 2, 1) / np.sqrt(q.shape[-1])) @ v, (2, 33, 16), (2, 33, 16), (2, 33, 16), rtol=1e-3, atol=1e-4)
case("half matmul, tensor cores", lambda a, b: a.matmul(b, dtype=dtypes.float), lambda a, b: a.astype(np.float32) @ b.astype(np.float32), (64, 64), (64, 64), kind=np.float16, rtol=1e-2, atol=1e-2)

for shape, weights, o in (((1, 1, 5, 7), (1, 1, 3, 3), {}), ((2, 4, 9, 28), (6, 4, 3, 3), {}), ((2, 4, 17, 15), (6, 4, 3, 3), dict(padding=1)), ((1, 8, 16, 16), (8, 8, 1, 1), {}),
                          ((2, 4, 17, 15), (8, 4, 5, 5), dict(stride=2, padding=2)), ((2, 6, 12, 12), (6, 1, 3, 3), dict(groups=6)), ((1, 4, 20, 20), (4, 4, 3, 3), dict(dilation=2))):
  case(f"conv2d {shape} {weights} {o}", lambda a, w, o=o: a.conv2d(w, **o), lambda a, w, o=o: convolve(a, w, **o), shape, weights, rtol=1e-3, atol=1e-3)
case("max pool", lambda a: a.max_pool2d((2, 2)), lambda a: pooled(a, 2, 2, np.max), (2, 3, 17, 14))
case("average pool", lambda a: a.avg_pool2d((3, 3), stride=2), lambda a: pooled(a, 3, 2, np.mean), (2, 3, 17, 15))
case("batch norm", lambda a: a.batchnorm(None, None, a.mean((0, 2, 3)), (a.var((0, 2, 3), correction=0) + 1e-5).rsqrt()),
     lambda a: (a - a.mean((0, 2, 3), keepdims=True)) / np.sqrt(a.var((0, 2, 3), keepdims=True) + 1e-5), (4, 3, 9, 9), rtol=1e-3, atol=1e-4)

# ------------------------------------------------------- moving and choosing

case("transpose", lambda a: a.T.contiguous(), lambda a: a.T, (45, 65))
case("permute", lambda a: a.permute(2, 0, 1).contiguous(), lambda a: a.transpose(2, 0, 1), (4, 5, 6))
case("flip", lambda a: a.flip(0).contiguous(), lambda a: a[::-1], (45, 6))
case("pad", lambda a: a.pad(((1, 2), (3, 0))), lambda a: np.pad(a, ((1, 2), (3, 0))), (5, 7))
case("shrink", lambda a: (a[1:4, 2:] + 1), lambda a: a[1:4, 2:] + 1, (5, 7))
case("strided", lambda a: a[::2, ::-3].contiguous(), lambda a: a[::2, ::-3], (9, 20))
case("concatenate", lambda a, b: a.cat(b, dim=1), lambda a, b: np.concatenate([a, b], 1), (5, 7), (5, 3))
case("stack", lambda a, b: Tensor.stack(a, b), lambda a, b: np.stack([a, b]), (5, 7), (5, 7))
case("repeat", lambda a: a.repeat((2, 3)), lambda a: np.tile(a, (2, 3)), (5, 7))
case("roll", lambda a: a.roll(3, 0), lambda a: np.roll(a, 3, 0), (11, 2))
case("triu", Tensor.triu, np.triu, (9, 9))
case("tril", Tensor.tril, np.tril, (9, 7))
case("arange", lambda a: Tensor.arange(1000) + a, lambda a: np.arange(1000) + a, (1,))
case("eye", lambda a: Tensor.eye(33) * a, lambda a: np.eye(33) * a, (1,))
case("sort", lambda a: a.sort(0)[0], lambda a: np.sort(a, 0), (100,))
case("top k", lambda a: a.topk(5)[0], lambda a: np.sort(a)[::-1][:5], (100,))
case("one hot", lambda a: a.one_hot(12), lambda a: np.eye(12)[a], (20,), kind=np.int32, low=0, high=11)
case("interpolate", lambda a: a.interpolate((8, 8), mode="nearest"), lambda a: a.repeat(2, 2).repeat(2, 3), (1, 2, 4, 4))

def indexed(a):
  rows = np.arange(40, dtype=np.int32) * 7 % 30
  return a[Tensor(rows)]
case("rows by index", indexed, lambda a: a[np.arange(40) * 7 % 30], (30, 6))
case("take along", lambda a: a.gather(1, Tensor((np.arange(60).reshape(12, 5) * 3 % 9).astype(np.int32))),
     lambda a: np.take_along_axis(a, np.arange(60).reshape(12, 5) * 3 % 9, 1), (12, 9))
case("scatter", lambda a: Tensor.zeros(3, 5).contiguous().scatter(0, Tensor([[0, 1, 2, 0, 0]]), a), lambda a: np.where(np.eye(3)[[0, 1, 2, 0, 0]].T > 0, a, 0), (1, 5))

# ---------------------------------------------------------- larger programs

def gradient(x, w1, w2):
  for t in (x, w1, w2): t.requires_grad = True
  ((x @ w1).tanh() @ w2).square().mean().backward()
  return w1.grad
def gradient_np(x, w1, w2):
  x, w1, w2 = (v.astype(np.float64) for v in (x, w1, w2))
  h = np.tanh(x @ w1); y = h @ w2
  return x.T @ ((2 * y / y.size) @ w2.T * (1 - h * h))
case("gradient of a small network", gradient, gradient_np, (16, 20), (20, 30), (30, 5), low=-0.5, high=0.5, rtol=1e-3, atol=1e-4)

def recurrent(x, w):
  h = Tensor.zeros(4, 8)
  for i in range(5): h = (x[i] + h @ w).tanh()
  return h
def recurrent_np(x, w):
  h = np.zeros((4, 8))
  for i in range(5): h = np.tanh(x[i] + h @ w)
  return h
case("five steps of a recurrent network", recurrent, recurrent_np, (5, 4, 8), (8, 8), low=-0.5, high=0.5, rtol=1e-3, atol=1e-4)

def jitted(a):
  step = TinyJit(lambda t: (t * 2 + 1).realize())
  for _ in range(4): a = step(a.contiguous().realize()).clone().realize()
  return a
case("four rounds by the just-in-time graph", jitted, lambda a: a * 16 + 15, (33,), rtol=1e-4)

def symbolic(a):
  n = Variable("n", 1, 10).bind(6)
  return a.shrink(((0, 3), (0, n))).sum(1)
case("a sum of a length that is an argument", symbolic, lambda a: a[:, :6].sum(1), (3, 10))


def run(name, ours, theirs, inputs, rtol, atol):
  arrays = inputs()
  expected = np.asarray(theirs(*arrays))
  got = ours(*[Tensor(a) for a in arrays]).numpy()
  if expected.size == got.size: expected = expected.reshape(got.shape)
  np.testing.assert_allclose(got.astype(np.float64), expected.astype(np.float64), rtol=rtol, atol=atol)

def main(words):
  chosen = [c for c in cases if not words or any(w in c[0] for w in words)]
  print(f"1..{len(chosen)}", flush=True)
  failed = 0
  for i, c in enumerate(chosen, 1):
    try:
      run(*c)
      print(f"ok {i} - {c[0]}", flush=True)
    except Exception:
      failed += 1
      print(f"not ok {i} - {c[0]}")
      print("\n".join("# " + line for line in traceback.format_exc().splitlines()[-14:]), flush=True)
  print(f"{len(chosen) - failed} passed, {failed} failed", flush=True)
  return failed > 0

if __name__ == "__main__": sys.exit(main(sys.argv[1:]))
