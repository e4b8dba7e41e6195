/*
** entry.c - the kernel as a GPU starts it, see abi/launch.h.
**
** The one idea: the entry has one parameter for each thing that a launch binds,
** with the address space in its type, so that after inlining LLVM knows where
** pointers lead. Positions come from special registers. There are two entries,
** each in a module of its own (mt_PtxRequest.whole). In launches of whole
** threadgroups positions are what the GPU says, and all 32 lanes of a
** SIMD-group are there. In others a threadgroup that the grid cuts has fewer
** threads at other positions, as Metal has it: threads are numbered through the
** group, those above the number of threads return, and the others find their
** position by division, as do all threads of a block that is one row.
*/
#include <string.h>

#include "devices/compiler/ir/ir.h"
#include "devices/cuda/abi/launch.h"
#include "devices/cuda/ptx/work.h"

#define LANES 32
#define PTX_KERNEL 71 /* LLVM's calling convention of an entry */

typedef struct Entry {
  mt_PtxWork *w;
  LLVMValueRef f, launch;
  LLVMValueRef size[3];   /* threads of a whole group */
  LLVMValueRef group[3];  /* threadgroup_position_in_grid */
  LLVMValueRef actual[3]; /* threads_per_threadgroup */
  LLVMValueRef local[3];  /* thread_position_in_threadgroup */
  LLVMValueRef index;     /* thread_index_in_threadgroup */
} Entry;

static LLVMValueRef int32(const Entry *e, uint32_t n) {
  return LLVMConstInt(e->w->i32, n, 0);
}

/* ---------------------------------------------------------------- arguments */

static LLVMTypeRef parameter_type(mt_PtxWork *w, const mt_Param *p,
                                  LLVMTypeRef body) {
  switch (p->kind) {
    case MT_PARAM_BUFFER:
    case MT_PARAM_TEXTURE:
      if (LLVMGetTypeKind(body) == LLVMPointerTypeKind)
        return LLVMPointerTypeInContext(w->context, MT_NV_GLOBAL);
      return w->i64;
    default:
      return w->i64;
  }
}

/* Is the value at 'p', of 'size' bytes, only loaded, in full or in parts? */
static bool is_only_loaded(LLVMTargetDataRef layout, LLVMValueRef p,
                           uint64_t size) {
  for (LLVMUseRef u = LLVMGetFirstUse(p); u; u = LLVMGetNextUse(u)) {
    LLVMValueRef user = LLVMGetUser(u);
    if (LLVMIsALoadInst(user)) {
      if (LLVMGetVolatile(user) || LLVMIsAtomic(user) ||
          LLVMStoreSizeOfType(layout, LLVMTypeOf(user)) > size)
        return false;
    } else if (LLVMIsAGetElementPtrInst(user) &&
               LLVMGetNumIndices(user) == 1 &&
               LLVMIsAConstantInt(LLVMGetOperand(user, 1))) {
      uint64_t at = LLVMConstIntGetZExtValue(LLVMGetOperand(user, 1)) *
                    LLVMABISizeOfType(layout,
                                      LLVMGetGEPSourceElementType(user));
      if (at >= size || !is_only_loaded(layout, user, size - at)) return false;
    } else {
      return false;
    }
  }
  return true;
}

/* A small value by constant reference travels in its slot: a GPU reads its
** parameters faster than memory. */
static bool fits_slot(mt_PtxWork *w, unsigned i) {
  const mt_Param *p = &w->job->msl->params[i];
  return p->kind == MT_PARAM_BUFFER && p->constant && p->reference &&
         p->type && p->type->size > 0 && p->type->size <= 8 &&
         i < MT_SLOT_BITS &&
         is_only_loaded(LLVMGetModuleDataLayout(w->module),
                        LLVMGetParam(w->prepared.function, i), p->type->size);
}

static bool is_in_slot(const mt_PtxWork *w, unsigned i) {
  return i < MT_SLOT_BITS && (w->facts->in_slot[i / 8] >> i % 8 & 1);
}

static void give_attributes(Entry *e, unsigned from, unsigned to) {
  static const char *const SAID[] = {"noalias", "readonly", "nocapture"};
  for (size_t k = 0; k < sizeof SAID / sizeof *SAID; k++) {
    unsigned kind = LLVMGetEnumAttributeKindForName(SAID[k], strlen(SAID[k]));
    LLVMAttributeRef said = kind ? LLVMGetEnumAttributeAtIndex(
                                       e->w->prepared.function, from + 1, kind)
                                 : NULL;
    if (said) LLVMAddAttributeAtIndex(e->f, to + 1, said);
  }
}

