/*
** views.c - structs as C finds their fields (mettle_kernel_field), beside the
** model: views N.metal N.txt, which tests/layout/views.lua has made. Says what
** is wrong, a line each.
*/
#include <mettle/mettle.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 1 << 16 };

static mettle_Error err;
static mettle_Library *lib;
static mettle_Device *dev;
static int wrong, structs, leaves;

static struct {
  char name[32];
  size_t size, align;
  mettle_Kernel *write, *copy;
  unsigned char *bytes; /* of the buffer, by names */
  mettle_Buffer *buf;
} now;

static void say(const char *what, const char *path) {
  printf("# %s.%s: %s; %s\n", now.name, path, what, err.text);
  wrong++;
}

/* --------------------------------------------------------- one launch */

static void launch(mettle_Kernel *k, mettle_Buffer *second) {
  mettle_Launch *l;
  if (mettle_launch_new(k, &l, &err)) say("no launch", "");
  mettle_launch_buffer(l, 0, now.buf, 0, &err);
  if (second) mettle_launch_buffer(l, 1, second, 0, &err);
  mettle_launch_grid(l, 1, 1, 1);
  if (mettle_launch_run(l, NULL, &err)) say("it does not run", "");
  mettle_launch_free(l);
}

static void *open_all(mettle_Buffer *b) {
  void *bytes = NULL;
  mettle_buffer_open(b, METTLE_READ | METTLE_WRITE, &bytes, &err);
  return bytes;
}

/* ------------------------------------------------------------ scalars */

static void put_float(unsigned char *at, const char *scalar, float v) {
  uint32_t bits;
  int exponent;
  memcpy(&bits, &v, 4);
  if (strcmp(scalar, "float") == 0) memcpy(at, &bits, 4);
  if (strcmp(scalar, "bfloat") == 0) memcpy(at, (char *)&bits + 2, 2);
  if (strcmp(scalar, "half") != 0) return;
  float part = 2 * frexpf(v, &exponent) - 1;
  uint16_t half = (uint16_t)((exponent + 14) << 10 | (int)(1024 * part));
  memcpy(at, &half, 2);
}

static void put(unsigned char *at, const mettle_Field *f, long v) {
  if (strstr(f->scalar, "float") || strcmp(f->scalar, "half") == 0)
    put_float(at, f->scalar, (float)v);
  else
    memcpy(at, &(int64_t){v}, f->size);
}

/* -------------------------------------------------------------- lines */

static void take_struct(const char *line) {
  char name[64];
  mettle_Param p;
  int packed = 0;
  sscanf(line, "struct %31s %zu %zu %d", now.name, &now.size, &now.align,
         &packed);
  snprintf(name, sizeof name, "write_%s", now.name);
  mettle_kernel_new(lib, name, NULL, 0, &now.write, &err);
  snprintf(name, sizeof name, "copy_%s", now.name);
  mettle_kernel_new(lib, name, NULL, 0, &now.copy, &err);
  if (!now.write || mettle_kernel_param(now.write, 0, &p))
    say("no kernel", ""), exit(1);
  if (p.size != now.size) say("its size", "");
  if (p.align < now.align || (p.align > now.align && !packed))
    say("its alignment", "");
  mettle_buffer_new(dev, now.size, &now.buf, &err);
  now.bytes = open_all(now.buf);
  structs++;
}

/* Is the field that a path begins with among the names? */
static int is_named(const char *path) {
  const char *name;
  size_t n = strcspn(path, ".[");
  for (unsigned i = 0;
       (name = mettle_kernel_field_name(now.write, 0, "", i)) != NULL; i++)
    if (strlen(name) == n && memcmp(name, path, n) == 0) return 1;
  return 0;
}

static void take_leaf(const char *line) {
  char path[256], scalar[16];
  size_t offset;
  long value;
  mettle_Field f;
  sscanf(line, "leaf %255s %zu %15s %ld", path, &offset, scalar, &value);
  leaves++;
  if (mettle_kernel_field(now.write, 0, path, &f, &err)) {
    say("is not found", path);
    return;
  }
  if (f.offset != offset) say("its offset", path);
  if (!f.scalar || strcmp(f.scalar, scalar) != 0 || f.components != 1 ||
      f.columns != 1 || f.count || f.has_fields)
    say("its type", path);
  if (!is_named(path)) say("its name", path);
  if (f.scalar && f.offset + f.size <= now.size)
    put(now.bytes + f.offset, &f, value);
}

static void compare(const char *what, const unsigned char *got,
                    const char *line) {
  char *rest = (char *)line + strlen("image");
  for (size_t i = 0; i < now.size; i++)
    if (got[i] != strtoul(rest, &rest, 10)) {
      say(what, "");
      return;
    }
}

static void take_image(const char *line) {
  mettle_Buffer *out;
  mettle_buffer_new(dev, now.size, &out, &err);
  launch(now.copy, out);
  compare("what was written by names", open_all(out), line);
  memset(open_all(now.buf), 0, now.size);
  launch(now.write, NULL);
  compare("what the kernel wrote", open_all(now.buf), line);
  mettle_buffer_free(out);
  mettle_buffer_free(now.buf);
  mettle_kernel_free(now.write);
  mettle_kernel_free(now.copy);
}

int main(int count, char **args) {
  static char source[16 * MOST], line[MOST];
  FILE *text = count == 3 ? fopen(args[1], "r") : NULL;
  FILE *said = count == 3 ? fopen(args[2], "r") : NULL;
  if (!text || !said) return 2;
  size_t n = fread(source, 1, sizeof source, text);
  if (mettle_device_open(NULL, &dev, &err) ||
      mettle_library_new(dev, source, n, NULL, &lib, NULL, &err)) {
    printf("# %s\n", err.text);
    return 1;
  }
  while (fgets(line, sizeof line, said))
    if (strncmp(line, "struct", 6) == 0) take_struct(line);
    else if (strncmp(line, "leaf", 4) == 0) take_leaf(line);
    else take_image(line);
  printf("# %d structs, %d leaves, %d wrong\n", structs, leaves, wrong);
  mettle_library_free(lib);
  mettle_device_close(dev);
  fclose(text);
  fclose(said);
  return wrong != 0;
}
