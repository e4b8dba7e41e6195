/*
** uninitialised.c - uses of values that are undefined: those of uninitialised
** private variables, and those that inactive lanes gave (lanes.c).
**
** The one idea: shadow flags. Every local variable has a second one, with a
** flag for each of its bytes: 0 = defined. Stores write the flags of the stored
** value, loads read them, and arithmetic propagates them, so that copying an
** undefined value is no mistake. Using it is: in a branch, as an address, as a
** value that leaves the thread. This is done before SROA, which then promotes
** the flags along with the variables, and where a variable is always
** initialised nothing is left. (Most are, and variables.c leaves those out from
** the start.)
**
** A flag that is not 0 is the site of the first uninitialised read, or UNSET
** where that is not known yet; or it names the shuffle and its lanes
** (instrument.h). A shuffle takes the flags of lanes along with their values.
*/
#include <llvm-c/DebugInfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/pointer_map.h"
#include "base/str.h"
#include "devices/compiler/ir/ir.h"
#include "devices/host/definedness/variables.h"

#define FLAG 4 /* bytes of a flag */
#define COPY_MAX_WATCHED 256 /* bytes of a copy to memory without flags */
#define MAX_PARTS 64        /* elements of a value that have flags */
/* instructions back from a use: each is a call, in a kernel that may be long */
#define MAX_FLAG_DEPTH 1500

typedef struct Slot {
  LLVMValueRef key;
  unsigned part;
  LLVMValueRef value;
} Slot;

typedef struct Flags {
  mt_Instrumenter *w;
  mt_PointerMap number;    /* of variables */
  LLVMValueRef *flags;  /* by variable: the alloca of its flags */
  mt_Definite *known;   /* variables that need no flags; or NULL */
  Slot *slot;      /* (value, element) -> its flag; open addressing */
  size_t slots, used;
} Flags;

/* --------------------------------------------------------------- variables */

static LLVMValueRef flags_of(const Flags *f, LLVMValueRef p) {
  LLVMValueRef root = mt_underlying_object(p);
  if (!LLVMIsAAllocaInst(root)) return NULL;
  uint32_t n = mt_pointer_map_get(&f->number, root);
  return n == MT_POINTER_MAP_NONE ? NULL : f->flags[n];
}

static uint64_t size_of(const Flags *f, LLVMTypeRef t) {
  return LLVMABISizeOfType(f->w->layout, t);
}

/* Sets 'bytes' flags from 'to' on to initialised (0) or UNSET (0xff). */
static void fill(Flags *f, LLVMValueRef to, uint64_t bytes, uint8_t with) {
  LLVMBuildMemSet(f->w->b, to, LLVMConstInt(f->w->i8, with, 0),
                  LLVMConstInt(f->w->i64, FLAG * bytes, 0), FLAG);
}

/* Marks a variable as uninitialised, and zeroes it, so that other findings are
** deterministic. */
static void clear(Flags *f, LLVMValueRef variable, LLVMValueRef flags,
                  uint64_t size) {
  fill(f, flags, size, 0xff);
  LLVMBuildMemSet(f->w->b, variable, LLVMConstInt(f->w->i8, 0, 0),
                  LLVMConstInt(f->w->i64, size, 0),
                  LLVMGetAlignment(variable));
}

static void add_variable(Flags *f, LLVMValueRef alloca, size_t number) {
  LLVMTypeRef t = LLVMGetAllocatedType(alloca);
  uint64_t size = size_of(f, t);
  LLVMBuilderRef b = f->w->b;
  LLVMPositionBuilderBefore(b, LLVMGetNextInstruction(alloca));
  LLVMSetCurrentDebugLocation2(b, NULL);
  LLVMValueRef flags =
      LLVMBuildAlloca(b, LLVMArrayType2(f->w->i32, size), "mt.flags");
  LLVMSetAlignment(flags, 16);
  clear(f, alloca, flags, size);
  f->flags[number] = flags;
  mt_pointer_map_set(&f->number, alloca, (uint32_t)number);
}