/* One bound argument as the body wants it. */
static LLVMValueRef bound(Entry *e, const mt_Param *p, LLVMValueRef given,
                          LLVMTypeRef type) {
  mt_PtxWork *w = e->w;
  bool pointer = LLVMGetTypeKind(type) == LLVMPointerTypeKind;
  if (p->kind == MT_PARAM_THREADGROUP)
    return LLVMBuildGEP2(w->b, w->i8, w->shared, &given, 1, "");
  if (pointer && LLVMTypeOf(given) == w->i64)
    return LLVMBuildIntToPtr(w->b, given, type, "");
  if (pointer) return LLVMBuildAddrSpaceCast(w->b, given, type, "");
  return LLVMBuildIntCast2(w->b, given, type, 0, "");
}

/* ---------------------------------------------------------------- positions */

static LLVMValueRef special(Entry *e, const char *name) {
  return mt_build_call(e->w->module, e->w->b, name, e->w->i32, NULL, 0);
}

static LLVMValueRef launch32(Entry *e, size_t offset, unsigned d) {
  mt_PtxWork *w = e->w;
  LLVMValueRef at = LLVMConstInt(w->i64, offset + d * 4, 0);
  LLVMValueRef p = LLVMBuildInBoundsGEP2(w->b, w->i8, e->launch, &at, 1, "");
  return LLVMBuildLoad2(w->b, w->i32, p, "");
}

static LLVMValueRef product(Entry *e, LLVMValueRef const *v) {
  LLVMValueRef xy = LLVMBuildMul(e->w->b, v[0], v[1], "");
  return LLVMBuildMul(e->w->b, xy, v[2], "");
}

static LLVMValueRef smaller(Entry *e, LLVMValueRef a, LLVMValueRef b) {
  LLVMBuilderRef k = e->w->b;
  return LLVMBuildSelect(k, LLVMBuildICmp(k, LLVMIntULT, a, b, ""), a, b, "");
}

static const char *const TID[] = {"llvm.nvvm.read.ptx.sreg.tid.x",
                                  "llvm.nvvm.read.ptx.sreg.tid.y",
                                  "llvm.nvvm.read.ptx.sreg.tid.z"};
static const char *const NTID[] = {"llvm.nvvm.read.ptx.sreg.ntid.x",
                                   "llvm.nvvm.read.ptx.sreg.ntid.y",
                                   "llvm.nvvm.read.ptx.sreg.ntid.z"};
static const char *const CTAID[] = {"llvm.nvvm.read.ptx.sreg.ctaid.x",
                                    "llvm.nvvm.read.ptx.sreg.ctaid.y",
                                    "llvm.nvvm.read.ptx.sreg.ctaid.z"};

static LLVMBasicBlockRef block(Entry *e, const char *name) {
  return LLVMAppendBasicBlockInContext(e->w->context, e->f, name);
}

/* What the GPU says itself, in special registers. */
typedef struct Registers {
  LLVMValueRef tid[3], ntid[3], ctaid[3];
} Registers;

static LLVMValueRef either(Entry *e, LLVMValueRef a, LLVMBasicBlockRef from_a,
                           LLVMValueRef b, LLVMBasicBlockRef from_b) {
  LLVMValueRef phi = LLVMBuildPhi(e->w->b, e->w->i32, "");
  LLVMAddIncoming(phi, &a, &from_a, 1);
  LLVMAddIncoming(phi, &b, &from_b, 1);
  return phi;
}

/* Has the group fewer threads than others, or is its block a row? */
static LLVMValueRef is_cut(Entry *e, const Registers *r,
                           const Registers *group) {
  LLVMBuilderRef b = e->w->b;
  LLVMValueRef cut = LLVMBuildICmp(b, LLVMIntNE, r->ntid[0], e->size[0], "");
  for (unsigned d = 0; d < 3; d++)
    cut = LLVMBuildOr(
        b, cut, LLVMBuildICmp(b, LLVMIntNE, group->ntid[d], e->size[d], ""),
        "");
  return cut;
}

