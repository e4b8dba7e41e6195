/*
** record_values.c - the recorder's probes of lines and variables.
**
** The one idea: before SROA every variable of the source is an alloca that has
** its name, and every assignment a store to it. A probe after the store carries
** the value itself, so that SROA can still put the variable into a register;
** only what is copied as a block is read from memory.
*/
#include <llvm-c/DebugInfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "devices/compiler/ir/ir.h"
#include "devices/host/instrument/record_work.h"

enum { WORDS = 4, WORD_BITS = 64 };

/* Before the library's functions are inlined: their variables are not the
** source's. They have no debug information (metal/__types: nodebug). */
#define LIBRARYS "__librarys"
void mt_record_hide_library(LLVMModuleRef module) {
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f;
       f = LLVMGetNextFunction(f)) {
    if (LLVMGetSubprogram(f)) continue;
    MT_EACH_INSTRUCTION(i, f)
      if (LLVMIsAAllocaInst(i))
        LLVMSetValueName2(i, LIBRARYS, strlen(LIBRARYS));
  }
}

/* --------------------------------------------------- which variable it is */

enum { TARGETS = 16 };

/* The allocas that a pointer may point into, through phis and selects, and
** through pointers and references in variables. */
typedef struct Targets {
  LLVMValueRef of[TARGETS];
  size_t count;
  LLVMValueRef holder[TARGETS]; /* variables of pointers that were looked at */
  size_t holders;
  bool indirect; /* not by address arithmetic alone */
  bool unknown;  /* or elsewhere */
} Targets;

static void find_targets(Targets *t, LLVMValueRef p);

/* What was stored in the variable of a pointer. */
static void find_stored(Targets *t, LLVMValueRef holder) {
  for (size_t i = 0; i < t->holders; i++)
    if (t->holder[i] == holder) return;
  if (t->holders == TARGETS) {
    t->unknown = true;
    return;
  }
  t->holder[t->holders++] = holder;
  for (LLVMUseRef u = LLVMGetFirstUse(holder); u; u = LLVMGetNextUse(u)) {
    LLVMValueRef by = LLVMGetUser(u);
    if (LLVMIsALoadInst(by)) continue;
    if (LLVMIsACallInst(by) && mt_starts(mt_callee(by), "llvm.lifetime."))
      continue;
    if (LLVMIsAStoreInst(by) && LLVMGetOperand(by, 1) == holder)
      find_targets(t, LLVMGetOperand(by, 0));
    else
      t->unknown = true;
  }
}

static bool add_target(void *with, LLVMValueRef object) {
  Targets *t = with;
  if (LLVMIsALoadInst(object) &&
      LLVMIsAAllocaInst(LLVMGetOperand(object, 0))) {
    t->indirect = true;
    find_stored(t, LLVMGetOperand(object, 0));
    return true;
  }
  if (!LLVMIsAAllocaInst(object)) {
    t->unknown |= !LLVMIsUndef(object) && !LLVMIsNull(object);
    return true;
  }
  for (size_t i = 0; i < t->count; i++)
    if (t->of[i] == object) return true;
  if (t->count == TARGETS) t->unknown = true;
  else t->of[t->count++] = object;
  return true;
}

static void find_targets(Targets *t, LLVMValueRef p) {
  LLVMValueRef base = mt_underlying_object(p);
  t->indirect |= mt_is_choice(base);
  if (!mt_each_object(p, add_target, t)) t->unknown = true;
}

/* The one alloca that 'p' points into; NULL: several, or another object. */
static LLVMValueRef only_target(LLVMValueRef p) {
  Targets t = {.count = 0};
  find_targets(&t, p);
  return t.count == 1 && !t.unknown ? t.of[0] : NULL;
}

static bool is_variable(const mt_RecordWork *r, LLVMValueRef base) {
  for (size_t i = 0; i < r->w.table->variables; i++)
    if (r->w.table->variable[i].of == base) return true;
  return false;
}

/* Bytes from the variable's start to 'p', an i32 at the builder's position;
** NULL: not known. */
static LLVMValueRef offset_in(mt_RecordWork *r, LLVMValueRef p,
                              LLVMValueRef base, bool straight) {
  mt_Instrumenter *w = &r->w;
  LLVMValueRef at = straight ? mt_instrument_offset(w, p, base) : NULL;
  if (!at && straight) return NULL;
  if (!at)
    at = LLVMBuildSub(w->b, LLVMBuildPtrToInt(w->b, p, w->i64, ""),
                      LLVMBuildPtrToInt(w->b, base, w->i64, ""), "");
  return LLVMBuildTrunc(w->b, at, w->i32, "");
}

