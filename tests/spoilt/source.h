/*
** source.h - sources spoilt by chance: tokens of the kernels of tests/msl and
** kernels/ are left out, doubled, exchanged, replaced by other types,
** functions and numbers. And what may not be in a message about one.
**
** A source is a function of a seed and its number alone, so each can be made
** again.
*/
#ifndef SPOILT_SOURCE_H
#define SPOILT_SOURCE_H

#include <ctype.h>
#include <dirent.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/files/file.h"

#define WOUNDS 5        /* mutations of one source */
#define MOST_TOKENS 4000
#define MOST_FILES 2000

static const char *const folders[] = {"tests/msl/run", "tests/msl/refuse",
                                      "kernels"};
static const char *const words[] = {
    "float", "float2", "float4", "half3", "bfloat", "bool4", "bool2", "int",
    "uint3", "ulong", "char4", "packed_float3", "packed_half4", "packed_uint2",
    "float4x4", "half2x3", "atomic_uint", "atomic_float", "simdgroup_float8x8",
    "texture2d<float>", "texture2d_array<half, access::write>",
    "depth2d<float>", "sampler", "array<int, 3>", "vec<float, 3>",
    "vec<bool, 2>", "void", "thread float *", "device int *", "threadgroup",
    "constant", "max", "clamp", "dot", "cross", "select", "mix", "pow", "any",
    "simd_sum", "simd_shuffle_down", "simd_vote", "quad_broadcast",
    "atomic_fetch_add_explicit", "atomic_load_explicit", "as_type<float4>",
    "as_type", "float3(1, 2)", "bool3(true)", "float4(p)", "{1, 2}",
    "{1, 2, 3}", "1.5", "-1", "nullptr", "true", "\"text\"", "0x7fULL", "&",
    "*", ".xyzw", ".xx", ".z", "[0]", "[9]", "()", "(1)", "(1, 2, 3, 4, 5)",
    "+", "% 3", "<< 2", "== 1", "= 2", "+= 1", "++", "!", "~", "->x",
    "static_cast<int3>", "threadgroup_barrier", "mem_flags",
    "memory_order_relaxed", "transpose", "determinant", "make_filter",
    "filter::linear", "coord::pixel", "level(1)", "fract", "frexp", "modf",
    "sincos", "ldexp", "popcount", "absdiff", "pack_float_to_unorm4x8",
    "unpack_unorm4x8_to_float", "simdgroup_load", "simdgroup_multiply",
    "make_uniform", "uniform<int>", "const", "return", "auto", "template",
    "numeric_limits<float3>", "is_same_v", "enable_if_t", "decltype", "sizeof",
    "matrix<float, 2, 5>", "get_width()", "read(0)", "write(1)", "sample()"};

static char *files[MOST_FILES];
static size_t file_count;
static uint64_t state;

static uint32_t chance(uint32_t below) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return (uint32_t)((state >> 11) % below);
}

/* -------------------------------------------------------------------- files */

