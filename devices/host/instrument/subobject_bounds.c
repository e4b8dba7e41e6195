/*
** subobject_bounds.c - an index past one dimension of a variable, or past an
** array in a struct, that stays inside the whole: tile[3][20] of tile[16][16].
**
** The one idea: before optimisation, GEPs still show the source's subscripts.
** Each GEP over an array type is one pair of brackets, with the declared
** length. Only such subscripts are checked: a pointer to an element may go
** anywhere in the variable, and check/bounds.c checks that. Two idioms are left
** out: tile[0][i] for all of the tile, and an array of one element at the end
** of a struct (a flexible array).
*/
#include <llvm-c/DebugInfo.h>
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "devices/compiler/ir/ir.h"
#include "devices/host/instrument/checker.h"

#define LEVELS 16
#define PATH 120

/* One pair of brackets, or one member of a struct. */
typedef struct Level {
  LLVMValueRef index;
  uint64_t count;    /* declared; 0: pointer arithmetic, or a member */
  LLVMTypeRef array; /* its type, 'bytes' long */
  uint64_t bytes;
  bool member, flexible;
  LLVMValueRef gep;  /* the GEP that it comes from */
} Level;

typedef struct Chain {
  Level level[LEVELS]; /* the innermost first */
  unsigned count;
  LLVMValueRef root;
} Chain;

static bool is_gep(LLVMValueRef v) {
  return LLVMIsAGetElementPtrInst(v) ||
         (LLVMIsAConstantExpr(v) && LLVMGetConstOpcode(v) == LLVMGetElementPtr);
}

static bool is_zero(LLVMValueRef v) {
  return LLVMIsAConstantInt(v) && LLVMConstIntGetZExtValue(v) == 0;
}

/* --------------------------------------------------------------- the chain */

static void push(Chain *c, Level level) {
  if (c->count < LEVELS) c->level[c->count] = level;
  c->count++;
}

/* The levels of one GEP, the innermost first. */
static void read_gep(mt_Instrumenter *w, Chain *c, LLVMValueRef gep) {
  Level here[LEVELS];
  unsigned n = 0;
  LLVMTypeRef t = LLVMGetGEPSourceElementType(gep);
  if (!is_zero(LLVMGetOperand(gep, 1)))
    here[n++] = (Level){.index = LLVMGetOperand(gep, 1)};
  for (unsigned i = 2; i < (unsigned)LLVMGetNumOperands(gep) && n < LEVELS;
       i++) {
    Level l = {.index = LLVMGetOperand(gep, i), .gep = gep};
    if (LLVMGetTypeKind(t) == LLVMStructTypeKind) {
      unsigned k = (unsigned)LLVMConstIntGetZExtValue(l.index);
      l.member = true;
      l.flexible = k + 1 == LLVMCountStructElementTypes(t);
      t = LLVMStructGetTypeAtIndex(t, k);
    } else if (LLVMGetTypeKind(t) == LLVMArrayTypeKind) {
      l.count = LLVMGetArrayLength2(t);
      l.array = t;
      l.bytes = LLVMABISizeOfType(w->layout, t);
      t = LLVMGetElementType(t);
    } else {
      return; /* an element of a vector: check_part checks those */
    }
    here[n++] = l;
  }
  while (n) push(c, here[--n]);
}

static bool read_chain(mt_Instrumenter *w, Chain *c, LLVMValueRef p) {
  c->count = 0;
  for (; is_gep(p); p = LLVMGetOperand(p, 0)) read_gep(w, c, p);
  c->root = p;
  return c->count > 0 && c->count <= LEVELS;
}

/* Type of the variable at the root; NULL if it is a pointer from elsewhere. */
static LLVMTypeRef root_type(LLVMValueRef root) {
  if (LLVMIsAAllocaInst(root)) return LLVMGetAllocatedType(root);
  if (LLVMIsAGlobalVariable(root)) return LLVMGlobalGetValueType(root);
  return NULL;
}

/* The 0 of tile[0][i] may have been folded away: is 'array' the first element
** of an array in 't'? */
static bool is_first_row(LLVMTypeRef t, LLVMTypeRef array) {
  bool row = true; /* of what a pointer points to */
  while (t && t != array) {
    row = LLVMGetTypeKind(t) == LLVMArrayTypeKind;
    if (row)
      t = LLVMGetElementType(t);
    else if (LLVMGetTypeKind(t) == LLVMStructTypeKind &&
             LLVMCountStructElementTypes(t))
      t = LLVMStructGetTypeAtIndex(t, 0);
    else
      return true;
  }
  return row;
}

/* Is level 'k' one whose length must be respected? */
static bool is_bounded(mt_Instrumenter *w, const Chain *c, unsigned k) {
  const Level *l = &c->level[k];
  const Level *around = k + 1 < c->count ? &c->level[k + 1] : NULL;
  LLVMTypeRef whole = root_type(c->root);
  if (!l->count || (whole && l->bytes == LLVMABISizeOfType(w->layout, whole)))
    return false;
  if (LLVMIsAConstantInt(l->index) &&
      LLVMConstIntGetZExtValue(l->index) < l->count)
    return false;
  if (around ? !around->member && is_zero(around->index)
             : is_first_row(whole, l->array))
    return false;
  return !(around && around->member && around->flexible && l->count <= 1);
}

