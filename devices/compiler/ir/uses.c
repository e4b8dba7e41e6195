/*
** uses.c - what a kernel reads and writes, see uses.h.
**
** The one idea: a worklist of pointers, each with its root: the parameter that
** it was computed from, or a pointer in that parameter's memory. Users of a
** pointer are either accesses, which count for the root, or compute further
** pointers, which are followed. Every other user is an escape: all may happen.
**
** A texture's memory is reached through its view (docs/ir.md), so only what is
** reached through a loaded pointer counts for it.
*/
#include "devices/compiler/ir/uses.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/pointer_map.h"
#include "devices/compiler/ir/call.h"
#include "devices/compiler/ir/instructions.h"
#include "devices/compiler/ir/pointer.h"

#define ANYWHERE UINT64_MAX /* an offset that is not constant */
#define MOST (1u << 18)     /* pointers; a kernel with more is not looked at */
#define NONE MT_POINTER_MAP_NONE

typedef enum Depth {
  PARAMETER, /* points into the parameter's own memory */
  LINKED     /* into what a pointer in that memory leads to */
} Depth;

/* Where a pointer leads: into the memory of a parameter, or through the pointer
** that lies at 'link' in it. */
typedef struct Root {
  unsigned param;
  Depth depth;
  uint64_t link; /* LINKED; ANYWHERE: at an unknown place */
} Root;

typedef struct Pointer {
  LLVMValueRef value;
  unsigned root;
  uint64_t offset; /* from the root */
  uint32_t before; /* the same value's last place in the list; NONE: none */
} Pointer;

typedef struct Search {
  const mt_MslKernel *kernel;
  LLVMValueRef function;
  LLVMTargetDataRef layout;
  mt_Uses *out;
  Root root[MT_USES_PARAMS * 2 + MT_USES_LINKS];
  unsigned root_count;
  Pointer *list; /* all that were found; those from 'next' on are to follow */
  size_t count, room, next;
  mt_PointerMap last; /* the last place in the list of each value */
  bool failed;
} Search;

/* ------------------------------------------------------------ the worklist */

/* The last time that 'v' was found with this root; NONE: it was not. */
static size_t find(const Search *s, LLVMValueRef v, unsigned root) {
  size_t at = mt_pointer_map_get(&s->last, v);
  while (at != NONE && s->list[at].root != root) at = s->list[at].before;
  return at;
}

static bool grow(Search *s) {
  size_t room = s->room ? s->room * 2 : 256;
  Pointer *list = room > MOST ? NULL : realloc(s->list, room * sizeof *list);
  if (!list) return false;
  s->list = list;
  s->room = room;
  return true;
}

static bool add(Search *s, Pointer p) {
  if (s->count == s->room && !grow(s)) return false;
  p.before = mt_pointer_map_get(&s->last, p.value);
  s->list[s->count] = p;
  return mt_pointer_map_set(&s->last, p.value, (uint32_t)s->count++);
}

/* Follow 'v', too. One that comes again with another offset is followed once
** more, with any. */
static void follow(Search *s, LLVMValueRef v, unsigned root, uint64_t offset) {
  size_t at = find(s, v, root);
  if (at != NONE) {
    uint64_t known = s->list[at].offset;
    if (known == offset || known == ANYWHERE) return;
    offset = ANYWHERE;
  }
  if (!add(s, (Pointer){v, root, offset, NONE})) s->failed = true;
}

/* ------------------------------------------------------------------- roots */

static bool is_texture(const Search *s, const Root *r) {
  return s->kernel->params[r->param].kind == MT_PARAM_TEXTURE;
}

static void count_link(mt_Uses *u, const Root *r, unsigned access) {
  if (r->link == ANYWHERE || r->link > UINT32_MAX) {
    u->inside[r->param] |= (uint8_t)access;
    return;
  }
  for (unsigned i = 0; i < u->link_count; i++)
    if (u->link[i].param == r->param && u->link[i].offset == r->link) {
      u->link[i].access |= (uint8_t)access;
      return;
    }
  if (u->link_count == MT_USES_LINKS)
    u->inside[r->param] |= (uint8_t)access;
  else
    u->link[u->link_count++] = (mt_LinkUses){
        (uint32_t)r->link, (uint8_t)r->param, (uint8_t)access};
}

/* An access through a pointer of this root. A view is not the texture. */
static void count(Search *s, const Pointer *p, unsigned access) {
  const Root *r = &s->root[p->root];
  if (r->depth == LINKED && !is_texture(s, r))
    count_link(s->out, r, access);
  else if (r->depth == LINKED || !is_texture(s, r))
    s->out->of[r->param] |= (uint8_t)access;
}