static int by_name(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The kernels, below the current folder; false: too few. */
static bool find_files(void) {
  for (size_t f = 0; f < sizeof folders / sizeof folders[0]; f++) {
    DIR *d = opendir(folders[f]);
    for (struct dirent *e; d && (e = readdir(d));) {
      const char *dot = strrchr(e->d_name, '.');
      if (!dot || strcmp(dot, ".metal") != 0 || file_count == MOST_FILES)
        continue;
      size_t length = strlen(folders[f]) + strlen(e->d_name) + 2;
      files[file_count] = malloc(length);
      snprintf(files[file_count++], length, "%s/%s", folders[f], e->d_name);
    }
    if (d) closedir(d);
  }
  qsort(files, file_count, sizeof *files, by_name);
  return file_count >= 500;
}

static void free_files(void) {
  while (file_count) free(files[--file_count]);
}

/* ------------------------------------------------------------------ sources */

typedef struct Token {
  const char *at;
  size_t length;
} Token;

/* Names, numbers and single signs; comments and directives stay out of it. */
static size_t tokens_of(const char *s, Token *out) {
  size_t n = 0;
  while (*s && n < MOST_TOKENS) {
    if (*s == '#' || strncmp(s, "//", 2) == 0) {
      s += strcspn(s, "\n");
      continue;
    }
    size_t k = strspn(
        s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
    if (k == 0 && isspace((unsigned char)*s)) {
      s++;
      continue;
    }
    out[n++] = (Token){s, k ? k : 1};
    s += k ? k : 1;
  }
  return n;
}

static void mutate(mt_Str *text) {
  static Token t[MOST_TOKENS];
  mt_Str out = MT_STR_INIT;
  size_t n = tokens_of(mt_str_text(text), t);
  if (n < 2) return;
  size_t i = chance((uint32_t)n - 1), kind = chance(8);
  const char *end = t[i].at + t[i].length,
             *next = t[i + 1].at + t[i + 1].length;
  mt_str_add_bytes(&out, text->text, (size_t)(t[i].at - text->text));
  if (kind == 1 || kind == 2) mt_str_add_bytes(&out, t[i].at, t[i].length);
  if (kind == 1) mt_str_addf(&out, " %.*s", (int)t[i].length, t[i].at);
  if (kind == 2)
    mt_str_addf(&out, " %s ", words[chance(sizeof words / sizeof words[0])]);
  if (kind == 3)
    mt_str_addf(&out, "%.*s %.*s", (int)t[i + 1].length, t[i + 1].at,
                (int)t[i].length, t[i].at);
  if (kind >= 4)
    mt_str_addf(&out, " %s ", words[chance(sizeof words / sizeof words[0])]);
  mt_str_add(&out, kind == 3 ? next : end);
  mt_str_free(text);
  *text = out;
}

/* The sort of a token, whose members may stand in for each other: a name that
** is a type or not, a number, a sign; the others are brackets and the like. */
static char sort_of(const Token *t) {
  char c = *t->at;
  if (isdigit((unsigned char)c)) return '0';
  if (strchr("+-*/%&|^<>", c)) return '+';
  return isalpha((unsigned char)c) || c == '_' ? 'a' : c;
}

/* A token gives way to another of its sort from the same source: what comes
** out often compiles, and means something else. */
static void exchange(mt_Str *text) {
  static Token t[MOST_TOKENS];
  mt_Str out = MT_STR_INIT;
  size_t n = tokens_of(mt_str_text(text), t);
  if (n < 2) return;
  size_t i = 0, k = 0;
  char sort = "00+a"[chance(4)];
  for (int tries = 0; tries < 999 && sort_of(&t[i]) != sort; tries++)
    i = chance((uint32_t)n);
  for (int tries = 0; tries < 999 && (k == i || sort_of(&t[k]) != sort);
       tries++)
    k = chance((uint32_t)n);
  mt_str_add_bytes(&out, text->text, (size_t)(t[i].at - text->text));
  mt_str_add_bytes(&out, t[k].at, t[k].length);
  mt_str_add(&out, t[i].at + t[i].length);
  mt_str_free(text);
  *text = out;
}

/* Any bytes, or none, in the place of some. */
static void spill(mt_Str *text) {
  mt_Str out = MT_STR_INIT;
  size_t at = chance((uint32_t)text->length + 1), gone = chance(9);
  if (at + gone > text->length) gone = text->length - at;
  mt_str_add_bytes(&out, text->text, at);
  for (uint32_t k = chance(4); k > 0; k--)
    mt_str_add_char(
        &out, (char)(chance(4) ? 32 + chance(95) : 1 + chance(255)));
  mt_str_add_bytes(&out, text->text + at + gone, text->length - at - gone);
  mt_str_free(text);
  *text = out;
}

/* splitmix64: numbers that follow each other give states that do not. */
static uint64_t state_of(uint64_t seed, uint64_t number) {
  uint64_t z = seed * 0xd1342543de82ef95u + (number + 1) * 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  z ^= z >> 31;
  return z ? z : 1;
}

/* The source into 'text', which is empty; the file that it was, or NULL: that
** could not be read. One in four is spoilt gently; of the others, one in eight
** has other bytes, too. */
static const char *spoilt_source(uint64_t seed, uint64_t number, mt_Str *text) {
  state = state_of(seed, number);
  const char *file = files[chance((uint32_t)file_count)];
  if (mt_file_read(file, 0, text, NULL) != MT_OK) return NULL;
  bool gentle = chance(4) == 0;
  for (uint32_t k = 1 + chance(gentle ? 2 : WOUNDS); k > 0; k--)
    gentle ? exchange(text) : mutate(text);
  if (!gentle && chance(8) == 0) spill(text);
  return file;
}

/* ----------------------------------------------------------------- messages */

static bool is_name(char c) { return isalnum((unsigned char)c) || c == '_'; }

/* A name of the compiler's or of our headers', which 'source' has not; or a
** path. */
static const char *inner_name(const char *message, const char *source) {
  static const char *const never[] = {
      "__mt", "__msl", "msl/include", "<stdin>", "_Float16", "ext_vector",
      "nvptx", "(aka ", "C++", "MSL1", "MSL2", "MSL9", "OpenCL", "Objective-C",
      "CUDA", "clang::", "gnu::", "annotate", " C11 ", " C23 ", " C99 ",
      "/dev/", NULL};
  static char name[128];
  for (size_t k = 0; never[k]; k++)
    if (strstr(message, never[k]) && !strstr(source, never[k])) return never[k];
  for (const char *s = message; *s; s++) {
    if ((s > message && is_name(s[-1])) ||
        !(strncmp(s, "__", 2) == 0 || strncmp(s, "_Z", 2) == 0))
      continue;
    size_t n = 0;
    while (is_name(s[n])) n++;
    snprintf(name, sizeof name, "%.*s", (int)n, s);
    if (strcmp(name, "__restrict") == 0) continue; /* MSL's own */
    if (!strstr(source, name)) return name;
  }
  return NULL;
}

#endif