/* The flag of the byte 'more' bytes after 'p'. An offset out of bounds is
** another probe's finding: here it is taken as 0. */
static LLVMValueRef flag_at(Flags *f, LLVMValueRef p, uint64_t size,
                            uint64_t more) {
  LLVMValueRef root = mt_underlying_object(p), flags = flags_of(f, p);
  LLVMBuilderRef b = f->w->b;
  LLVMValueRef offset = mt_instrument_offset(f->w, p, root);
  if (!offset) return NULL;
  uint64_t all = size_of(f, LLVMGetAllocatedType(root));
  if (size > all) return NULL;
  LLVMValueRef last = LLVMConstInt(f->w->i64, all - size, 0);
  LLVMValueRef good = LLVMBuildICmp(b, LLVMIntULE, offset, last, "");
  offset = LLVMBuildSelect(b, good, offset, LLVMConstInt(f->w->i64, 0, 0), "");
  offset = LLVMBuildAdd(b, offset, LLVMConstInt(f->w->i64, more, 0), "");
  return LLVMBuildGEP2(b, f->w->i32, flags, &offset, 1, "");
}

/* --------------------------------------------------------------- hash table */

static Slot *find(Flags *f, LLVMValueRef key, unsigned part) {
  size_t at = ((uintptr_t)key >> 4) * 31 + part * 7919;
  for (;; at++) {
    Slot *s = &f->slot[at & (f->slots - 1)];
    if (!s->key || (s->key == key && s->part == part)) return s;
  }
}

static void remember(Flags *f, LLVMValueRef key, unsigned part,
                     LLVMValueRef value) {
  if (2 * (f->used + 1) > f->slots) {
    Slot *old = f->slot;
    size_t n = f->slots;
    f->slots *= 2;
    f->slot = calloc(f->slots, sizeof *f->slot);
    for (size_t i = 0; i < n; i++)
      if (old[i].key) *find(f, old[i].key, old[i].part) = old[i];
    free(old);
  }
  Slot *s = find(f, key, part);
  if (!s->key) f->used++;
  *s = (Slot){key, part, value};
}

/* ---------------------------------------------------------- flags of values */

static LLVMValueRef none(const Flags *f) {
  return mt_instrument_number(f->w, 0);
}

static bool is_none(LLVMValueRef v) {
  return LLVMIsAConstantInt(v) && LLVMConstIntGetZExtValue(v) == 0;
}

static LLVMValueRef flag(Flags *f, LLVMValueRef v, unsigned part, int depth);

static LLVMValueRef either(Flags *f, LLVMValueRef a, LLVMValueRef b) {
  if (is_none(a)) return b;
  if (is_none(b) || a == b) return a;
  LLVMValueRef set = LLVMBuildICmp(f->w->b, LLVMIntNE, a, none(f), "");
  return LLVMBuildSelect(f->w->b, set, a, b, "");
}

/* Elements with a flag of their own: of a vector its components, of a small
** struct or array its bytes. */
static unsigned parts_of(const Flags *f, LLVMTypeRef t) {
  if (!mt_instrument_is_aggregate(t)) return mt_instrument_parts(t);
  uint64_t size = size_of(f, t);
  return size && size <= MAX_PARTS ? (unsigned)size : 1;
}

/* The flag of any element of 'v': flags first, then the code that joins them,
** before 'before'. */
static LLVMValueRef any(Flags *f, LLVMValueRef v, LLVMValueRef before,
                        int depth) {
  LLVMValueRef all = none(f), part[MAX_PARTS];
  unsigned n = parts_of(f, LLVMTypeOf(v));
  if (n > MAX_PARTS) return all;
  for (unsigned k = 0; k < n; k++) part[k] = flag(f, v, k, depth + 1);
  if (before) LLVMPositionBuilderBefore(f->w->b, before);
  for (unsigned k = 0; k < n; k++) all = either(f, all, part[k]);
  return all;
}

/* Moves the builder to where a flag of 'i' is computed. */
static void go_behind(Flags *f, LLVMValueRef i) {
  LLVMPositionBuilderBefore(f->w->b, LLVMGetNextInstruction(i));
  LLVMSetCurrentDebugLocation2(f->w->b, NULL);
}

/* The variable as in the source: sum, or stats.sum for a member. */
static void spell(char *out, size_t size, LLVMValueRef p) {
  LLVMValueRef variable = mt_underlying_object(p);
  size_t n;
  char field[48];
  snprintf(out, size, "%s", LLVMGetValueName2(variable, &n));
  out[n = strcspn(out, ".")] = 0;
  if (!n || !LLVMIsAGetElementPtrInst(p) ||
      LLVMGetTypeKind(LLVMGetGEPSourceElementType(p)) != LLVMStructTypeKind)
    return;
  mt_instrument_member(p, field, sizeof field);
  if (field[0]) snprintf(out + n, size - n, ".%s", field);
}