/* The positions of a thread of any launch. A group that is cut has fewer
** threads: those above their number return, the others find their position by
** division. */
static void place_any(Entry *e, const Registers *r) {
  LLVMBuilderRef b = e->w->b;
  Registers group;
  for (unsigned d = 0; d < 3; d++) {
    e->size[d] = launch32(e, offsetof(mt_CudaLaunch, size), d);
    group.ctaid[d] =
        LLVMBuildAdd(b, r->ctaid[d],
                     launch32(e, offsetof(mt_CudaLaunch, origin), d), "");
    LLVMValueRef first = LLVMBuildMul(b, group.ctaid[d], e->size[d], "");
    LLVMValueRef left = LLVMBuildSub(
        b, launch32(e, offsetof(mt_CudaLaunch, grid), d), first, "");
    group.ntid[d] = smaller(e, left, e->size[d]);
  }
  LLVMBasicBlockRef cut = block(e, "cut"), inside = block(e, "inside"),
                    out = block(e, "out"), join = block(e, "run"),
                    whole = LLVMGetInsertBlock(b);
  LLVMBuildCondBr(b, is_cut(e, r, &group), cut, join);
  LLVMPositionBuilderAtEnd(b, cut);
  LLVMValueRef there =
      LLVMBuildICmp(b, LLVMIntULT, e->index, product(e, group.ntid), "");
  LLVMBuildCondBr(b, there, inside, out);
  LLVMPositionBuilderAtEnd(b, out);
  LLVMBuildRetVoid(b);
  LLVMPositionBuilderAtEnd(b, inside);
  group.tid[0] = LLVMBuildURem(b, e->index, group.ntid[0], "");
  LLVMValueRef rest = LLVMBuildUDiv(b, e->index, group.ntid[0], "");
  group.tid[1] = LLVMBuildURem(b, rest, group.ntid[1], "");
  group.tid[2] = LLVMBuildUDiv(b, rest, group.ntid[1], "");
  LLVMBuildBr(b, join);
  LLVMPositionBuilderAtEnd(b, join);
  for (unsigned d = 0; d < 3; d++) {
    e->local[d] = either(e, r->tid[d], whole, group.tid[d], inside);
    e->group[d] = group.ctaid[d];
    e->actual[d] = group.ntid[d];
  }
}

static void find_positions(Entry *e) {
  LLVMBuilderRef b = e->w->b;
  Registers own;
  for (unsigned d = 0; d < 3; d++) {
    own.tid[d] = special(e, TID[d]);
    own.ntid[d] = special(e, NTID[d]);
    own.ctaid[d] = special(e, CTAID[d]);
  }
  LLVMValueRef yz = LLVMBuildAdd(
      b, own.tid[1], LLVMBuildMul(b, own.tid[2], own.ntid[1], ""), "");
  e->index = LLVMBuildAdd(b, own.tid[0],
                          LLVMBuildMul(b, yz, own.ntid[0], ""), "");
  if (!e->w->whole) {
    place_any(e, &own);
    return;
  }
  for (unsigned d = 0; d < 3; d++) {
    e->size[d] = e->actual[d] = own.ntid[d];
    e->group[d] = own.ctaid[d];
    e->local[d] = own.tid[d];
  }
}

/* Groups of 'per' threads in a threadgroup of this size. */
static LLVMValueRef groups_of(Entry *e, LLVMValueRef const *size,
                              uint32_t per) {
  LLVMValueRef n =
      LLVMBuildAdd(e->w->b, product(e, size), int32(e, per - 1), "");
  return LLVMBuildUDiv(e->w->b, n, int32(e, per), "");
}

static LLVMValueRef in_grid(Entry *e, unsigned d) {
  LLVMValueRef first = LLVMBuildMul(e->w->b, e->group[d], e->size[d], "");
  return LLVMBuildAdd(e->w->b, first, e->local[d], "");
}