/* It goes where it cannot be followed: the declaration counts. */
static void escape(Search *s, const Pointer *p) {
  const Root *r = &s->root[p->root];
  s->out->of[r->param] |= (uint8_t)s->kernel->params[r->param].access;
  s->out->inside[r->param] |= MT_READ_WRITE;
}

static unsigned root_of(Search *s, Root wanted) {
  unsigned i = 0;
  for (; i < s->root_count; i++)
    if (s->root[i].param == wanted.param && s->root[i].depth == wanted.depth &&
        s->root[i].link == wanted.link)
      return i;
  if (i == sizeof s->root / sizeof s->root[0]) {
    s->failed = true;
    return 0;
  }
  s->root[s->root_count++] = wanted;
  return i;
}

/* A pointer is loaded through 'p': it leads to what the root points to. */
static void follow_loaded(Search *s, const Pointer *p, LLVMValueRef load) {
  Root linked = s->root[p->root];
  if (linked.depth == PARAMETER) linked.link = p->offset;
  if (is_texture(s, &linked)) linked.link = ANYWHERE;
  linked.depth = LINKED;
  follow(s, load, root_of(s, linked), 0);
}

/* ------------------------------------------------------------------- users */

static bool holds_pointers(LLVMTypeRef t) {
  LLVMTypeKind kind = LLVMGetTypeKind(t);
  if (kind == LLVMPointerTypeKind) return true;
  if (kind == LLVMArrayTypeKind || kind == LLVMVectorTypeKind)
    return holds_pointers(LLVMGetElementType(t));
  for (unsigned i = 0;
       kind == LLVMStructTypeKind && i < LLVMCountStructElementTypes(t); i++)
    if (holds_pointers(LLVMStructGetTypeAtIndex(t, i))) return true;
  return false;
}

/* Does a number that was an address say only where it is, relative to another
** address or by its low bits? */
static bool only_measures(LLVMValueRef number) {
  for (LLVMUseRef u = LLVMGetFirstUse(number); u; u = LLVMGetNextUse(u)) {
    LLVMValueRef i = LLVMGetUser(u);
    LLVMValueRef other = LLVMIsABinaryOperator(i) ? LLVMGetOperand(i, 1) : NULL;
    LLVMOpcode op = LLVMGetInstructionOpcode(i);
    bool difference = op == LLVMSub && LLVMIsAPtrToIntInst(other) &&
                      LLVMIsAPtrToIntInst(LLVMGetOperand(i, 0));
    bool low = op == LLVMAnd && LLVMIsAConstantInt(other) &&
               LLVMConstIntGetZExtValue(other) < 4096;
    if (op != LLVMICmp && !difference && !low) return false;
  }
  return true;
}

static void call_defined(Search *s, const Pointer *p, LLVMValueRef call,
                         LLVMValueRef callee) {
  unsigned n = LLVMGetNumArgOperands(call);
  for (unsigned i = 0; i < n && i < LLVMCountParams(callee); i++)
    if (LLVMGetOperand(call, i) == p->value)
      follow(s, LLVMGetParam(callee, i), p->root, p->offset);
  if (n > LLVMCountParams(callee)) escape(s, p);
}

static void call_copy(Search *s, const Pointer *p, LLVMValueRef call) {
  if (LLVMGetOperand(call, 0) == p->value) count(s, p, MT_WRITE);
  if (LLVMGetOperand(call, 1) != p->value) return;
  count(s, p, MT_READ);
  Root *r = &s->root[p->root]; /* pointers in it are copied, too */
  s->out->inside[r->param] |= MT_READ_WRITE;
  if (is_texture(s, r)) escape(s, p);
}

static void called_with(Search *s, const Pointer *p, LLVMValueRef call) {
  LLVMValueRef callee = LLVMIsAFunction(LLVMGetCalledValue(call));
  const char *name = mt_callee(call);
  static const char *const HARMLESS[] = {"llvm.assume", "llvm.prefetch",
                                         "llvm.invariant.", NULL};
  if (mt_calls_one_of(call, HARMLESS)) return;
  if (callee && !LLVMIsDeclaration(callee)) call_defined(s, p, call, callee);
  else if (mt_is_copy(name)) call_copy(s, p, call);
  else if (!strncmp(name, "llvm.memset.", 12)) count(s, p, MT_WRITE);
  else if (!strncmp(name, "__mt_matrix_load_", 17)) count(s, p, MT_READ);
  else if (!strncmp(name, "__mt_matrix_store_", 18)) count(s, p, MT_WRITE);
  else escape(s, p);
}

