"""pytorch.py - PyTorch as a contender of bench/library.lua, by bench/child.lua.

It answers line by line: "load WORDS" makes the data of an operation, "run N"
does it N times and answers the GPU's seconds of one (on a CPU the wall's).
Numbers are floats and products are not rounded to TF32.
"""
import sys
import time

try:
    import torch
    import torch.nn.functional as F
except ImportError:
    print("error no PyTorch", flush=True)
    sys.exit(0)

gpu = torch.cuda.is_available()
if len(sys.argv) > 1 and sys.argv[1] == "cuda" and not gpu:
    print("error PyTorch finds no GPU", flush=True)
    sys.exit(0)
place = "cuda" if gpu else "cpu"
torch.backends.cuda.matmul.allow_tf32 = False
torch.backends.cudnn.allow_tf32 = False
torch.set_grad_enabled(False)


def random(*shape):
    return torch.rand(*shape, device=place) * 2 - 1


def two(n):
    return random(n), random(n), torch.empty(n, device=place)


def add(n):
    a, b, c = two(n)
    return lambda: torch.add(a, b, out=c)


def mul(n):
    a, b, c = two(n)
    return lambda: torch.mul(a, b, out=c)


def saxpy(n):
    x, y, z = two(n)
    return lambda: torch.add(y, x, alpha=2.5, out=z)


def copy(n):
    x, _, y = two(n)
    return lambda: y.copy_(x)


def fill(n):
    y = random(n)
    return lambda: y.fill_(1.5)


def relu(n):
    x, _, y = two(n)
    return lambda: torch.clamp_min(x, 0, out=y)


def gelu(n):
    x = random(n)
    return lambda: F.gelu(x, approximate="tanh")


def sums(n):
    x = random(n)
    return lambda: x.sum()


def dot(n):
    x, y, _ = two(n)
    return lambda: torch.dot(x, y)


def scan(n):
    x, _, y = two(n)
    return lambda: torch.cumsum(x, 0, out=y)


def histogram(n):
    x = torch.randint(0, 256, (n,), device=place, dtype=torch.uint8)
    return lambda: torch.bincount(x, minlength=256)


def sort(n):
    x = random(n)
    return lambda: torch.sort(x)


def uniform(n):
    y = torch.empty(n, device=place)
    return lambda: y.uniform_()


def normal(n):
    y = torch.empty(n, device=place)
    return lambda: y.normal_()


def transpose(rows, columns):
    x, y = random(rows, columns), torch.empty(columns, rows, device=place)
    return lambda: y.copy_(x.t())


def product(m, n, k):
    a, b = random(m, k), random(k, n)
    c = torch.empty(m, n, device=place)
    return lambda: torch.mm(a, b, out=c)


def linear(rows, inputs, outputs):
    x, w, b = random(rows, inputs), random(inputs, outputs), random(outputs)
    return lambda: torch.addmm(b, x, w).relu_()


def conv1d(n, k):
    x, w = random(1, 1, n), random(1, 1, k)
    return lambda: F.conv1d(x, w)


def conv2d(rows, columns, size):
    x, w = random(1, 1, rows, columns), random(1, 1, size, size)
    return lambda: F.conv2d(x, w)


def maxpool(rows, columns, size):
    x = random(1, 1, rows, columns)
    return lambda: F.max_pool2d(x, size)


def softmax(rows, columns):
    x, y = random(rows, columns), torch.empty(rows, columns, device=place)
    return lambda: torch.softmax(x, 1, out=y)


def layernorm(rows, columns):
    x = random(rows, columns)
    gamma, beta = random(columns), random(columns)
    return lambda: F.layer_norm(x, (columns,), gamma, beta)


def attention(rows, keys):
    q, k, v = (random(1, 1, n, 64) for n in (rows, keys, keys))
    return lambda: F.scaled_dot_product_attention(q, k, v)


def seconds(work, n):
    if not gpu:
        start = time.perf_counter()
        for _ in range(n):
            work()
        return (time.perf_counter() - start) / n
    before, after = (torch.cuda.Event(enable_timing=True) for _ in "ab")
    before.record()
    for _ in range(n):
        work()
    after.record()
    after.synchronize()
    return before.elapsed_time(after) / 1000 / n


def main():
    work = None
    name = torch.cuda.get_device_name() if gpu else "the processor"
    print("ok PyTorch %s on %s" % (torch.__version__, name), flush=True)
    for line in sys.stdin:
        words = line.split()
        try:
            if words[0] == "quit":
                return
            if words[0] == "load":
                work = None
                if gpu:
                    torch.cuda.empty_cache()
                work = globals()[words[1]](*map(int, words[2:]))
                seconds(work, 1)
                print("ok", flush=True)
            else:
                print("ok %.9g" % seconds(work, int(words[1])), flush=True)
        except Exception as error:  # one operation less, not the whole table
            print("error", str(error).split("\n")[0], flush=True)


main()