/* Component d of a builtin parameter; NULL: unknown. */
static LLVMValueRef attribute(Entry *e, const char *name, unsigned d) {
  LLVMBuilderRef b = e->w->b;
#define IS(text) (strcmp(name, text) == 0)
  if (IS("thread_position_in_grid")) return in_grid(e, d);
  if (IS("thread_position_in_threadgroup")) return e->local[d];
  if (IS("threadgroup_position_in_grid")) return e->group[d];
  if (IS("threadgroups_per_grid"))
    return launch32(e, offsetof(mt_CudaLaunch, groups), d);
  if (IS("threads_per_grid") || IS("grid_size"))
    return launch32(e, offsetof(mt_CudaLaunch, grid), d);
  if (IS("threads_per_threadgroup")) return e->actual[d];
  if (IS("dispatch_threads_per_threadgroup")) return e->size[d];
  if (IS("grid_origin")) return int32(e, 0);
  if (IS("thread_execution_width") || IS("threads_per_simdgroup"))
    return int32(e, LANES);
  if (IS("thread_index_in_threadgroup")) return e->index;
  if (IS("thread_index_in_simdgroup"))
    return special(e, "llvm.nvvm.read.ptx.sreg.laneid");
  if (IS("thread_index_in_quadgroup"))
    return LLVMBuildAnd(b, special(e, "llvm.nvvm.read.ptx.sreg.laneid"),
                        int32(e, 3), "");
  if (IS("simdgroup_index_in_threadgroup"))
    return LLVMBuildUDiv(b, e->index, int32(e, LANES), "");
  if (IS("quadgroup_index_in_threadgroup"))
    return LLVMBuildUDiv(b, e->index, int32(e, 4), "");
  if (IS("simdgroups_per_threadgroup")) return groups_of(e, e->actual, LANES);
  if (IS("dispatch_simdgroups_per_threadgroup"))
    return groups_of(e, e->size, LANES);
  if (IS("quadgroups_per_threadgroup")) return groups_of(e, e->actual, 4);
  if (IS("dispatch_quadgroups_per_threadgroup"))
    return groups_of(e, e->size, 4);
#undef IS
  return NULL;
}

/* The builtin in the kernel's type: uint, ushort, ulong, or a vector. */
static LLVMValueRef builtin(Entry *e, const char *name, LLVMTypeRef type) {
  LLVMBuilderRef b = e->w->b;
  bool vector = LLVMGetTypeKind(type) == LLVMVectorTypeKind;
  unsigned n = vector ? LLVMGetVectorSize(type) : 1;
  LLVMTypeRef element = vector ? LLVMGetElementType(type) : type;
  LLVMValueRef all = LLVMGetUndef(type);
  for (unsigned d = 0; d < n; d++) {
    LLVMValueRef x = d < 3 ? attribute(e, name, d) : int32(e, 0);
    if (!x) return NULL;
    x = LLVMBuildIntCast2(b, x, element, 0, "");
    if (!vector) return x;
    all = LLVMBuildInsertElement(b, all, x, int32(e, d), "");
  }
  return all;
}

/* ------------------------------------------------ lanes, cells and messages */

/* The cells of the thread's SIMD-group. */
static LLVMValueRef cells(Entry *e) {
  mt_PtxWork *w = e->w;
  if (!w->facts->cell_bytes) return LLVMConstNull(w->ptr);
  LLVMValueRef number = LLVMBuildUDiv(w->b, e->index, int32(e, LANES), "");
  LLVMValueRef at = LLVMBuildAdd(
      w->b, launch32(e, offsetof(mt_CudaLaunch, cells), 0),
      LLVMBuildMul(w->b, number, int32(e, w->facts->cell_bytes), ""), "");
  at = LLVMBuildZExt(w->b, at, w->i64, "");
  return LLVMBuildGEP2(w->b, w->i8, w->shared, &at, 1, "");
}

/* The lanes that the thread's SIMD-group has: at its group's end fewer. */
static LLVMValueRef lanes(Entry *e) {
  LLVMBuilderRef b = e->w->b;
  if (e->w->whole) return int32(e, UINT32_MAX);
  LLVMValueRef first = LLVMBuildAnd(b, e->index, int32(e, ~(LANES - 1u)), "");
  LLVMValueRef left = LLVMBuildSub(b, product(e, e->actual), first, "");
  LLVMValueRef none = LLVMBuildSub(
      b, int32(e, LANES), smaller(e, left, int32(e, LANES)), "");
  return LLVMBuildLShr(b, int32(e, UINT32_MAX), none, "lanes");
}

/* An empty message (builtins.c): the log, the group's position, no values. */
static LLVMValueRef message(Entry *e, LLVMValueRef memory) {
  mt_PtxWork *w = e->w;
  if (!memory) return LLVMConstNull(w->ptr);
  LLVMValueRef from = LLVMConstInt(w->i64, offsetof(mt_CudaLaunch, log), 0);
  from = LLVMBuildInBoundsGEP2(w->b, w->i8, e->launch, &from, 1, "");
  LLVMBuildStore(w->b, LLVMBuildLoad2(w->b, w->i64, from, ""), memory);
  for (unsigned d = 0; d < 4; d++) {
    LLVMValueRef at = LLVMConstInt(w->i64, 8 + 4 * d, 0);
    LLVMBuildStore(w->b, d < 3 ? e->group[d] : int32(e, 0),
                   LLVMBuildInBoundsGEP2(w->b, w->i8, memory, &at, 1, ""));
  }
  return memory;
}