/* Replaces UNSET by the site of this read. 'p': the address that was read, or
** NULL. */
static LLVMValueRef name_it(Flags *f, LLVMValueRef x, LLVMValueRef at,
                            LLVMValueRef p) {
  char name[64] = "";
  if (is_none(x)) return x;
  if (p) spell(name, sizeof name, p);
  uint32_t site = mt_site_add(
      f->w->table, (mt_Site){.kind = MT_SITE_UNSET, .root = MT_ROOT_UNKNOWN,
                             .place = mt_instrument_place(at)});
  if (!site) return x;
  if (name[0]) f->w->table->site[site].name = strdup(name);
  LLVMValueRef raw = LLVMBuildICmp(f->w->b, LLVMIntEQ, x,
                                   mt_instrument_number(f->w, MT_FLAG_UNSET),
                                   "");
  return LLVMBuildSelect(f->w->b, raw, LLVMConstInt(f->w->i32, site, 0), x, "");
}

/* Is the vector loaded only to be stored back with other elements? v.xy = a; */
static bool is_for_parts(LLVMValueRef load) {
  LLVMValueRef changed = mt_only_user(load);
  if (!changed || (!LLVMIsAInsertElementInst(changed) &&
                   !LLVMIsAShuffleVectorInst(changed)))
    return false;
  LLVMValueRef store = mt_only_user(changed);
  return store && LLVMIsAStoreInst(store) &&
         LLVMGetOperand(store, 1) == LLVMGetOperand(load, 0);
}

/* Which undefined values a use is checked for. */
typedef enum Wanted { ALL, LANES, NOT_LANES } Wanted;

static LLVMValueRef is_bad(Flags *f, LLVMValueRef x, Wanted wanted) {
  LLVMBuilderRef b = f->w->b;
  LLVMValueRef some = LLVMBuildICmp(b, LLVMIntNE, x, none(f), "");
  if (wanted == ALL) return some;
  LLVMValueRef kind =
      LLVMBuildLShr(b, x, mt_instrument_number(f->w, 30), "");
  LLVMValueRef lanes = mt_instrument_number(f->w, MT_FLAG_LANES);
  if (wanted == LANES) return LLVMBuildICmp(b, LLVMIntEQ, kind, lanes, "");
  return LLVMBuildAnd(b, some, LLVMBuildICmp(b, LLVMIntNE, kind, lanes, ""),
                      "");
}

/* Byte 'part' of a struct that is loaded as a whole: only what inactive lanes
** gave is followed through it. (Padding is never set.) */
static LLVMValueRef of_whole(Flags *f, LLVMValueRef load, unsigned part) {
  LLVMTypeRef t = LLVMTypeOf(load);
  if (parts_of(f, t) == 1) return none(f);
  go_behind(f, load);
  LLVMValueRef at = flag_at(f, LLVMGetOperand(load, 0), size_of(f, t), part);
  if (!at) return none(f);
  LLVMValueRef x = LLVMBuildLoad2(f->w->b, f->w->i32, at, "");
  LLVMSetAlignment(x, FLAG);
  return LLVMBuildSelect(f->w->b, is_bad(f, x, LANES), x, none(f), "");
}

static LLVMValueRef of_load(Flags *f, LLVMValueRef i, unsigned part) {
  LLVMValueRef p = LLVMGetOperand(i, 0);
  if (mt_instrument_sets_bits(i)) return none(f);
  LLVMTypeRef t = LLVMTypeOf(i);
  if (!flags_of(f, p)) return none(f);
  bool vector = LLVMGetTypeKind(t) == LLVMVectorTypeKind;
  LLVMTypeRef e = vector ? LLVMGetElementType(t) : t;
  if (mt_instrument_is_aggregate(t)) return of_whole(f, i, part);
  go_behind(f, i);
  LLVMValueRef at = flag_at(f, p, LLVMStoreSizeOfType(f->w->layout, t),
                            part * LLVMStoreSizeOfType(f->w->layout, e));
  if (!at) return none(f);
  LLVMValueRef x = LLVMBuildLoad2(f->w->b, f->w->i32, at, "");
  LLVMSetAlignment(x, FLAG);
  return vector && is_for_parts(i) ? x : name_it(f, x, i, p);
}

