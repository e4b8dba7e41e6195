/*
** table.c - every reference, one entry each; cpu.h says how to read them.
*/
#include <math.h>
#include <string.h>

#include "cpu/inside.h"

#define FLOAT MT_CPU_SET(MT_FLOAT)
#define UINT MT_CPU_SET(MT_UINT)
#define UCHAR MT_CPU_SET(MT_UCHAR)
#define NUMBERS (FLOAT | MT_CPU_SET(MT_INT) | UINT)
#define T MT_CPU_T

#define IN(name, shape) {name, MT_CPU_IN, shape, T}
#define OUT(name, shape) {name, MT_CPU_OUT, shape, T}
#define NUMBER(name) {name, MT_CPU_NUMBER, NULL, 0}
#define REAL(name, standard, about) \
  {name, MT_CPU_REAL, standard, -HUGE_VAL, about}
#define COUNT(name, standard, least, about) \
  {name, MT_CPU_COUNT, standard, least, about}
#define FLAG(name, about) {name, MT_CPU_FLAG, 0, 0, about}

#define RUN(name) .run = mt_cpu_run_##name
#define VENDOR(name, primitive)      \
  .vendor = mt_cpu_vendor_##name,    \
  .needs = offsetof(mt_CpuVendor, primitive)

static const mt_CpuRef table[] = {
    {.name = "add",
     .about = "c = a + b, element by element",
     .types = NUMBERS,
     .in_place = true,
     .args = {IN("a", "*"), IN("b", "*"), OUT("c", "*")},
     RUN(add),
     VENDOR(add, add)},
    {.name = "sub",
     .about = "c = a - b, element by element",
     .types = NUMBERS,
     .in_place = true,
     .args = {IN("a", "*"), IN("b", "*"), OUT("c", "*")},
     RUN(sub),
     VENDOR(sub, sub)},
    {.name = "mul",
     .about = "c = a · b, element by element",
     .types = NUMBERS,
     .in_place = true,
     .args = {IN("a", "*"), IN("b", "*"), OUT("c", "*")},
     RUN(mul),
     VENDOR(mul, mul)},
    {.name = "saxpy",
     .about = "z = k · x + y, element by element",
     .types = FLOAT,
     .in_place = true,
     .args = {NUMBER("k"), IN("x", "*"), IN("y", "*"), OUT("z", "*")},
     RUN(saxpy),
     VENDOR(saxpy, saxpy)},
    {.name = "relu",
     .about = "y = x where x is positive, else 0",
     .types = FLOAT,
     .in_place = true,
     .args = {IN("x", "*"), OUT("y", "*")},
     RUN(relu)},
    {.name = "exp",
     .about = "y = e to the power of x, element by element",
     .types = FLOAT,
     .in_place = true,
     .args = {IN("x", "*"), OUT("y", "*")},
     RUN(exp),
     VENDOR(exp, exp)},
    {.name = "sum",
     .about = "the sum of all elements",
     .types = NUMBERS,
     .args = {IN("x", "*"), {"total", MT_CPU_OUT, "1", MT_CPU_T_WIDE}},
     RUN(sum),
     VENDOR(sum, sum)},
    {.name = "mean",
     .about = "the mean of all elements",
     .types = FLOAT,
     .args = {IN("x", "*"), OUT("mean", "1")},
     RUN(mean),
     VENDOR(mean, sum)},
    {.name = "max",
     .about = "the largest element",
     .types = NUMBERS,
     .args = {IN("x", "*"), OUT("largest", "1")},
     RUN(max)},
    {.name = "dot",
     .about = "the sum of x · y, element by element",
     .types = FLOAT,
     .args = {IN("x", "*"), IN("y", "*"), OUT("total", "1")},
     RUN(dot),
     VENDOR(dot, dot)},
    {.name = "matmul",
     .about = "c = a · b, the product of two matrices",
     .types = FLOAT,
     .args = {IN("a", "n k"), IN("b", "k m"), OUT("c", "n m")},
     RUN(matmul),
     VENDOR(matmul, matmul)},
    {.name = "transpose",
     .about = "b = a with rows and columns exchanged",
     .types = NUMBERS,
     .args = {IN("a", "n m"), OUT("b", "m n")},
     RUN(transpose),
     VENDOR(transpose, transpose)},
    {.name = "scan",
     .about = "running sums: y[i] = x[0] + … + x[i]",
     .types = NUMBERS,
     .in_place = true,
     .args = {IN("x", "*"), OUT("y", "*")},
     .options = {FLAG("exclusive", "leave x[i] out of y[i]")},
     RUN(scan)},
    {.name = "histogram",
     .about = "bins[v] = how many elements of x are v",
     .types = UINT | UCHAR,
     .args = {IN("x", "*"), {"bins", MT_CPU_OUT, "b", UINT}},
     .options = {COUNT("bins", 256, 1, "how many, if they are not given")},
     .derive = mt_cpu_derive_histogram,
     RUN(histogram)},
    {.name = "conv1d",
     .about = "y[i] = sum of w[j] · x[i + j]",
     .types = FLOAT,
     .args = {IN("x", "n"), IN("w", "k"), OUT("y", "p")},
     .options = {COUNT("pad", 0, 0, "zeros put at both ends of x"),
                 COUNT("stride", 1, 1, "step between windows")},
     .derive = mt_cpu_derive_conv1d,
     RUN(conv1d),
     VENDOR(conv1d, correlate)},
    {.name = "conv2d",
     .about = "y[r][c] = sum of w[i][j] · x[r + i][c + j]",
     .types = FLOAT,
     .args = {IN("x", "n m"), IN("w", "k l"), OUT("y", "p q")},
     .options = {COUNT("pad", 0, 0, "zeros put around x"),
                 COUNT("stride", 1, 1, "step between windows")},
     .derive = mt_cpu_derive_conv2d,
     RUN(conv2d)},
    {.name = "maxpool",
     .about = "y = the largest of each square window of x",
     .types = FLOAT,
     .args = {IN("x", "n m"), OUT("y", "p q")},
     .options = {COUNT("size", 2, 1, "rows and columns of a window"),
                 COUNT("stride", 0, 0, "step between windows; 0: size")},
     .derive = mt_cpu_derive_maxpool,
     RUN(maxpool)},
    {.name = "softmax",
     .about = "each row of y = exp(row of x), scaled to a sum of 1",
     .types = FLOAT,
     .in_place = true,
     .args = {IN("x", "* n"), OUT("y", "* n")},
     RUN(softmax)},
    {.name = "layernorm",
     .about = "rows with mean 0 and variance 1, then · gamma + beta",
     .types = FLOAT,
     .in_place = true,
     .args = {IN("x", "* n"), IN("gamma", "n"), IN("beta", "n"),
              OUT("y", "* n")},
     .options = {REAL("epsilon", 1e-5, "added to the variance")},
     RUN(layernorm)},
    {.name = "mandelbrot",
     .about = "steps until z = z² + c leaves the circle of radius 2",
     .types = UINT,
     .args = {{"counts", MT_CPU_OUT, "n m", UINT}},
     .options = {COUNT("rows", 512, 1, "if counts is not given"),
                 COUNT("columns", 512, 1, "if counts is not given"),
                 REAL("x", -0.75, "centre of the image, real part"),
                 REAL("y", 0, "centre of the image, imaginary part"),
                 REAL("width", 3, "of the image, in the plane"),
                 COUNT("steps", 256, 0, "at most")},
     .derive = mt_cpu_derive_mandelbrot,
     RUN(mandelbrot)},
    {.name = "nbody",
     .about = "one time step of bodies that attract each other",
     .types = FLOAT,
     .args = {IN("bodies", "n 4"), IN("velocities", "n 4"),
              OUT("bodies2", "n 4"), OUT("velocities2", "n 4")},
     .options = {REAL("dt", 0.01, "length of the step"),
                 REAL("softening", 0.01, "keeps close encounters finite")},
     RUN(nbody)},
    {.name = "blackscholes",
     .about = "prices of European call and put options",
     .types = FLOAT,
     .in_place = true,
     .args = {IN("price", "*"), IN("strike", "*"), IN("years", "*"),
              OUT("call", "*"), OUT("put", "*")},
     .options = {REAL("rate", 0.02, "riskless interest a year"),
                 REAL("volatility", 0.3, "of the price, a year")},
     RUN(blackscholes)},
    {.name = "linear",
     .about = "y = relu(x · w + b), a layer of a neural network",
     .types = FLOAT,
     .args = {IN("x", "n k"), IN("w", "k m"), IN("b", "m"), OUT("y", "n m")},
     RUN(linear),
     VENDOR(linear, matmul)},
    {.name = "attention",
     .about = "out = softmax(q · k transposed · scale) · v",
     .types = FLOAT,
     .args = {IN("q", "n d"), IN("k", "m d"), IN("v", "m e"),
              OUT("out", "n e")},
     .options = {FLAG("causal", "row i of q sees rows 0 … i of k alone"),
                 REAL("scale", 0, "0: 1 / sqrt(columns of q)")},
     RUN(attention),
     VENDOR(attention, matmul)},
};

#define TABLE_SIZE (sizeof table / sizeof table[0])

const mt_CpuRef *mt_cpu_at(size_t index) {
  return index < TABLE_SIZE ? &table[index] : NULL;
}

const mt_CpuRef *mt_cpu_find(const char *name) {
  for (size_t i = 0; i < TABLE_SIZE; i++)
    if (strcmp(table[i].name, name) == 0) return &table[i];
  return NULL;
}

const char *mt_cpu_name(const mt_CpuRef *ref) { return ref->name; }
const char *mt_cpu_about(const mt_CpuRef *ref) { return ref->about; }
unsigned mt_cpu_types(const mt_CpuRef *ref) { return ref->types; }
const mt_CpuArg *mt_cpu_args(const mt_CpuRef *ref) { return ref->args; }

const mt_CpuOption *mt_cpu_options(const mt_CpuRef *ref) {
  return ref->options;
}