/* ---------------------------------------------------------------- the whole */

static void add_launch_attributes(Entry *e, unsigned last) {
  mt_PtxWork *w = e->w;
  LLVMTypeRef bytes = LLVMArrayType2(w->i8, sizeof(mt_CudaLaunch));
  unsigned byval = LLVMGetEnumAttributeKindForName("byval", 5);
  unsigned align = LLVMGetEnumAttributeKindForName("align", 5);
  LLVMAddAttributeAtIndex(e->f, last + 1,
                          LLVMCreateTypeAttribute(w->context, byval, bytes));
  LLVMAddAttributeAtIndex(e->f, last + 1,
                          LLVMCreateEnumAttribute(w->context, align, 8));
}

static void declare_entry(Entry *e) {
  mt_PtxWork *w = e->w;
  const mt_MslKernel *k = w->job->msl;
  LLVMTypeRef types[256];
  unsigned n = 0;
  for (unsigned i = 0; i < k->param_count; i++) {
    if (fits_slot(w, i)) w->facts->in_slot[i / 8] |= (uint8_t)(1u << i % 8);
    if (k->params[i].kind == MT_PARAM_BUILTIN) continue;
    LLVMTypeRef type = LLVMTypeOf(LLVMGetParam(w->prepared.function, i));
    types[n++] =
        is_in_slot(w, i) ? w->i64 : parameter_type(w, &k->params[i], type);
  }
  types[n++] = w->ptr;
  e->f = LLVMAddFunction(w->module, MT_CUDA_ENTRY,
                         LLVMFunctionType(w->none, types, n, 0));
  LLVMSetFunctionCallConv(e->f, PTX_KERNEL);
  add_launch_attributes(e, n - 1);
  e->launch = LLVMGetParam(e->f, n - 1);
  if (k->max_threads) {
    mt_Str text = MT_STR_INIT;
    mt_str_addf(&text, "%u", k->max_threads);
    LLVMAddAttributeAtIndex(
        e->f, LLVMAttributeFunctionIndex,
        LLVMCreateStringAttribute(w->context, "nvvm.maxntid", 12,
                                  mt_str_text(&text), (unsigned)text.length));
    mt_str_free(&text);
  }
}

mt_Status mt_ptx_make_entry(mt_PtxWork *w, mt_Error *err) {
  Entry e = {.w = w};
  const mt_MslKernel *k = w->job->msl;
  LLVMValueRef body = w->prepared.function, args[256], values[256] = {NULL};
  declare_entry(&e);
  LLVMPositionBuilderAtEnd(w->b, block(&e, "entry"));
  LLVMValueRef memory = NULL;
  if (w->facts->logs) {
    memory = LLVMBuildAlloca(w->b, LLVMArrayType2(w->i8, MT_MESSAGE_BYTES), "");
    LLVMSetAlignment(memory, 8);
  }
  for (unsigned i = 0; i < k->param_count; i++)
    if (is_in_slot(w, i)) values[i] = LLVMBuildAlloca(w->b, w->i64, "");
  find_positions(&e);
  unsigned at = 0;
  for (unsigned i = 0; i < k->param_count; i++) {
    LLVMTypeRef type = LLVMTypeOf(LLVMGetParam(body, i));
    const mt_Param *p = &k->params[i];
    if (p->kind == MT_PARAM_BUILTIN) {
      args[i] = builtin(&e, p->builtin, type);
      if (!args[i])
        return mt_error(err, MT_BADARG,
                        "the cuda device does not know "
                        "[[%s]], a parameter of kernel '%s'",
                        p->builtin, k->name);
    } else if (is_in_slot(w, i)) {
      LLVMBuildStore(w->b, LLVMGetParam(e.f, at++), values[i]);
      args[i] = values[i];
    } else {
      args[i] = bound(&e, p, LLVMGetParam(e.f, at), type);
      give_attributes(&e, i, at++);
    }
  }
  args[MT_BODY_CELLS(w)] = cells(&e);
  args[MT_BODY_MESSAGE(w)] = message(&e, memory);
  args[MT_BODY_LANES(w)] = lanes(&e);
  LLVMBuildCall2(w->b, LLVMGlobalGetValueType(body), body, args,
                 k->param_count + MT_BODY_ADDED, "");
  LLVMBuildRetVoid(w->b);
  w->prepared.function = e.f;
  return MT_OK;
}
