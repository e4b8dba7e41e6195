/*
** roots.c - the memory that an access of a kernel is to, and what the source
** calls it.
**
** The one idea: a pointer belongs to its underlying object, the root: a
** parameter, a threadgroup variable, a private variable.
*/
#include <llvm-c/DebugInfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "devices/compiler/ir/ir.h"
#include "devices/host/probe/probe.h"

/* ------------------------------------------------- places and names of them */

mt_SourcePlace mt_instrument_place(LLVMValueRef i) {
  unsigned length = 0;
  const char *file = LLVMGetDebugLocFilename(i, &length);
  return (mt_SourcePlace){.line = LLVMGetDebugLocLine(i),
                          .column = LLVMGetDebugLocColumn(i),
                          .file = file ? mt_site_file(file, length) : NULL};
}

/* "acc.sroa.3.i" is acc in the source. */
static void plain_name(char *out, size_t size, const char *name) {
  snprintf(out, size, "%s", name);
  out[strcspn(out, ".")] = 0;
}

/* Does the name's length stand at 'at', in a name that ends at 'end'? Numbers
** of template arguments (Li8E) and of substitutions (S4_) are none: a variable
** of a function comes after the E that ends this function. */
static const char *name_at(const char *name, size_t at, size_t end) {
  if (name[at] < '1' || name[at] > '9') return NULL;
  if (at && name[at - 1] >= '0' && name[at - 1] <= '9') return NULL;
  if (mt_starts(name, "_ZZ") && (!at || name[at - 1] != 'E')) return NULL;
  char *stop;
  size_t length = strtoul(name + at, &stop, 10);
  return (size_t)(stop - name) + length == end ? stop : NULL;
}

static bool copy_name(char *out, size_t size, const char *name, size_t end) {
  for (size_t i = 0; i < end; i++) {
    const char *found = name_at(name, i, end);
    if (!found) continue;
    snprintf(out, size, "%.*s", (int)(name + end - found), found);
    return true;
  }
  return false;
}

/* The last name in a mangled one: …E4tile, …E4tile_0, _ZN2ns4tileE. */
static void demangled(char *out, size_t size, const char *name) {
  size_t n = strlen(name), numbered = n;
  for (size_t i = n; i > 1 && name[i - 1] >= '0' && name[i - 1] <= '9'; i--)
    if (name[i - 2] == '_') numbered = i - 2;
  if (copy_name(out, size, name, numbered) || copy_name(out, size, name, n))
    return;
  if (n && name[n - 1] == 'E' && copy_name(out, size, name, n - 1)) return;
  snprintf(out, size, "%s", name);
}

void mt_instrument_name(LLVMValueRef of, char *out, size_t size) {
  size_t length;
  const char *name = LLVMGetValueName2(of, &length);
  if (LLVMIsAGlobalVariable(of))
    demangled(out, size, name);
  else
    plain_name(out, size, name);
}

static bool is_named(LLVMValueRef function, const char *name, size_t length) {
  MT_EACH_INSTRUCTION(i, function) {
    size_t n;
    const char *s = LLVMGetValueName2(i, &n);
    if (strcspn(s, ".") == length && !strncmp(s, name, length)) return true;
  }
  return false;
}

/* A second address of 'count' is named count2, an inlined one count.i: strip
** digits if a value without them exists. */
void mt_instrument_member(LLVMValueRef gep, char *out, size_t size) {
  size_t n;
  snprintf(out, size, "%s", LLVMGetValueName2(gep, &n));
  size_t end = n = strcspn(out, ".");
  LLVMValueRef f =
      LLVMGetBasicBlockParent(LLVMGetInstructionParent(gep));
  while (end > 1 && out[end - 1] >= '0' && out[end - 1] <= '9')
    if (is_named(f, out, --end)) n = end;
  out[n] = 0;
  if (mt_starts(out, "arrayidx") || mt_starts(out, "arraydecay") ||
      mt_starts(out, "ref"))
    out[0] = 0;
}

/* ------------------------------------------------------------------- roots */

