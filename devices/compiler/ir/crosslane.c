/*
** crosslane.c - the table of cross-lane builtins, see crosslane.h.
*/
#include "devices/compiler/ir/crosslane.h"

#include <string.h>

#define IN_SIMD (1u << MT_SCOPE_SIMD)
#define IN_SIMD_QUAD (1u << MT_SCOPE_SIMD | 1u << MT_SCOPE_QUAD)
#define IN_MATRIX (1u << MT_SCOPE_MATRIX)
#define IN_BARRIER (1u << MT_SCOPE_BARRIER)

#define OF_NONE (1u << MT_LANES_NO_TYPE)
#define OF_WORD (1u << MT_LANES_U32 | 1u << MT_LANES_U64)
#define OF_NUMBER \
  (OF_WORD | 1u << MT_LANES_S32 | 1u << MT_LANES_S64 | 1u << MT_LANES_F32)
#define OF_STORED \
  (1u << MT_LANES_F32 | 1u << MT_LANES_F16 | 1u << MT_LANES_BF16)

static const mt_CrosslaneRow rows[MT_CROSSLANE_COUNT] = {
    {0},
#define X(op, name, scopes, types, signature, operands, class, result, \
          combines)                                                    \
  {#name,                                                              \
   IN_##scopes,                                                        \
   OF_##types,                                                         \
   operands,                                                           \
   MT_LANES_##class,                                                   \
   MT_LANES_##result,                                                  \
   MT_CROSSLANE_##combines},
    __MT_CROSSLANE(X)
#undef X
};

static const char *const scopes[] = {"simd_", "quad_", "matrix_", "barrier_"};

static const char *const types[] = {"",     "_f32", "_s32", "_u32",
                                    "_s64", "_u64", "_f16", "_bf16"};

static const char *after(const char *s, const char *start) {
  size_t n = strlen(start);
  return s && strncmp(s, start, n) == 0 ? s + n : NULL;
}

/* 'rest': after the scope. Does it name row 'r', with a type that it has? */
static bool is_row(const mt_CrosslaneRow *r, const char *rest,
                   mt_Crosslane *out) {
  const char *type = after(rest, r->name);
  if (!type || !(r->scopes >> out->scope & 1)) return false;
  for (unsigned t = 0; t < sizeof types / sizeof *types; t++)
    if (strcmp(type, types[t]) == 0 && (r->types >> t & 1)) {
      out->type = (mt_CrosslaneType)t;
      return true;
    }
  return false;
}

bool mt_crosslane_find(const char *name, mt_Crosslane *out) {
  *out = (mt_Crosslane){.op = MT_CROSSLANE_NONE};
  name = after(name, "__mt_");
  for (unsigned s = 0; name && s < sizeof scopes / sizeof *scopes; s++) {
    const char *rest = after(name, scopes[s]);
    out->scope = (mt_CrosslaneScope)s;
    for (int op = 1; rest && op < MT_CROSSLANE_COUNT; op++)
      if (is_row(&rows[op], rest, out)) {
        out->op = (mt_CrosslaneOp)op;
        out->row = &rows[op];
        return true;
      }
  }
  return false;
}

const mt_CrosslaneRow *mt_crosslane_row(mt_CrosslaneOp op) { return &rows[op]; }