static LLVMValueRef of_phi(Flags *f, LLVMValueRef i, unsigned part, int depth) {
  LLVMPositionBuilderBefore(f->w->b, i);
  LLVMValueRef phi = LLVMBuildPhi(f->w->b, f->w->i32, "");
  remember(f, i, part, phi);
  for (unsigned n = 0; n < LLVMCountIncoming(i); n++) {
    LLVMValueRef x = flag(f, LLVMGetIncomingValue(i, n), part, depth + 1);
    LLVMBasicBlockRef from = LLVMGetIncomingBlock(i, n);
    LLVMAddIncoming(phi, &x, &from, 1);
  }
  return phi;
}

static LLVMValueRef of_select(Flags *f, LLVMValueRef i, unsigned part,
                              int depth) {
  LLVMValueRef c = LLVMGetOperand(i, 0);
  bool each = mt_instrument_parts(LLVMTypeOf(c)) > 1;
  LLVMValueRef fc = flag(f, c, each ? part : 0, depth + 1);
  LLVMValueRef a = flag(f, LLVMGetOperand(i, 1), part, depth + 1);
  LLVMValueRef b = flag(f, LLVMGetOperand(i, 2), part, depth + 1);
  go_behind(f, i);
  if (is_none(a) && is_none(b)) return fc;
  if (each)
    c = LLVMBuildExtractElement(f->w->b, c, mt_instrument_number(f->w, part),
                                "");
  return either(f, LLVMBuildSelect(f->w->b, c, a, b, ""), fc);
}

static LLVMValueRef of_extract(Flags *f, LLVMValueRef i, int depth) {
  LLVMValueRef v = LLVMGetOperand(i, 0), n = LLVMGetOperand(i, 1);
  LLVMValueRef x;
  if (LLVMIsAConstantInt(n) &&
      LLVMConstIntGetZExtValue(n) < mt_instrument_parts(LLVMTypeOf(v))) {
    x = flag(f, v, (unsigned)LLVMConstIntGetZExtValue(n), depth + 1);
    go_behind(f, i);
  } else {
    x = any(f, v, LLVMGetNextInstruction(i), depth);
  }
  return name_it(f, x, i, LLVMIsALoadInst(v) ? LLVMGetOperand(v, 0) : NULL);
}

static LLVMValueRef of_insert(Flags *f, LLVMValueRef i, unsigned part,
                              int depth) {
  LLVMValueRef n = LLVMGetOperand(i, 2), new, old;
  bool is_constant = LLVMIsAConstantInt(n);
  bool here = is_constant && LLVMConstIntGetZExtValue(n) == part;
  if (here) return flag(f, LLVMGetOperand(i, 1), 0, depth + 1);
  old = flag(f, LLVMGetOperand(i, 0), part, depth + 1);
  if (is_constant) return old;
  new = flag(f, LLVMGetOperand(i, 1), 0, depth + 1);
  if (new == old) return old;
  go_behind(f, i);
  return LLVMBuildSelect(
      f->w->b,
      LLVMBuildICmp(f->w->b, LLVMIntEQ, n,
                    LLVMConstInt(LLVMTypeOf(n), part, 0), ""),
      new, old, "");
}

static LLVMValueRef of_shuffle(Flags *f, LLVMValueRef i, unsigned part,
                               int depth) {
  int from = LLVMGetMaskValue(i, part);
  int n = (int)mt_instrument_parts(LLVMTypeOf(LLVMGetOperand(i, 0)));
  if (from < 0) return none(f);
  return from < n
             ? flag(f, LLVMGetOperand(i, 0), (unsigned)from, depth + 1)
             : flag(f, LLVMGetOperand(i, 1), (unsigned)(from - n), depth + 1);
}

/* Where the member that 'i' takes out or puts in begins; its type in 'type'. */
static uint64_t member_at(const Flags *f, LLVMValueRef i, LLVMTypeRef *type) {
  LLVMTypeRef t = LLVMTypeOf(LLVMGetOperand(i, 0));
  const unsigned *indices = LLVMGetIndices(i);
  uint64_t at = 0;
  for (unsigned k = 0; k < LLVMGetNumIndices(i); k++) {
    if (LLVMGetTypeKind(t) == LLVMStructTypeKind) {
      at += LLVMOffsetOfElement(f->w->layout, t, indices[k]);
      t = LLVMStructGetTypeAtIndex(t, indices[k]);
    } else {
      t = LLVMGetElementType(t);
      at += indices[k] * size_of(f, t);
    }
  }
  *type = t;
  return at;
}

