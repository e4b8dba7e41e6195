"""The package mettle on NumPy arrays; speaks TAP. test_python.sh runs it."""
import os
import signal
import subprocess
import sys
import threading
import time

import numpy

import mettle

number, failures = 0, 0
SAXPY = """kernel void saxpy(device const float *x, device float *y,
                  constant float &a, uint i [[thread_position_in_grid]]) {
  y[i] += a * x[i];
}"""


def ok(good, what):
    global number, failures
    number += 1
    failures += not good
    print("%sok %d - %s" % ("" if good else "not ", number, what), flush=True)


def refused(f, *words):
    """Does it raise mettle.Error with these words, in one line?"""
    try:
        f()
    except mettle.Error as error:
        said = str(error)
        if all(w in said for w in words) and "\n" not in said:
            return True
        print("# said: " + said)
        return False
    print("# it was not refused")
    return False


def floats(n):
    return numpy.arange(n, dtype=numpy.float32)


def test_arrays():
    saxpy = mettle.kernel(SAXPY)
    x, y = floats(1000), numpy.ones(1000, numpy.float32)
    t = saxpy(x, y, 2, grid=1000)
    ok(y[999] == 1999 and t.wall > 0, "a kernel writes NumPy's memory")
    saxpy(y=y, x=x, a=numpy.float32(1), grid=(1000,), group=32)
    ok(y[10] == 31, "arguments by name")
    tail = y[500:]
    saxpy(x, tail, 1, grid=500)
    ok(y[500] == 1501 and y[499] == 1498, "a view is a part of its array")
    both = floats(8)
    saxpy(both, both, 1, grid=8)
    ok(both[7] == 14, "one array twice")
    saxpy(x, y, 0, grid=1000, guard=True)
    ok(y[10] == 31, "guarded arrays come back")
    own = mettle.zeros(1000)
    saxpy(x, own[10:], 1, grid=990)
    ok(own[10 + 5] == 5 and own[5] == 0, "memory of the device's own")
    launch = saxpy.bind(x, own, 1, grid=1000)
    whole, each = mettle.sequence([launch, launch])
    ok(own[999] == 989 + 2 * 999 and len(each) == 2 and whole.wall > 0,
       "a sequence")
    return saxpy, x, y


def test_no_copies():
    """A kernel on the processor is given NumPy's own addresses."""
    where = mettle.kernel("""
      kernel void where(device const float *x, device uchar *y,
                        device ulong *at) {
        at[0] = (ulong)x;
        at[1] = (ulong)y;
      }""", device="host")
    x, y = floats(1 << 20)[3:], numpy.zeros((5, 7), numpy.uint8)
    at = numpy.zeros(2, numpy.uint64)
    own = [x.ctypes.data, y.ctypes.data]
    where(x, y, at, grid=1)
    ok(at.tolist() == own, "arrays are used where they lie")
    where(x, y, at, grid=1, guard=True)
    ok(all(a != b for a, b in zip(at.tolist(), own)),
       "and guarded ones elsewhere")


def test_mistakes(saxpy, x, y):
    ok(refused(lambda: saxpy(x.astype(float), y, 1, grid=1), "'x'", "float64",
               "x.astype(numpy.float32)"), "a dtype that is not the kernel's")
    ok(refused(lambda: saxpy(x[::2], y, 1, grid=1), "not contiguous",
               "ascontiguousarray"), "an array that is not contiguous")
    frozen = y.copy()
    frozen.flags.writeable = False
    ok(refused(lambda: saxpy(x, frozen, 1, grid=1), "'y'", "read-only")
       and saxpy(frozen, y, 0, grid=1), "an array that is read-only")
    add = mettle.kernel("""kernel void add(device float *a, device float *b,
        device float *c, uint i [[thread_position_in_grid]]) {
        c[i] = a[i] + b[i]; }""")
    add(frozen, frozen, y, grid=1)
    ok(y[0] == 2 * frozen[0]
       and refused(lambda: add(x, y, frozen, grid=1), "'c'", "read-only"),
       "what a kernel writes is known without const")
    ok(refused(lambda: saxpy(x, y[:0], 1, grid=1), "without elements"),
       "an empty array")
    ok(refused(lambda: saxpy(x, y, 1), "grid=")
       and refused(lambda: saxpy(x, y, 1, grid=0), "empty in x")
       and refused(lambda: saxpy(x, y, 1, grid=1.5), "1.5")
       and refused(lambda: saxpy(x, y, 1, grid=(1, 2, 3, 4)), "sides"),
       "grids that cannot be")
    ok(refused(lambda: saxpy(x, y, "a", grid=1), "'a'", "number")
       and refused(lambda: saxpy(x, 1, 1, grid=1), "'y'", "NumPy array")
       and refused(lambda: saxpy(x, y, 1, 2, grid=1), "3 arguments")
       and refused(lambda: saxpy(x, y, b=1, grid=1), "'b'", "x, y, a")
       and refused(lambda: saxpy(x, y, grid=1), "'a'", "missing"),
       "arguments that cannot be")
    try:
        mettle.kernel("kernel void f(device int *x) {\n  x[0] = oops;\n}",
                      file="bad.metal")
        ok(False, "a source that does not compile")
    except mettle.CompileError as error:
        ok(str(error).startswith("bad.metal:2:10: error: ")
           and "x[0] = oops;" in error.log, "a source that does not compile")
    try:
        mettle.kernel("kernel void f(device int *x) { cudaMalloc(x); }")
        ok(False, "a log says what to write instead in Python")
    except mettle.CompileError as error:
        ok("mettle.empty" in error.log and "mettle_" not in error.log
           and "gpu." not in error.log,
           "a log says what to write instead in Python")
    ok(refused(lambda: mettle.kernel(SAXPY, "saxpi"), "saxpi", "saxpy")
       and refused(lambda: mettle.device("toaster"), "toaster"),
       "names that are not there")


