/*
** versions.c - what came with which version of MSL.
**
** The one idea: the text is preprocessed, so what an #if hides that
** does not hold is gone, and a name of the library that is left is used, unless
** the source declares it itself (own.c). The table has what the specification
** dates and the headers have; its sections are those of version 4.0.
*/
#include "msl/reader/versions.h"

#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "msl/reader/parts.h"

static const unsigned versions[] = {200, 210, 220, 230, 240,
                                    300, 310, 320, 400};
enum { VERSIONS = sizeof versions / sizeof *versions };

typedef enum Use { NAME, MEMBER, HEADER } Use; /* MEMBER: after '.' or '->' */

typedef struct Arrival {
  unsigned since;
  Use use;
  const char *name; /* with '*' at the end: whatever follows */
} Arrival;

static const Arrival arrivals[] = {
    {210, NAME, "texture_buffer"},   /* 2.9.1 */
    {230, NAME, "packed_long2"},     /* 2.2.3 */
    {230, NAME, "packed_long3"},
    {230, NAME, "packed_long4"},
    {230, NAME, "simdgroup_matrix"}, /* 2.4, and what works on them: 6.7 */
    {230, NAME, "simdgroup_float8x8"},
    {230, NAME, "simdgroup_half8x8"},
    {230, NAME, "simdgroup_multiply*"},
    {230, NAME, "simdgroup_load"},
    {230, NAME, "simdgroup_store"},
    {230, HEADER, "metal_simdgroup_matrix"},
    {230, NAME, "visible_function_table"}, /* 2.15 */
    {230, HEADER, "metal_visible_function_table"},
    {230, NAME, "raytracing"}, /* 2.17 */
    {230, NAME, "intersection_function_table"},
    {230, HEADER, "metal_raytracing"},
    {240, NAME, "atomic_bool"}, /* 2.6 */
    {240, NAME, "atomic_ulong"},
    {240, NAME, "simd_shuffle_and_fill_up"}, /* 6.9.2 */
    {240, NAME, "simd_shuffle_and_fill_down"},
    {240, NAME, "quad_shuffle_and_fill_up"}, /* 6.9.3 */
    {240, NAME, "quad_shuffle_and_fill_down"},
    {300, NAME, "atomic_float"},         /* 2.6 */
    {300, NAME, "mesh_grid_properties"}, /* 2.20.1 */
    {300, HEADER, "metal_mesh"},         /* 2.20 */
    {310, NAME, "bfloat"},               /* 2.1 */
    {310, NAME, "bfloat2"},              /* 2.2 */
    {310, NAME, "bfloat3"},
    {310, NAME, "bfloat4"},
    {310, NAME, "packed_bfloat2"}, /* 2.2.3 */
    {310, NAME, "packed_bfloat3"},
    {310, NAME, "packed_bfloat4"},
    {310, NAME, "simdgroup_bfloat8x8"}, /* 2.4 */
    {310, NAME, "nextafter"},           /* 6.5 */
    {310, MEMBER, "atomic_load"},       /* 6.12, of textures */
    {310, MEMBER, "atomic_store"},
    {310, MEMBER, "atomic_exchange"},
    {310, MEMBER, "atomic_fetch_*"},
    {310, MEMBER, "atomic_min"},
    {310, MEMBER, "atomic_max"},
    {310, MEMBER, "atomic_compare_exchange_weak"},
    {320, NAME, "coherent"},                /* 4.8 */
    {320, NAME, "memory_coherence_device"}, /* 2.9 */
    {320, NAME, "memory_coherence_threadgroup"},
    {320, NAME, "atomic_thread_fence"}, /* 6.15.3 */
    {320, NAME, "os_log"},              /* 6.19 */
    {320, NAME, "os_log_default"},
    {320, HEADER, "metal_logging"},
    {400, NAME, "dextents"},      /* 2.21.1 */
    {400, NAME, "tensor_handle"}, /* 2.21.2 */
    {400, NAME, "tensor_inline"},
    {400, NAME, "tensor_offset"},
    {400, HEADER, "metal_tensor"},
    {400, NAME, "cooperative_tensor"}, /* 2.21.3 */
    {400, NAME, "tensor_ops"},         /* 7 */
    {400, HEADER, "MetalPerformancePrimitives*"},
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
  return i > 0 && (mt_lex_is(lex, i - 1, ".") || mt_lex_is(lex, i - 1, "->"));
}

/* What is called so and came later; or NULL. */
static const Arrival *find_later(unsigned version, Use use, const char *name,
                                 size_t length) {
  for (int i = 0; i < ARRIVALS; i++) {
    const Arrival *a = &arrivals[i];
    if (a->since > version && a->use == use && is_name(a->name, name, length))
      return a;
  }
  return NULL;
}

/* The header of the library in a line marker, # 1 "…/include/NAME" 1 3: NULL if
** it is another marker. */
static const char *entered_header(const mt_Lex *lex, const mt_Token *d,
                                  size_t *length) {
  static const char folder[] = "/include/";
  const char *s = lex->text + d->at, *end = s + d->length, *found = NULL;
  if (end - s < 6 || memcmp(end - 4, " 1 3", 4) != 0 || end[-5] != '"')
    return NULL;
  for (size_t n = sizeof folder - 1; s + n < end; s++)
    if (memcmp(s, folder, n) == 0) found = s + n;
  if (found) *length = (size_t)(end - 5 - found);
  return found;
}

/* A header that the source itself includes, not one of the library's. */
static bool next_header(const mt_Lex *lex, unsigned version, mt_Later *l) {
  for (; l->directive < lex->directive_count; l->directive++) {
    const mt_Token *d = &lex->directives[l->directive];
    bool was = l->library;
    l->library = mt_read_is_library_text(lex, d, was);
    size_t n = 0;
    const char *name = was ? NULL : entered_header(lex, d, &n);
    const Arrival *a = name ? find_later(version, HEADER, name, n) : NULL;
    if (a == NULL) continue;
    *l = (mt_Later){.entry = a->name, .name = name, .length = n, .at = d->at,
                    .since = a->since, .token = l->token, .library = true,
                    .directive = l->directive + 1};
    return true;
  }
  return false;
}

bool mt_msl_later(const mt_Lex *lex, unsigned version, mt_Later *l) {
  if (version >= MT_MSL_NEWEST) return false;
  if (next_header(lex, version, l)) return true;
  for (; l->token < lex->count; l->token++) {
    const mt_Token *t = &lex->tokens[l->token];
    if (t->kind != MT_TOKEN_NAME) continue;
    const char *name = lex->text + t->at;
    const Arrival *a =
        find_later(version, is_member(lex, l->token) ? MEMBER : NAME, name,
                   t->length);
    if (a == NULL || mt_read_is_own(lex, l->token)) continue;
    l->entry = a->name;
    l->name = name;
    l->length = t->length;
    l->at = t->at;
    l->since = a->since;
    l->token++;
    return true;
  }
  return false;
}