/* The element of a variable: float4x4 is a struct of columns. */
static LLVMTypeRef leaf(LLVMTypeRef t) {
  for (;;) {
    if (LLVMGetTypeKind(t) == LLVMArrayTypeKind)
      t = LLVMGetElementType(t);
    else if (LLVMGetTypeKind(t) == LLVMStructTypeKind &&
             LLVMCountStructElementTypes(t) == 1)
      t = LLVMStructGetTypeAtIndex(t, 0);
    else
      return t;
  }
}

static int root_number(mt_Instrumenter *w, LLVMValueRef of) {
  for (size_t i = 0; i < w->table->roots; i++)
    if (w->table->root[i].of == of) return (int)i;
  return -1;
}

/* The lengths after the first of an array of arrays, if there are at most
** two. */
static void set_rows(mt_Root *r, LLVMTypeRef t) {
  unsigned n = 0;
  if (LLVMGetTypeKind(t) != LLVMArrayTypeKind) return;
  for (t = LLVMGetElementType(t); LLVMGetTypeKind(t) == LLVMArrayTypeKind;
       t = LLVMGetElementType(t), n++)
    if (n < 2) r->rows[n] = (uint32_t)LLVMGetArrayLength2(t);
  if (n > 2) r->rows[0] = r->rows[1] = 0;
}

static int root_add(mt_Instrumenter *w, LLVMValueRef of, mt_RootKind kind,
                    LLVMTypeRef type, uint64_t count) {
  int known = root_number(w, of);
  mt_SiteTable *t = w->table;
  if (known >= 0) return known;
  if (!mt_sites_grow(&t->root, t->roots, &t->root_room, sizeof *t->root))
    return MT_ROOT_UNKNOWN;
  mt_Root *r = &t->root[t->roots];
  memset(r, 0, sizeof *r);
  r->kind = kind;
  r->of = of;
  r->size = (size_t)(LLVMABISizeOfType(w->layout, type) * count);
  r->element = (size_t)LLVMABISizeOfType(w->layout, leaf(type));
  set_rows(r, type);
  mt_instrument_name(of, r->name, sizeof r->name);
  return (int)t->roots++;
}

void mt_instrument_params(mt_Instrumenter *w) {
  mt_SiteTable *t = w->table;
  for (unsigned i = 0; i < w->kernel->param_count; i++) {
    const mt_Param *p = &w->kernel->params[i];
    if (!mt_sites_grow(&t->root, t->roots, &t->root_room, sizeof *t->root))
      return;
    mt_Root *r = &t->root[t->roots++];
    memset(r, 0, sizeof *r);
    r->kind = MT_ROOT_PARAM;
    r->of = LLVMGetParam(w->function, i);
    r->type = p->type;
    r->element = p->type && p->type->size ? p->type->size : 1;
    snprintf(r->name, sizeof r->name, "%s", p->name ? p->name : "");
  }
}

static int root_of_object(mt_Instrumenter *w, LLVMValueRef v) {
  if (LLVMIsAArgument(v)) return root_number(w, v);
  if (LLVMIsAGlobalVariable(v))
    return root_add(w, v, mt_is_threadgroup(v) ? MT_ROOT_VARIABLE
                                               : MT_ROOT_GLOBAL,
                    LLVMGlobalGetValueType(v), 1);
  LLVMValueRef n = LLVMIsAAllocaInst(v) ? LLVMGetOperand(v, 0) : NULL;
  if (!n || !LLVMIsAConstantInt(n)) return MT_ROOT_UNKNOWN;
  return root_add(w, v, MT_ROOT_PRIVATE, LLVMGetAllocatedType(v),
                  LLVMConstIntGetZExtValue(n));
}

int mt_instrument_root(mt_Instrumenter *w, LLVMValueRef v, LLVMValueRef *base) {
  LLVMValueRef object = mt_single_object(v);
  *base = object ? object : v;
  return object ? root_of_object(w, object) : MT_ROOT_UNKNOWN;
}

bool mt_instrument_is_handle(const mt_Instrumenter *w, int root) {
  if (root < 0 || w->table->root[root].kind != MT_ROOT_PARAM) return false;
  mt_ParamKind kind = w->kernel->params[root].kind;
  return kind == MT_PARAM_TEXTURE || kind == MT_PARAM_SAMPLER;
}