static uint32_t add_site(mt_RecordWork *r, LLVMValueRef i, size_t variable,
                         const char *type, uint64_t size) {
  const mt_Variable *v = &r->w.table->variable[variable];
  mt_Site site = {.kind = MT_SITE_VALUE, .place = mt_instrument_place(i),
                  .root = (int)variable, .size = (uint32_t)size,
                  .frame = mt_record_frame(r, LLVMInstructionGetDebugLoc(i))};
  if (!site.place.line && v->frame) { /* a parameter gets its argument */
    site.place = mt_record_call(r, v->frame);
    site.frame = v->frame;
  }
  uint32_t n = mt_site_add(r->w.table, site);
  if (n) r->w.table->site[n].path = strdup(type);
  return n;
}

/* A value as words of 64 bits; false: it has more than WORDS. */
static bool words_of(mt_Instrumenter *w, LLVMValueRef v, LLVMValueRef *out) {
  LLVMTypeRef t = LLVMTypeOf(v);
  LLVMTypeKind kind = LLVMGetTypeKind(t);
  if (kind != LLVMIntegerTypeKind && kind != LLVMFloatTypeKind &&
      kind != LLVMHalfTypeKind && kind != LLVMBFloatTypeKind &&
      kind != LLVMVectorTypeKind)
    return false;
  unsigned bits = (unsigned)LLVMSizeOfTypeInBits(w->layout, t);
  if (bits > WORDS * WORD_BITS) return false;
  LLVMTypeRef whole = LLVMIntTypeInContext(w->context, bits);
  if (kind != LLVMIntegerTypeKind) v = LLVMBuildBitCast(w->b, v, whole, "");
  LLVMTypeRef wide = LLVMIntTypeInContext(w->context, WORDS * WORD_BITS);
  v = LLVMBuildIntCast2(w->b, v, wide, 0, "");
  for (unsigned i = 0; i < WORDS; i++) {
    LLVMValueRef by = LLVMConstInt(wide, i * WORD_BITS, 0);
    out[i] = LLVMBuildTrunc(w->b, LLVMBuildLShr(w->b, v, by, ""), w->i64, "");
  }
  return true;
}

static const char *pointee(const mt_RecordWork *r, LLVMValueRef value) {
  LLVMValueRef base = only_target(value);
  for (size_t i = 0; base && i < r->w.table->variables; i++)
    if (r->w.table->variable[i].of == base)
      return r->w.table->variable[i].name;
  return NULL;
}

/* The one member of a struct or array of one, and its; a pointer there, which a
** texture has, as a number. */
static LLVMValueRef unwrapped(mt_Instrumenter *w, LLVMValueRef v) {
  bool inside = false;
  for (;;) {
    LLVMTypeRef t = LLVMTypeOf(v);
    LLVMTypeKind kind = LLVMGetTypeKind(t);
    bool one = (kind == LLVMStructTypeKind &&
                LLVMCountStructElementTypes(t) == 1) ||
               (kind == LLVMArrayTypeKind && LLVMGetArrayLength2(t) == 1);
    if (!one)
      return inside && kind == LLVMPointerTypeKind
                 ? LLVMBuildPtrToInt(w->b, v, w->i64, "")
                 : v;
    v = LLVMBuildExtractValue(w->b, v, 0, "");
    inside = true;
  }
}

static void store_probe(mt_RecordWork *r, LLVMValueRef i, size_t variable,
                        LLVMValueRef offset) {
  LLVMValueRef value = unwrapped(&r->w, LLVMGetOperand(i, 0));
  LLVMValueRef args[1 + WORDS] = {offset};
  LLVMTypeRef t = LLVMTypeOf(value);
  uint64_t size = LLVMStoreSizeOfType(r->w.layout, t);
  if (LLVMGetTypeKind(t) == LLVMPointerTypeKind) {
    uint32_t n = add_site(r, i, variable, "ptr", size);
    const char *to = n ? pointee(r, value) : NULL;
    if (to) r->w.table->site[n].name = strdup(to);
    args[1] = value;
    if (n) mt_record_probe(r, MT_RECORD_POINTER, n, i, args, 2);
  } else if (words_of(&r->w, value, args + 1)) {
    uint32_t n = add_site(r, i, variable, mt_record_type(t), size);
    if (n) mt_record_probe(r, MT_RECORD_VALUE, n, i, args, 1 + WORDS);
  } else { /* an array in a struct that a function returns */
    uint32_t n = add_site(r, i, variable, "", size);
    args[1] = LLVMGetOperand(i, 1);
    if (n) mt_record_probe(r, MT_RECORD_COPY, n, i, args, 2);
  }
}