def test_types():
    k = mettle.kernel("""struct P { float3 at; int id; };
      kernel void f(device P *p, constant float3 &by, constant uchar &n,
                    device half2 *h, threadgroup int *room,
                    uint i [[thread_position_in_grid]]) {
        room[0] = n; p[i].at += by; p[i].id += n; h[i] = half2(i, n);
      }""")
    record = numpy.dtype({"names": ["at", "id"], "offsets": [0, 16],
                          "formats": [("f4", 3), "i4"], "itemsize": 32})
    p, h = mettle.zeros(4, record), numpy.zeros((4, 2), numpy.float16)
    k(p, (1, 2, 3), 7, h, grid=4, threadgroup=16)
    ok(p["id"][3] == 7 and list(p["at"][2]) == [1, 2, 3]
       and list(h[3]) == [3, 7], "structs, vectors, halves, values")
    ok(refused(lambda: k(p, (1, 2), 7, h, grid=4, threadgroup=16), "3 numbers")
       and refused(lambda: k(p, (1, 2, 3), 300, h, grid=4, threadgroup=16),
                   "0 to 255")
       and refused(lambda: k(p, (1, 2, 3), 1, h, grid=4), "threadgroup")
       and refused(lambda: k(floats(4), (1, 2, 3), 1, h, grid=4,
                             threadgroup=16), "'p'", "structured"),
       "values and structs that do not fit")
    image = numpy.arange(12, dtype=numpy.float32).reshape(3, 4)
    copy = mettle.kernel("""#include <metal_stdlib>
      using namespace metal;
      kernel void copy(texture2d<float> from, sampler s,
                       texture2d<float, access::write> to,
                       uint2 at [[thread_position_in_grid]]) {
        to.write(2 * from.sample(s, float2(at) + 0.5f), at);
      }""")
    to = mettle.texture(numpy.zeros_like(image))
    copy(mettle.texture(image), mettle.sampler(pixel=True), to, grid=(4, 3))
    ok((to.read() == 2 * image).all(), "textures and samplers")
    c = mettle.kernel("""constant float c [[function_constant(0)]];
      kernel void f(device float *x) { x[0] = c * SIZE; }""",
                      defines={"SIZE": 4}, constants={0: 2.5})
    x = floats(1)
    c(x, grid=1)
    ok(x[0] == 10, "defines and function constants")


def test_records():
    """Structs by the dtype that a kernel has for them."""
    k = mettle.kernel("""struct P { float3 at; int id;
        union { float f; uint bits; }; };
      kernel void f(device P *p, constant P &one,
                    uint i [[thread_position_in_grid]]) {
        p[i].at += one.at; p[i].id += i; p[i].f = one.f;
      }""")
    record, of = k.params[0].record, k.params[1].record
    p, one = mettle.zeros(4, record), numpy.zeros((), of)
    one["at"], one["f"] = (1, 2, 3), 1
    k(p, one[()], grid=4)
    ok(record == of and record.names == ("at", "id", "f", "bits")
       and record.itemsize == k.params[0].size == 32
       and list(p["id"]) == [0, 1, 2, 3] and list(p["at"][2]) == [1, 2, 3]
       and (p["bits"] == 0x3f800000).all(),
       "a struct is read and written by the names of its fields")

    def other(names, formats, offsets):
        return numpy.zeros(4, {"names": names, "formats": formats,
                               "offsets": offsets, "itemsize": 32})
    k(other(["at", "tag"], [("f4", 4), "i4"], [0, 16]), one[()], grid=4)
    ok(refused(lambda: k(other(["at", "id"], [("f4", 3), "i4"], [0, 12]),
                         one[()], grid=4), "'id'", "16", "12", "record")
       and refused(lambda: k(p, other(["f"], ["i4"], [20])[0], grid=4), "'f'",
                   "float32", "int32", "record"),
       "fields of the same name that lie elsewhere, or are of another type")
    plain = mettle.kernel(SAXPY).params
    ok(plain[0].record is None and plain[2].record is None,
       "what is no struct has no record")