/* Bytes from one element of 't' that has a flag to the next. */
static uint64_t step_of(const Flags *f, LLVMTypeRef t) {
  if (mt_instrument_is_aggregate(t)) return 1;
  if (LLVMGetTypeKind(t) == LLVMVectorTypeKind) t = LLVMGetElementType(t);
  return LLVMStoreSizeOfType(f->w->layout, t);
}

static LLVMValueRef of_member(Flags *f, LLVMValueRef i, unsigned part,
                              int depth) {
  LLVMTypeRef t;
  uint64_t at = member_at(f, i, &t) + part * step_of(f, t);
  LLVMValueRef whole = LLVMGetOperand(i, 0);
  if (at >= parts_of(f, LLVMTypeOf(whole))) return none(f);
  return flag(f, whole, (unsigned)at, depth + 1);
}

static LLVMValueRef of_with_member(Flags *f, LLVMValueRef i, unsigned part,
                                   int depth) {
  LLVMTypeRef t;
  uint64_t at = member_at(f, i, &t);
  if (part < at || part >= at + size_of(f, t))
    return flag(f, LLVMGetOperand(i, 0), part, depth + 1);
  uint64_t inner = (part - at) / step_of(f, t);
  if (inner >= parts_of(f, t)) return none(f);
  return flag(f, LLVMGetOperand(i, 1), (unsigned)inner, depth + 1);
}

/* The first flag that is set among the operands: element by element where the
** widths agree, else any element. */
static LLVMValueRef of_operands(Flags *f, LLVMValueRef i, unsigned part,
                                int depth) {
  LLVMValueRef each[16], all = none(f);
  bool is_call = LLVMIsACallInst(i) != NULL;
  unsigned n = is_call ? LLVMGetNumArgOperands(i)
                       : (unsigned)LLVMGetNumOperands(i);
  unsigned own = mt_instrument_parts(LLVMTypeOf(i));
  if (n > 16) return all;
  for (unsigned k = 0; k < n; k++) {
    LLVMValueRef x = LLVMGetOperand(i, k);
    each[k] = mt_instrument_parts(LLVMTypeOf(x)) == own
                  ? flag(f, x, part, depth + 1)
                  : any(f, x, LLVMGetNextInstruction(i), depth);
  }
  go_behind(f, i);
  for (unsigned k = 0; k < n; k++) all = either(f, all, each[k]);
  return all;
}

/* A shuffle's, which may come from an inactive lane. */
static LLVMValueRef of_call(Flags *f, LLVMValueRef i, unsigned part,
                            int depth) {
  if (mt_instrument_is_move(i))
    return mt_instrument_lanes(f->w, i,
                               flag(f, LLVMGetOperand(i, 0), 0, depth + 1));
  return mt_starts(mt_callee(i), "llvm.") ? of_operands(f, i, part, depth)
                                          : none(f);
}

static LLVMValueRef of_instruction(Flags *f, LLVMValueRef i, unsigned part,
                                   int depth) {
  LLVMOpcode op = LLVMGetInstructionOpcode(i);
  switch (op) {
    case LLVMLoad: return of_load(f, i, part);
    case LLVMPHI: return of_phi(f, i, part, depth);
    case LLVMSelect: return of_select(f, i, part, depth);
    case LLVMExtractElement: return of_extract(f, i, depth);
    case LLVMInsertElement: return of_insert(f, i, part, depth);
    case LLVMShuffleVector: return of_shuffle(f, i, part, depth);
    case LLVMExtractValue: return of_member(f, i, part, depth);
    case LLVMInsertValue: return of_with_member(f, i, part, depth);
    case LLVMCall: return of_call(f, i, part, depth);
    case LLVMGetElementPtr:
    case LLVMICmp:
    case LLVMFCmp:
    case LLVMFNeg:
    case LLVMFreeze: return of_operands(f, i, part, depth);
    default:
      return LLVMIsABinaryOperator(i) || LLVMIsACastInst(i)
                 ? of_operands(f, i, part, depth) : none(f);
  }
}