/* A copy into a variable: a struct, or an array that is initialised. One word,
** such as a texture, is read as a number, so that SROA can still put it into a
** register: what the library reads of a texture must lead to its parameter. */
static void copy_probe(mt_RecordWork *r, LLVMValueRef i, size_t variable,
                       LLVMValueRef offset) {
  LLVMValueRef n = LLVMGetOperand(i, 2);
  LLVMValueRef args[1 + WORDS] = {offset, LLVMGetOperand(i, 0)};
  uint64_t bytes = LLVMConstIntGetZExtValue(n);
  if (bytes && bytes <= 8) {
    LLVMTypeRef whole = LLVMIntTypeInContext(r->w.context, (unsigned)bytes * 8);
    LLVMValueRef v = LLVMBuildLoad2(r->w.b, whole, args[1], "");
    LLVMSetAlignment(v, 1);
    uint32_t site = add_site(r, i, variable, "", bytes);
    if (site && words_of(&r->w, v, args + 1))
      mt_record_probe(r, MT_RECORD_VALUE, site, i, args, 1 + WORDS);
    return;
  }
  LLVMTypeRef t = LLVMGetAllocatedType(r->w.table->variable[variable].of);
  while (LLVMGetTypeKind(t) == LLVMArrayTypeKind) t = LLVMGetElementType(t);
  uint32_t site = add_site(r, i, variable, mt_record_type(t), bytes);
  if (site) mt_record_probe(r, MT_RECORD_COPY, site, i, args, 2);
}

/* What a store or a copy 'i' to 'p' makes of variables. Two may share an
** alloca, where a function's result becomes a variable. Of several that 'p' may
** point into the recorder takes the one that the offset is in. */
static void watch_write(mt_RecordWork *r, LLVMValueRef i, LLVMValueRef p,
                        bool copy) {
  Targets t = {.count = 0};
  find_targets(&t, p);
  bool some = false;
  for (size_t k = 0; k < t.count; k++) {
    if (!is_variable(r, t.of[k])) continue;
    some = true;
    mt_record_go(r, i, true);
    LLVMValueRef offset = offset_in(r, p, t.of[k], !t.indirect);
    size_t count = offset ? r->w.table->variables : 0;
    for (size_t v = 0; v < count; v++)
      if (r->w.table->variable[v].of == t.of[k])
        (copy ? copy_probe : store_probe)(r, i, v, offset);
  }
  if (some && t.unknown && (t.count == TARGETS || t.holders == TARGETS))
    mt_unchecked_add(r->w.table, MT_UNCHECKED_STORE, mt_instrument_place(i),
                     NULL);
}

static void watch_value(mt_RecordWork *r, LLVMValueRef i) {
  if (LLVMIsAStoreInst(i)) {
    watch_write(r, i, LLVMGetOperand(i, 1), false);
  } else if (LLVMIsACallInst(i)) {
    const char *name = mt_callee(i);
    if ((mt_is_copy(name) || mt_starts(name, "llvm.memset.")) &&
        LLVMIsAConstantInt(LLVMGetOperand(i, 2)))
      watch_write(r, i, LLVMGetOperand(i, 0), true);
  }
}

/* A line begins at 'i'. Phis stay first in their block, allocas in theirs. */
typedef struct Lines {
  mt_RecordWork *r;
  unsigned line;    /* the last one of this block; 0: none */
  uint32_t frame;
} Lines;

static void begin_line(Lines *l, LLVMValueRef i, mt_SourcePlace place,
                       uint32_t frame) {
  if (place.line == l->line && frame == l->frame) return;
  l->line = place.line, l->frame = frame;
  uint32_t n = mt_site_add(l->r->w.table,
                           (mt_Site){.kind = MT_SITE_LINE, .place = place,
                                     .root = MT_ROOT_UNKNOWN, .frame = frame});
  if (!n) return;
  mt_record_go(l->r, i, false);
  mt_record_probe(l->r, MT_RECORD_LINE, n, i, NULL, 0);
}

/* The frame of a parameter that a store without a line fills; 0: none. */
static uint32_t frame_filled(const mt_RecordWork *r, LLVMValueRef i) {
  const mt_SiteTable *t = r->w.table;
  for (size_t v = 0; LLVMIsAStoreInst(i) && v < t->variables; v++)
    if (t->variable[v].of == LLVMGetOperand(i, 1)) return t->variable[v].frame;
  return 0;
}