def cases(kind):
    """The rows of tests/bindings/cases.txt that begin with this word."""
    path = os.environ.get("METTLE_CASES", "tests/bindings/cases.txt")
    with open(path, encoding="utf-8") as rows:
        return [row.rstrip("\n").split("|")[1:] for row in rows
                if row.startswith(kind + "|")]


def test_constants():
    """Function constants by name and by index, as the table has them."""
    for row in cases("constant"):
        declaration, name, index, kind, text, _, wanted = row
        source = ("constant %s;" % (declaration + " [[function_constant(0)]]"
                                    if declaration else "float c = 1")
                  + "kernel void f(device float *x) { x[0] = float(c); }")
        value = {"bool": lambda s: s != "0", "int": int}.get(
            kind, float)(text)
        good = True
        for key in (name, int(index)):
            x = floats(1)

            def launch():
                mettle.kernel(source, constants={key: value})(x, grid=1)
            if wanted == "refused":
                good = good and refused(launch, "function constant")
            else:
                launch()
                good = good and x[0] == float(wanted)
        ok(good, "constant: " + "|".join(row))


def test_structs():
    """No bytes can give a pointer, a texture or a sampler in a struct."""
    for fields, name in cases("struct"):
        k = mettle.kernel("""#include <metal_stdlib>
          using namespace metal;
          struct S { %s };
          kernel void f(constant S &s, device S *t, device float *x) {
            x[0] = sizeof(s);
          }""" % fields)
        x, size = floats(1), k.params[0].size
        rows = numpy.zeros(4 * size, numpy.uint8)
        ok(refused(lambda: k(bytes(size), rows, x, grid=1), "'s'",
                   "'%s'" % name)
           and refused(lambda: k(rows, rows, x, grid=1), "'%s'" % name),
           "struct: " + fields)


def test_samplers():
    """What sample_compare gives, by every word, as the table has it."""
    k = mettle.kernel("""#include <metal_stdlib>
      using namespace metal;
      kernel void f(depth2d<float> d, sampler s, constant float &reference,
                    device float *x) {
        x[0] = d.sample_compare(s, float2(0.5f), reference);
      }""")
    depths = numpy.array([[0.125, 0.25], [0.5, 0.75]], numpy.float32)
    d, x = mettle.texture(depths, depth=True), floats(1)
    for row in cases("sampler"):
        compare, filters, reference, wanted = row

        def launch():
            k(d, mettle.sampler(linear=filters == "linear",
                                compare=compare or None),
              float(reference), x, grid=1)
        if wanted == "refused":
            good = refused(launch, "'%s': it is none, less, less_equal, "
                           "greater, greater_equal, equal, not_equal, always "
                           "or never" % compare)
        else:
            launch()
            good = x[0] == float(wanted)
        ok(good, "sampler: " + "|".join(row))
    small = mettle.texture(numpy.full((2, 2), 32768, numpy.uint16), depth=True)
    k(small, mettle.sampler(compare="less"), 0.5, x, grid=1)
    ok(d.format == "depth32float" and (d.read() == depths).all()
       and small.format == "depth16unorm" and x[0] == 1,
       "textures of depths, from floats and from 16 bits")
    ok(refused(lambda: mettle.texture(depths.astype("u1"), depth=True),
               "depth", "float32", "uint8")
       and refused(lambda: mettle.texture(numpy.zeros((2, 2, 2), "f4"),
                                          depth=True), "depth")
       and refused(lambda: mettle.texture(depths[0], "1d", depth=True),
                   "depth", "2d")
       and refused(lambda: mettle.sampler(compare=3), "compare", "3")
       and refused(lambda: mettle.sampler(address=None), "address"),
       "depths and words that cannot be")


def test_names():
    """Parameters that are called as options are."""
    source = """kernel void f(device uint *x, constant uint &%s,
        constant uint &%s, uint i [[thread_position_in_grid]]) {
        x[i] = %s + 100 * %s; }"""
    x = numpy.zeros(8, numpy.uint32)
    k = mettle.kernel(source % (("seed", "schedules") * 2))
    ok(k.check(x, 5, 2, grid=8, seed=7, schedules=2).ok
       and "2 other schedules (seed 7)" in str(
           k.check(x, 5, 2, grid=8, seed=7, schedules=2))
       and "seed 1" in str(k.check(x, seed=7, schedules=2, grid=8))
       and k(x, seed=7, schedules=2, grid=8) and x[7] == 207,
       "by position the parameter, by name the option")
    good = True
    for word in ("grid", "group", "groups", "repeats", "limit", "measure",
                 "guard"):
        k = mettle.kernel(source % ((word, "other") * 2))
        x[:] = 0
        k(x, 5, 2, grid=8, group=8)
        good = good and x[7] == 205
    k = mettle.kernel(source % (("grid", "other") * 2))
    ok(good and refused(lambda: k(x, other=2, grid=8), "by its position"),
       "and so it is with the words of a launch")


