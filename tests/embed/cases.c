/*
** cases.c - tests/bindings/cases.txt in C: what every binding must take or
** refuse.
*/
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "suite.h"

/* The bytes of a value of a type; returns their number. */
static size_t bytes_of(const char *type, const char *text, void *out) {
  double d = atof(text);
  float f = (float)d;
  int i = atoi(text);
  char b = (char)(i != 0);
  const void *from = strcmp(type, "float") == 0  ? (void *)&f
                     : strcmp(type, "int") == 0  ? (void *)&i
                     : strcmp(type, "bool") == 0 ? (void *)&b
                                                 : (void *)&d;
  size_t size = from == &b ? 1 : from == &d ? 8 : 4;
  memcpy(out, from, size);
  return size;
}

/* declaration, name, index, type, value, in C, elsewhere */
static int constant_case(char *const *of) {
  char source[400], bytes[8];
  snprintf(source, sizeof source,
           "constant %s%s; kernel void f(device float *x) { x[0] = float(c); }",
           of[0][0] ? of[0] : "float c = 1",
           of[0][0] ? " [[function_constant(0)]]" : "");
  mettle_Constant value = {(unsigned)atoi(of[2]), bytes,
                           bytes_of(of[3], of[4], bytes)};
  mettle_Library *lib;
  mettle_Kernel *k;
  if (mettle_library_new(dev, source, strlen(source), NULL, &lib, NULL, &err))
    return 0;
  mettle_Status status = mettle_kernel_new(lib, NULL, &value, 1, &k, &err);
  mettle_library_free(lib);
  if (strcmp(of[5], "refused") == 0)
    return status == METTLE_BADARG && says("function constant");
  if (status != METTLE_OK) return 0;
  float x = 0;
  mettle_Launch *l;
  mettle_launch_new(k, &l, &err);
  mettle_launch_memory(l, 0, &x, sizeof x, &err);
  mettle_launch_grid(l, 1, 1, 1);
  status = mettle_launch_run(l, NULL, &err);
  mettle_launch_free(l);
  mettle_kernel_free(k);
  return status == METTLE_OK &&
         (strcmp(of[5], "bits") == 0 || x == (float)atof(of[5]));
}

/* fields, the one that no bytes can give */
static int struct_case(char *const *of) {
  char source[400], name[64];
  static _Alignas(16) char bytes[256];
  snprintf(source, sizeof source,
           "#include <metal_stdlib>\nusing namespace metal;\n"
           "struct S { %s };\nkernel void f(constant S &s, device float *x) { "
           "x[0] = sizeof(s); }", of[0]);
  snprintf(name, sizeof name, "'%s'", of[1]);
  mettle_Kernel *k = take(source, "f");
  mettle_Launch *l;
  if (!k || mettle_launch_new(k, &l, &err)) return 0;
  int good =
      mettle_launch_value(l, 0, bytes, 16, &err) == METTLE_BADARG &&
      says(name) &&
      mettle_launch_memory(l, 0, bytes, sizeof bytes, &err) == METTLE_BADARG &&
      says(name);
  mettle_launch_free(l);
  mettle_kernel_free(k);
  return good;
}

static mettle_Status compare_by(mettle_Launch *l, char *const *of) {
  mettle_SamplerOptions how = {.linear = strcmp(of[1], "linear") == 0,
                               .compare = of[0][0] ? of[0] : NULL};
  float reference = (float)atof(of[2]);
  mettle_Status status = mettle_launch_sampler_options(l, 1, &how, &err);
  if (status == METTLE_OK)
    mettle_launch_value(l, 2, &reference, sizeof reference, &err);
  return status ? status : mettle_launch_run(l, NULL, &err);
}

/* compare, filter, reference, what comes out */
static int sampler_case(char *const *of) {
  static const float depths[] = {0.125f, 0.25f, 0.5f, 0.75f};
  mettle_Kernel *k = take(
      "#include <metal_stdlib>\nusing namespace metal;\n"
      "kernel void f(depth2d<float> d, sampler s, constant float &reference,\n"
      "              device float *x) {\n"
      "  x[0] = d.sample_compare(s, float2(0.5f), reference);\n}", "f");
  mettle_Texture *d;
  mettle_Launch *l;
  float x = -1;
  if (!k || mettle_launch_new(k, &l, &err) ||
      mettle_texture_new(dev, "2d", "depth32float", 2, 2, 1, &d, &err))
    return 0;
  mettle_texture_write(d, depths, sizeof depths, &err);
  mettle_launch_texture(l, 0, d, &err);
  mettle_launch_memory(l, 3, &x, sizeof x, &err);
  mettle_launch_grid(l, 1, 1, 1);
  mettle_Status status = compare_by(l, of);
  mettle_launch_free(l);
  mettle_texture_free(d);
  mettle_kernel_free(k);
  if (strcmp(of[3], "refused") == 0)
    return status == METTLE_BADARG && says(of[0]) &&
           says(": it is none, less, less_equal, greater, greater_equal, "
                "equal, not_equal, always or never");
  return status == METTLE_OK && x == (float)atof(of[3]);
}

void test_cases(void) {
  const char *path = getenv("METTLE_CASES");
  FILE *f = fopen(path ? path : "tests/bindings/cases.txt", "r");
  char line[300], what[300], *of[8];
  int rows = 0;
  while (f && fgets(line, sizeof line, f)) {
    line[strcspn(line, "\n")] = '\0';
    if (line[0] == '#' || !line[0]) continue;
    snprintf(what, sizeof what, "%s", line);
    char *rest = line;
    for (int i = 0; i < 8; i++) {
      of[i] = rest;
      rest += strcspn(rest, "|");
      if (*rest) *rest++ = '\0';
    }
    rows++;
    ok(strcmp(of[0], "constant") == 0 ? constant_case(of + 1)
       : strcmp(of[0], "struct") == 0 ? struct_case(of + 1)
                                      : sampler_case(of + 1), what);
  }
  if (f) fclose(f);
  ok(rows > 10, "the cases of all bindings are there");
}