/* A frame begins where its code, or a store to its parameters, is first met:
** blocks of a call follow its place. There the thread comes to the call. */
static void enter(Lines *l, LLVMValueRef i, uint32_t frame, bool *begun) {
  if (frame == 0 || begun[frame]) return;
  begun[frame] = true;
  uint32_t parent = l->r->w.table->frame[frame].parent;
  enter(l, i, parent, begun);
  begin_line(l, i, mt_record_call(l->r, frame), parent);
}

/* At a closing brace nothing happens. */
static bool is_end_of_scope(LLVMValueRef i) {
  return LLVMIsACallInst(i) && mt_starts(mt_callee(i), "llvm.lifetime.");
}

/* A loop of the library: its functions have no places of their own, so that all
** of it is at the one place of the call. Its rounds are no visits to the line.
** 'place' is by loop, and NULL for loops of the source. */
static LLVMMetadataRef *library_loops(const mt_RecordWork *r) {
  int loops = r->nest.loop_count;
  LLVMMetadataRef *place = calloc((size_t)loops + 1, sizeof *place);
  bool *several = calloc((size_t)loops + 1, sizeof *several);
  for (size_t k = 0; place && several && k < r->count; k++) {
    LLVMMetadataRef at = LLVMInstructionGetDebugLoc(r->all[k]);
    int block = mt_loop_nest_number(&r->nest,
                                    LLVMGetInstructionParent(r->all[k]));
    int loop = block < 0 || !at ? -1 : r->nest.loop[block];
    for (; loop >= 0; loop = r->nest.loops[loop].parent) {
      if (place[loop] && place[loop] != at) several[loop] = true;
      place[loop] = at;
    }
  }
  for (int i = 0; place && several && i < loops; i++)
    if (several[i]) place[i] = NULL;
  free(several);
  return place;
}

/* Is the block in a loop of the library? Then the line has begun before it. */
static bool is_in_library_loop(const mt_RecordWork *r,
                               const LLVMMetadataRef *place,
                               LLVMBasicBlockRef block) {
  int number = mt_loop_nest_number(&r->nest, block);
  int loop = number < 0 ? -1 : r->nest.loop[number];
  return place && loop >= 0 && place[loop];
}

static void watch_lines(mt_RecordWork *r) {
  Lines l = {.r = r};
  LLVMMetadataRef *library = library_loops(r);
  LLVMBasicBlockRef block = NULL;
  for (size_t k = 0; k < r->count; k++) /* number the frames */
    mt_record_frame(r, LLVMInstructionGetDebugLoc(r->all[k]));
  bool *begun = calloc(r->w.table->frames + 1, sizeof *begun);
  for (size_t k = 0; begun && k < r->count; k++) {
    LLVMValueRef i = r->all[k];
    if (LLVMGetInstructionParent(i) != block) {
      block = LLVMGetInstructionParent(i);
      l.line = 0;
    }
    if (LLVMIsAPHINode(i) || LLVMIsAAllocaInst(i) || is_end_of_scope(i))
      continue;
    if (is_in_library_loop(r, library, block)) continue;
    mt_SourcePlace place = mt_instrument_place(i);
    if (!place.line) {
      enter(&l, i, frame_filled(r, i), begun);
      continue;
    }
    uint32_t frame = mt_record_frame(r, LLVMInstructionGetDebugLoc(i));
    enter(&l, i, frame, begun);
    begin_line(&l, i, place, frame);
  }
  free(begun);
  free(library);
}

/* Values as the source computes them, each operation rounded: what is shown for
** one line follows from what is shown for those before. */
static void stop_fast_math(const mt_RecordWork *r) {
  for (size_t k = 0; k < r->count; k++)
    if (LLVMCanValueUseFastMathFlags(r->all[k]))
      LLVMSetFastMathFlags(r->all[k], LLVMFastMathNone);
}

mt_Status mt_record_values(void *context, LLVMModuleRef module,
                           LLVMValueRef function, mt_Error *err) {
  mt_SiteTable *table = context;
  mt_RecordWork r;
  if (!table->values) return MT_OK;
  mt_Status status =
      mt_record_work_begin(&r, module, function, NULL, table, err);
  if (status == MT_OK) {
    stop_fast_math(&r);
    mt_record_variables(&r);
    watch_lines(&r);
    for (size_t k = 0; k < r.count; k++) watch_value(&r, r.all[k]);
  }
  mt_record_work_end(&r);
  return status;
}