def test_reports(saxpy, x, y):
    r = saxpy.check(x, y, 1, grid=1001)
    kinds = {f["kind"] for f in r.findings}
    ok(not r.ok and kinds == {"out-of-bounds"} and "saxpy" in str(r)
       and r.findings[0]["line"] == 3, "check finds what is out of bounds")
    before = y.copy()
    r = saxpy.check(x, y, 1, grid=1000)
    ok(r.ok and r.findings == [] and (y == before).all(),
       "a clean kernel, and nothing changed")
    keep = mettle.kernel("""#include <metal_stdlib>
using namespace metal;
kernel void keep(device uint *hits, device atomic_uint *count,
                 uint i [[thread_position_in_grid]]) {
  hits[atomic_fetch_add_explicit(count, 1u, memory_order_relaxed)] = i;
}""")
    lists = keep.check(numpy.zeros(256, "uint32"), numpy.zeros(1, "uint32"),
                       grid=256, group=64)
    ok(lists.ok and lists.unordered == ["hits"] and r.unordered == [],
       "lists whose order is that of the threads")
    p = saxpy.profile(x, y, 1, grid=1000)
    ok(p.coalescing == 1 and p["device_reads"] == 2000
       and p.lines[3]["device_writes"] == 1000 and "coalescing" in str(p),
       "profile counts")


ENDLESS = """kernel void f(device int *x, uint i [[thread_position_in_grid]]) {
  while (x[i] == 0) x[i + 1] += 1;
}"""


def test_endless():
    k, x = mettle.kernel(ENDLESS), mettle.zeros(4, numpy.int32)
    try:
        k(x, grid=1, limit=0.2)
        ok(False, "a limit ends an endless kernel")
    except TimeoutError:
        ok(True, "a limit ends an endless kernel")
    # Ctrl-C, from outside, while this thread is inside of the call; a suite in
    # the background is started with SIGINT ignored
    signal.signal(signal.SIGINT, signal.default_int_handler)
    threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
    start = time.monotonic()
    try:
        k(x, grid=1, limit=120)
        ok(False, "Ctrl-C ends an endless kernel")
    except KeyboardInterrupt:
        ok(time.monotonic() - start < 20, "Ctrl-C ends an endless kernel")
    out = mettle.zeros(64, numpy.int32)
    store = mettle.kernel(
        "kernel void f(device int *x, constant int &at) { x[at] = 1; }")
    # (the address sanitizer has memory of its own everywhere)
    ok(("SANITIZERS" in os.environ
        or refused(lambda: store(out, 1 << 28, grid=1), "f"))
       and store(out, 3, grid=1) and out[3] == 1,
       "a wrong index is an error, and the next launch is right")


def test_processes():
    def work(i, results):
        k = mettle.kernel("kernel void f(device int *x) { x[0] += %d; }" % i)
        x = numpy.zeros(1, numpy.int32)
        for _ in range(20):
            k(x, grid=1)
        results[i] = int(x[0])

    results = {}
    threads = [threading.Thread(target=work, args=(i, results))
               for i in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    ok(results == {i: 20 * i for i in range(4)}, "threads of Python")
    pid = os.fork()
    if pid == 0:
        signal.alarm(20)
        good = refused(lambda: mettle.kernel(SAXPY), "forked", "spawn")
        os._exit(0 if good else 1)
    ok(os.waitpid(pid, 0)[1] == 0, "a forked child is told")
    said = subprocess.run(
        [sys.executable, "-c", "import mettle"], capture_output=True,
        text=True, env=dict(os.environ, METTLE_LIBRARY="/nowhere/lib.so"))
    ok(said.returncode != 0 and "ImportError: libmettle" in said.stderr,
       "without the library there is a sentence")
    env = dict(os.environ)
    if "SANITIZERS" in env:  # (test_python.sh has taken them away)
        env["LD_PRELOAD"] = env["SANITIZERS"]
    said = subprocess.run([sys.executable, "-m", "mettle", "--version"],
                          capture_output=True, text=True, env=env)
    ok(said.stdout == "mettle %s\n" % mettle.__version__,
       "python -m mettle is the program")


kernel, a, b = test_arrays()
test_no_copies()
test_mistakes(kernel, a, b)
test_types()
test_records()
test_constants()
test_structs()
test_samplers()
test_names()
test_reports(kernel, a, b)
test_endless()
test_processes()
print("1..%d" % number)
sys.exit(failures != 0)
