/*
** versions.c - what came with which version of MSL.
**
** The one idea: the text is preprocessed, so what stands behind an #if that
** does not hold is gone, and a name of the library that is left is used. The
** table has what the specification dates and the headers have, by names that
** people do not give to things of their own.
*/
#include "msl/reader/versions.h"

#include <stdio.h>
#include <string.h>

#include "base/str.h"

static const unsigned versions[] = {200, 210, 220, 230, 240,
                                    300, 310, 320, 400};
enum { VERSIONS = sizeof versions / sizeof *versions };

typedef struct Arrival {
  unsigned since;
  bool member;      /* after '.' or '->' */
  const char *name; /* with '*' at the end: whatever follows */
} Arrival;

static const Arrival arrivals[] = {
    {210, false, "texture_buffer"},
    {230, false, "simdgroup_matrix"},
    {230, false, "simdgroup_float8x8"},
    {230, false, "simdgroup_half8x8"},
    {230, false, "simdgroup_multiply*"},
    {230, false, "simdgroup_load"},
    {230, false, "simdgroup_store"},
    {230, false, "raytracing"},
    {230, false, "visible_function_table"},
    {230, false, "intersection_function_table"},
    {240, false, "simd_shuffle_and_fill_up"},
    {240, false, "simd_shuffle_and_fill_down"},
    {240, false, "quad_shuffle_and_fill_up"},
    {240, false, "quad_shuffle_and_fill_down"},
    {240, false, "atomic_ulong"},
    {300, false, "atomic_float"},
    {300, false, "mesh_grid_properties"},
    {310, false, "bfloat"},
    {310, false, "bfloat2"},
    {310, false, "bfloat3"},
    {310, false, "bfloat4"},
    {310, false, "packed_bfloat2"},
    {310, false, "packed_bfloat3"},
    {310, false, "packed_bfloat4"},
    {310, false, "simdgroup_bfloat8x8"},
    {310, true, "atomic_load"},
    {310, true, "atomic_store"},
    {310, true, "atomic_exchange"},
    {310, true, "atomic_fetch_*"},
    {310, true, "atomic_compare_exchange_weak"},
    {320, false, "os_log"},
    {320, false, "os_log_default"},
    {320, false, "atomic_thread_fence"},
    {320, false, "memory_coherence_device"},
    {320, false, "memory_coherence_threadgroup"},
    {400, false, "tensor_handle"},
    {400, false, "tensor_inline"},
    {400, false, "tensor_offset"},
    {400, false, "tensor_ops"},
    {400, false, "cooperative_tensor"},
    {400, false, "dextents"},
};
enum { ARRIVALS = sizeof arrivals / sizeof *arrivals };

static void list_versions(mt_Str *out) {
  for (int i = 0; i < VERSIONS; i++)
    mt_str_addf(out, "%smetal%u.%u", i ? ", " : "", versions[i] / 100,
                versions[i] / 10 % 10);
}

mt_Status mt_msl_version(const char *std, unsigned *out, mt_Error *err) {
  const char *s = std;
  unsigned major, minor;
  char rest;
  *out = MT_MSL_NEWEST;
  if (std == NULL) return MT_OK;
  if (strncmp(s, "macos-", 6) == 0) s += 6;
  bool read = sscanf(s, "metal%1u.%1u%c", &major, &minor, &rest) == 2;
  for (int i = 0; read && i < VERSIONS; i++)
    if (versions[i] == major * 100 + minor * 10) {
      *out = versions[i];
      return MT_OK;
    }
  mt_Str all = MT_STR_INIT;
  list_versions(&all);
  mt_error(err, MT_BADARG,
           "'%.40s' is no version of the Metal Shading Language that is known "
           "here: there are %s",
           std, mt_str_text(&all));
  mt_str_free(&all);
  return MT_BADARG;
}

static bool is_name(const char *name, const char *s, size_t n) {
  size_t length = strlen(name);
  if (name[length - 1] == '*')
    return n >= length - 1 && memcmp(name, s, length - 1) == 0;
  return n == length && memcmp(name, s, n) == 0;
}

/* Is the token the name of a member, as in t.atomic_load? */
static bool is_member(const mt_Lex *lex, uint32_t i) {
  if (i == 0) return false;
  const mt_Token *t = &lex->tokens[i - 1];
  const char *s = lex->text + t->at;
  return t->kind == MT_TOKEN_PUNCT &&
         ((t->length == 1 && s[0] == '.') ||
          (t->length == 2 && s[0] == '-' && s[1] == '>') ||
          (t->length == 1 && s[0] == '>' && i > 1 && s[-1] == '-'));
}

const char *mt_msl_too_new(const mt_Lex *lex, unsigned version,
                           uint32_t *token, uint32_t *at, unsigned *since) {
  for (; version < MT_MSL_NEWEST && *token < lex->count; ++*token) {
    const mt_Token *t = &lex->tokens[*token];
    if (t->kind != MT_TOKEN_NAME) continue;
    bool member = is_member(lex, *token);
    for (int i = 0; i < ARRIVALS; i++) {
      const Arrival *a = &arrivals[i];
      if (a->since <= version || a->member != member ||
          !is_name(a->name, lex->text + t->at, t->length))
        continue;
      *at = t->at;
      *since = a->since;
      ++*token;
      return a->name;
    }
  }
  return NULL;
}