/* A function gives the pointer back: to all that call it. */
static void returned(Search *s, const Pointer *p, LLVMValueRef ret) {
  LLVMValueRef f = LLVMGetBasicBlockParent(LLVMGetInstructionParent(ret));
  for (LLVMUseRef u = LLVMGetFirstUse(f); u; u = LLVMGetNextUse(u))
    if (LLVMIsACallInst(LLVMGetUser(u)))
      follow(s, LLVMGetUser(u), p->root, ANYWHERE);
}

static void stepped(Search *s, const Pointer *p, LLVMValueRef gep) {
  uint64_t step = 0;
  bool constant = p->offset != ANYWHERE && mt_constant_step(s->layout, gep,
                                                            &step);
  follow(s, gep, p->root, constant ? p->offset + step : ANYWHERE);
}

static void loaded(Search *s, const Pointer *p, LLVMValueRef load) {
  count(s, p, MT_READ);
  LLVMTypeRef t = LLVMTypeOf(load);
  if (LLVMGetTypeKind(t) == LLVMPointerTypeKind)
    follow_loaded(s, p, load);
  else if (holds_pointers(t))
    escape(s, p);
}

/* Memory is read or written through operand 'address'; another operand is what
** is put there. */
static void accessed(Search *s, const Pointer *p, LLVMValueRef i, int address,
                     unsigned access) {
  for (int n = 0; n < LLVMGetNumOperands(i); n++) {
    if (LLVMGetOperand(i, (unsigned)n) != p->value) continue;
    if (n == address) count(s, p, access);
    else escape(s, p);
  }
}

static void used_by(Search *s, const Pointer *p, LLVMValueRef i) {
  switch (LLVMGetInstructionOpcode(i)) {
    case LLVMLoad: loaded(s, p, i); break;
    case LLVMStore: accessed(s, p, i, 1, MT_WRITE); break;
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg: accessed(s, p, i, 0, MT_READ_WRITE); break;
    case LLVMGetElementPtr: stepped(s, p, i); break;
    case LLVMBitCast:
    case LLVMAddrSpaceCast:
    case LLVMFreeze:
    case LLVMPHI:
    case LLVMSelect: follow(s, i, p->root, p->offset); break;
    case LLVMInsertValue:
    case LLVMExtractValue:
    case LLVMInsertElement:
    case LLVMExtractElement:
    case LLVMShuffleVector: follow(s, i, p->root, ANYWHERE); break;
    case LLVMICmp: break;
    case LLVMPtrToInt:
      if (!only_measures(i)) escape(s, p);
      break;
    case LLVMCall: called_with(s, p, i); break;
    case LLVMRet: returned(s, p, i); break;
    default: escape(s, p);
  }
}

/* --------------------------------------------------------------- the whole */

/* Are pointers made of numbers? They may lead anywhere. */
static bool makes_pointers(LLVMModuleRef module) {
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f;
       f = LLVMGetNextFunction(f))
    MT_EACH_INSTRUCTION(i, f)
      if (LLVMIsAIntToPtrInst(i)) return true;
  return false;
}

static void start(Search *s) {
  unsigned n = LLVMCountParams(s->function);
  for (unsigned i = 0; i < s->kernel->param_count && i < n; i++) {
    LLVMValueRef v = LLVMGetParam(s->function, i);
    if (i < MT_USES_PARAMS &&
        LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMPointerTypeKind)
      follow(s, v, root_of(s, (Root){i, PARAMETER, 0}), 0);
  }
}

void mt_uses_find(const mt_MslKernel *kernel, LLVMValueRef function,
                  mt_Uses *out) {
  LLVMModuleRef module = LLVMGetGlobalParent(function);
  Search s = {.kernel = kernel, .function = function, .out = out,
              .layout = LLVMGetModuleDataLayout(module)};
  memset(out, 0, sizeof *out);
  start(&s);
  while (s.next < s.count && !s.failed) {
    Pointer p = s.list[s.next++]; /* the list may move */
    for (LLVMUseRef u = LLVMGetFirstUse(p.value); u; u = LLVMGetNextUse(u))
      used_by(&s, &p, LLVMGetUser(u));
  }
  out->known = !s.failed && !makes_pointers(module);
  free(s.list);
  mt_pointer_map_free(&s.last);
}