/* ---------------------------------------------------------------- the path */

static void add(char *path, const char *word, size_t length) {
  size_t n = strlen(path);
  snprintf(path + n, PATH - n, "%.*s", (int)length, word);
}

static void add_member(char *path, LLVMValueRef gep) {
  char name[64] = "";
  if (LLVMIsAGetElementPtrInst(gep))
    mt_instrument_member(gep, name, sizeof name);
  if (!name[0]) return;
  add(path, ".", 1);
  add(path, name, strlen(name));
}

/* a[…].v: the path before the index of level 'k'. */
static void spell(const Chain *c, unsigned k, char *path) {
  mt_instrument_name(c->root, path, PATH);
  for (unsigned i = c->count; i-- > k + 1;)
    if (c->level[i].member)
      add_member(path, c->level[i].gep);
    else
      add(path, "[…]", strlen("[…]"));
}

/* ---------------------------------------------------------------- accesses */

/* Probe: 'index' after 'path' must be below 'count'. */
static void check_index(mt_Instrumenter *w, LLVMValueRef at, LLVMValueRef root,
                        const char *path, LLVMValueRef index, uint64_t count,
                        bool write) {
  char name[64];
  mt_Site site = {.kind = MT_SITE_INDEX, .root = MT_ROOT_UNKNOWN,
                  .place = mt_instrument_place(at), .width = (uint32_t)count,
                  .write = write};
  site.space = LLVMIsAAllocaInst(root)         ? MT_SPACE_PRIVATE
               : !LLVMIsAGlobalVariable(root)  ? MT_SPACE_DEVICE
               : mt_is_threadgroup(root)       ? MT_SPACE_THREADGROUP
                                               : MT_SPACE_CONSTANT;
  mt_instrument_name(root, name, sizeof name);
  uint32_t n = mt_site_add(w->table, site);
  if (!n) return;
  mt_Site *s = &w->table->site[n];
  if (name[0]) s->name = strdup(name);
  if (path[0]) s->path = strdup(path);
  LLVMPositionBuilderBefore(w->b, at);
  LLVMSetCurrentDebugLocation2(w->b, LLVMInstructionGetDebugLoc(at));
  index = LLVMBuildIntCast2(w->b, index, w->i64, 1, "");
  LLVMValueRef all = LLVMConstInt(w->i64, count, 0);
  mt_instrument_if(w, n, LLVMBuildICmp(w->b, LLVMIntUGE, index, all, ""),
                   index);
}

static void check_address(mt_Instrumenter *w, LLVMValueRef at, LLVMValueRef p,
                          bool write) {
  Chain c;
  char path[PATH];
  if (!read_chain(w, &c, p)) return;
  for (unsigned k = 0; k < c.count; k++) {
    if (!is_bounded(w, &c, k)) continue;
    spell(&c, k, path);
    check_index(w, at, c.root, path, c.level[k].index, c.level[k].count, write);
  }
}

/* v[k] of a vector: the index is an operand, not part of an address. */
static void check_part(mt_Instrumenter *w, LLVMValueRef i, bool write) {
  LLVMValueRef vector = LLVMGetOperand(i, 0);
  LLVMValueRef index = LLVMGetOperand(i, write ? 2 : 1);
  Chain c = {.root = vector};
  char path[PATH] = "";
  uint64_t count = LLVMGetVectorSize(LLVMTypeOf(vector));
  if (LLVMIsAConstantInt(index) && LLVMConstIntGetZExtValue(index) < count)
    return;
  if (LLVMIsALoadInst(vector)) {
    LLVMValueRef p = LLVMGetOperand(vector, 0);
    c.root = p;
    if (!is_gep(p) || read_chain(w, &c, p)) spell(&c, -1u, path);
  }
  check_index(w, i, c.root, path, index, count, write);
}

static void look_at_call(mt_Instrumenter *w, LLVMValueRef i) {
  const char *name = mt_callee(i);
  bool copy = mt_is_copy(name);
  if (copy || mt_starts(name, "llvm.memset."))
    check_address(w, i, LLVMGetOperand(i, 0), true);
  if (copy) check_address(w, i, LLVMGetOperand(i, 1), false);
}

void mt_instrument_subobjects(mt_Instrumenter *w, LLVMValueRef *all, size_t n) {
  for (size_t k = 0; k < n; k++) {
    LLVMValueRef i = all[k];
    switch (LLVMGetInstructionOpcode(i)) {
      case LLVMLoad: check_address(w, i, LLVMGetOperand(i, 0), false); break;
      case LLVMStore: check_address(w, i, LLVMGetOperand(i, 1), true); break;
      case LLVMAtomicRMW:
      case LLVMAtomicCmpXchg:
        check_address(w, i, LLVMGetOperand(i, 0), true);
        break;
      case LLVMExtractElement: check_part(w, i, false); break;
      case LLVMInsertElement: check_part(w, i, true); break;
      case LLVMCall: look_at_call(w, i); break;
      default: break;
    }
  }
}