static LLVMValueRef flag(Flags *f, LLVMValueRef v, unsigned part, int depth) {
  if (!LLVMIsAInstruction(v) || depth > MAX_FLAG_DEPTH ||
      mt_definite_value(f->known, v))
    return none(f);
  Slot *known = find(f, v, part);
  if (known->key) return known->value;
  LLVMValueRef x = of_instruction(f, v, part, depth);
  remember(f, v, part, x);
  return x;
}

/* ------------------------------------------------------------ stores, uses */

static void keep_flags(Flags *f, LLVMValueRef i) {
  LLVMValueRef x = LLVMGetOperand(i, 0), p = LLVMGetOperand(i, 1);
  LLVMValueRef part[MAX_PARTS];
  LLVMTypeRef t = LLVMTypeOf(x);
  unsigned n = parts_of(f, t);
  bool whole = mt_instrument_is_aggregate(t) && n == 1;
  uint64_t bytes = whole ? size_of(f, t) : step_of(f, t);
  if (n > MAX_PARTS) return;
  whole |= bytes > 16;
  for (unsigned k = 0; k < n; k++)
    part[k] = whole ? none(f) : flag(f, x, k, 0);
  LLVMPositionBuilderBefore(f->w->b, i);
  LLVMSetCurrentDebugLocation2(f->w->b, NULL);
  for (unsigned k = 0; k < n; k++) {
    LLVMValueRef to = flag_at(f, p, LLVMStoreSizeOfType(f->w->layout, t),
                              k * bytes);
    if (!to) continue;
    if (is_none(part[k])) {
      fill(f, to, bytes, 0);
      continue;
    }
    for (uint64_t byte = 0; byte < bytes; byte++) {
      LLVMValueRef at = LLVMConstInt(f->w->i64, byte, 0);
      at = LLVMBuildGEP2(f->w->b, f->w->i32, to, &at, 1, "");
      LLVMSetAlignment(LLVMBuildStore(f->w->b, part[k], at), FLAG);
    }
  }
}

/* 'i' uses a value of flag 'x'. */
static void check_flag(Flags *f, LLVMValueRef x, LLVMValueRef i,
                       Wanted wanted) {
  uint32_t site = mt_site_add(
      f->w->table, (mt_Site){.kind = MT_SITE_UNSET, .root = MT_ROOT_UNKNOWN,
                             .place = mt_instrument_place(i)});
  if (!site) return;
  LLVMPositionBuilderBefore(f->w->b, i);
  LLVMSetCurrentDebugLocation2(f->w->b, LLVMInstructionGetDebugLoc(i));
  mt_instrument_if(f->w, site, is_bad(f, x, wanted),
                   LLVMBuildZExt(f->w->b, x, f->w->i64, ""));
}

/* 'i' uses 'x'. */
static void check_use(Flags *f, LLVMValueRef x, LLVMValueRef i,
                      Wanted wanted) {
  LLVMValueRef bad = any(f, x, i, 0);
  if (!is_none(bad)) check_flag(f, bad, i, wanted);
}

/* 'i' copies 'n' bytes of a variable to memory without flags: what inactive
** lanes gave leaves the thread. */
static void check_copy(Flags *f, LLVMValueRef i, LLVMValueRef from,
                       uint64_t n) {
  LLVMValueRef all = none(f);
  LLVMValueRef to = mt_underlying_object(LLVMGetOperand(i, 0));
  if (n > COPY_MAX_WATCHED || !flags_of(f, from) ||
      mt_definite_is_needless(f->known, to))
    return;
  LLVMPositionBuilderBefore(f->w->b, i);
  LLVMSetCurrentDebugLocation2(f->w->b, NULL);
  for (uint64_t k = 0; k < n; k++) {
    LLVMValueRef at = flag_at(f, from, n, k);
    if (!at) return;
    LLVMValueRef x = LLVMBuildLoad2(f->w->b, f->w->i32, at, "");
    LLVMSetAlignment(x, FLAG);
    all = LLVMBuildSelect(f->w->b, is_bad(f, x, LANES), x, all, "");
  }
  check_flag(f, all, i, LANES);
}

static void keep_copy(Flags *f, LLVMValueRef i, bool set) {
  LLVMValueRef to = LLVMGetOperand(i, 0), from = LLVMGetOperand(i, 1);
  uint64_t n = LLVMConstIntGetZExtValue(LLVMGetOperand(i, 2));
  if (!flags_of(f, to)) {
    if (!set) check_copy(f, i, from, n);
    return;
  }
  LLVMPositionBuilderBefore(f->w->b, i);
  LLVMSetCurrentDebugLocation2(f->w->b, NULL);
  LLVMValueRef at = flag_at(f, to, n, 0);
  if (!at) return;
  LLVMValueRef source =
      !set && flags_of(f, from) ? flag_at(f, from, n, 0) : NULL;
  if (source)
    LLVMBuildMemMove(f->w->b, at, FLAG, source, FLAG,
                     LLVMConstInt(f->w->i64, FLAG * n, 0));
  else
    fill(f, at, n, 0);
}

/* The variable's lifetime starts again. */
static void forget(Flags *f, LLVMValueRef i) {
  LLVMValueRef p = LLVMGetOperand(i, LLVMGetNumArgOperands(i) - 1);
  LLVMValueRef flags = flags_of(f, p);
  if (!flags || !LLVMIsAAllocaInst(p)) return;
  LLVMPositionBuilderBefore(f->w->b, LLVMGetNextInstruction(i));
  LLVMSetCurrentDebugLocation2(f->w->b, NULL);
  clear(f, p, flags, size_of(f, LLVMGetAllocatedType(p)));
}

static void visit_call(Flags *f, LLVMValueRef i) {
  const char *name = mt_callee(i);
  if (mt_is_copy(name) || mt_starts(name, "llvm.memset.")) {
    if (LLVMIsAConstantInt(LLVMGetOperand(i, 2)))
      keep_copy(f, i, !mt_is_copy(name));
  } else if (mt_starts(name, "llvm.lifetime.start")) {
    forget(f, i);
  } else if (mt_starts(name, "__mt_")) {
    for (unsigned k = 0; k < LLVMGetNumArgOperands(i); k++)
      check_use(f, LLVMGetOperand(i, k), i,
                k == 0 && mt_instrument_is_move(i) ? NOT_LANES : ALL);
  }
}

/* A variable without flags either needs none, or no more is known of it: then
** what inactive lanes gave is used here. */
static void visit_store(Flags *f, LLVMValueRef i) {
  LLVMValueRef value = LLVMGetOperand(i, 0), p = LLVMGetOperand(i, 1);
  LLVMValueRef root = mt_underlying_object(p);
  check_use(f, p, i, ALL);
  if (flags_of(f, p))
    keep_flags(f, i);
  else if (!mt_definite_is_needless(f->known, root))
    check_use(f, value, i, LLVMIsAAllocaInst(root) ? LANES : ALL);
}

static void visit(Flags *f, LLVMValueRef i) {
  switch (LLVMGetInstructionOpcode(i)) {
    case LLVMLoad:
      check_use(f, LLVMGetOperand(i, 0), i, ALL);
      break;
    case LLVMStore: visit_store(f, i); break;
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
      for (int k = 0; k < LLVMGetNumOperands(i); k++)
        check_use(f, LLVMGetOperand(i, (unsigned)k), i, ALL);
      break;
    case LLVMBr:
      if (LLVMIsConditional(i)) check_use(f, LLVMGetCondition(i), i, ALL);
      break;
    case LLVMSwitch:
      check_use(f, LLVMGetOperand(i, 0), i, ALL);
      break;
    case LLVMCall: visit_call(f, i); break;
    default: break;
  }
}

void mt_instrument_uninitialised(mt_Instrumenter *w, LLVMValueRef *all,
                                 size_t n) {
  Flags f = {.w = w, .slots = 1024};
  LLVMValueRef *variable = calloc(n + 1, sizeof *variable);
  f.slot = calloc(f.slots, sizeof *f.slot);
  f.flags = calloc(n + 1, sizeof *f.flags);
  if (f.slot && f.flags && variable) {
    size_t count = mt_instrument_variables(w, all, n, variable, &f.known);
    for (size_t i = 0; i < count; i++) add_variable(&f, variable[i], i);
    for (size_t i = 0; i < n; i++) visit(&f, all[i]);
  }
  mt_definite_free(f.known);
  mt_pointer_map_free(&f.number);
  free(variable);
  free(f.slot);
  free(f.flags);
}
