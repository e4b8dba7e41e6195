/*
** op_memory.c - ld, st and what belongs to them: every access is checked
** (access.h).
*/
#include "tests/cuda/access.h"
#include "tests/cuda/memory.h"

#include <string.h>

static _Noreturn void outside(Warp *w, const Inst *i, int l, uint64_t address,
                              unsigned size, bool write, const char *space) {
  fault(w, i, l, FAULT_ADDRESS,
        "%s of %u bytes at address 0x%llx, which is not in %s memory",
        write ? "write" : "read", size, (unsigned long long)address, space);
}

void *access_at(Warp *w, const Inst *i, int l, uint64_t address, unsigned size,
                bool write) {
  uint8_t space = i->space;
  if ((address & (size - 1)) != 0)
    fault(w, i, l, FAULT_MISALIGNED,
          "%s of %u bytes at address 0x%llx, which is no multiple of %u",
          write ? "write" : "read", size, (unsigned long long)address, size);
  uint64_t at = address;
  if (space == SP_GENERIC && at - SHARED_WINDOW < 3 * WINDOW_SIZE) {
    uint64_t in = at - SHARED_WINDOW;
    space = in < WINDOW_SIZE       ? SP_SHARED
            : in < 2 * WINDOW_SIZE ? SP_LOCAL
                                   : SP_PARAM;
    at = in % WINDOW_SIZE;
  }
  Launch *g = w->launch;
  switch (space) {
    case SP_SHARED:
      at -= SHARED_BASE;
      if (at >= g->shared_size || size > g->shared_size - at)
        outside(w, i, l, address, size, write, "shared");
      return w->block->shared + at;
    case SP_LOCAL:
    case SP_FRAME:
      if (at < LOCAL_BASE || at >= w->top[l] || size > w->top[l] - at)
        outside(w, i, l, address, size, write, "the thread's local");
      return w->local + (size_t)l * g->local_size + at;
    case SP_PARAM:
      if (write) outside(w, i, l, address, size, write, "writable");
      if (at >= g->entry->param_bytes || size > g->entry->param_bytes - at)
        outside(w, i, l, address, size, write, "parameter");
      return g->params + at;
    default: {
      const Allocation *a = memory_find(at);
      if (a == NULL || size > a->size - (at - a->start))
        outside(w, i, l, address, size, write,
                space == SP_CONST ? "constant" : "global");
      if (space == SP_CONST && a->kind != MEM_MODULE)
        outside(w, i, l, address, size, write, "constant");
      return a->host + (at - a->start);
    }
  }
}

static inline uint64_t place(const Warp *w, const Inst *i, const uint64_t *a,
                             int l) {
  uint64_t at = i->wide ? a[l] : (uint32_t)a[l];
  return at + (uint64_t)i->imm + (i->frame ? w->frame[l] : 0);
}

static inline uint64_t load_bytes(const void *from, unsigned size, bool is_s) {
  switch (size) {
    case 1:
      return is_s ? (uint64_t)(int64_t)*(const int8_t *)from
                  : *(const uint8_t *)from;
    case 2: {
      uint16_t v;
      memcpy(&v, from, 2);
      return is_s ? (uint64_t)(int64_t)(int16_t)v : v;
    }
    case 4: {
      uint32_t v;
      memcpy(&v, from, 4);
      return is_s ? (uint64_t)(int64_t)(int32_t)v : v;
    }
    default: {
      uint64_t v;
      memcpy(&v, from, 8);
      return v;
    }
  }
}

/* i->op: bytes of an element; i->targets not used; register masks by type2 */
static void ld(Warp *w, const Inst *i, uint32_t lanes) {
  const uint64_t *a = src(w, i->s[0]);
  unsigned size = i->op;
  bool is_s = i->aligned;
  uint64_t mask =
      i->type2 == 8 ? UINT64_MAX : ((uint64_t)1 << i->type2 * 8) - 1;
  EACH(lanes, {
    const uint8_t *from =
        access_at(w, i, l, place(w, i, a, l), size * i->vec, false);
    uint64_t v[8];
    for (unsigned k = 0; k < i->vec; k++)
      v[k] = load_bytes(from + k * size, size, is_s) & mask;
    for (unsigned k = 0; k < i->vec; k++) dst(w, i->d[k])[l] = v[k];
  });
}

static void st(Warp *w, const Inst *i, uint32_t lanes) {
  const uint64_t *a = src(w, i->s[0]);
  unsigned size = i->op;
  EACH(lanes, {
    uint8_t *to = access_at(w, i, l, place(w, i, a, l), size * i->vec, true);
    for (unsigned k = 0; k < i->vec; k++)
      memcpy(to + k * size, &src(w, i->s[1 + k])[l], size);
  });
}

static void nothing(Warp *w, const Inst *i, uint32_t lanes) {
  (void)w, (void)i, (void)lanes;
}

/* ------------------------------------------------------------------ decoding
 */

Space take_state_space(Parse *p) {
  if (take(p, "global")) return SP_GLOBAL;
  if (take(p, "shared") || take(p, "shared::cta")) return SP_SHARED;
  if (take(p, "local")) return SP_LOCAL;
  if (take(p, "const")) return SP_CONST;
  if (take(p, "param") || take(p, "param::entry") || take(p, "param::func"))
    return SP_PARAM;
  return SP_GENERIC;
}

void take_semantics(Parse *p) {
  static const char *const words[] = {
      "weak", "relaxed", "acquire", "release", "acq_rel", "sc", "volatile",
      "mmio", "cta", "cluster", "gpu", "sys",
      /* hints */
      "ca", "cg", "cs", "lu", "cv", "wb", "wt", "nc", "L1::evict_normal",
      "L1::evict_unchanged", "L1::evict_first", "L1::evict_last",
      "L1::no_allocate", "L2::64B", "L2::128B", "L2::256B", "L2::evict_last",
      "L2::evict_first", "L2::evict_normal"};
  for (size_t k = 0; k < sizeof words / sizeof *words; k++) take(p, words[k]);
}

static unsigned take_vector(Parse *p) {
  return take(p, "v2") ? 2 : take(p, "v4") ? 4 : take(p, "v8") ? 8 : 1;
}

static void decode_access(Parse *p, bool load) {
  Inst *i = p->i;
  if (load && peek_part(p, "nc") && !peek_part(p, "global"))
    parse_fail(p, ".nc is of .global");
  Space space = take_state_space(p);
  take_semantics(p);
  i->vec = (uint8_t)take_vector(p);
  Type t = i->type = take_type(p);
  i->op = (uint8_t)type_size(t);
  i->aligned = type_signed(t) && !type_float(t);
  if (i->op == 0 || i->op * i->vec > 32)
    parse_fail(p, "no access of that size");
  want_ops(p, 2, 2);
  const Opnd *at = &p->op[load ? 1 : 0], *v = &p->op[load ? 0 : 1];
  address(p, at, 0, space);
  if ((v->kind == O_VEC) != (i->vec > 1) || (i->vec > 1 && v->count != i->vec))
    parse_fail(p, "the vector has not that many elements");
  unsigned width = 0;
  for (unsigned k = 0; k < i->vec; k++) {
    const Opnd *e = i->vec > 1 ? &v->list[k] : v;
    if (!load) {
      i->s[1 + k] = get_loose(p, e, t);
      i->narrow |= e->kind == O_REG && type_size(e->type) > type_size(t);
      continue;
    }
    i->d[k] = put_loose(p, e, t);
    if (e->kind == O_REG) width = type_size(e->type);
  }
  i->type2 = (uint8_t)(width ? width : 8);
  if (!load &&
      (space == SP_CONST || (space == SP_PARAM && i->space != SP_FRAME)))
    parse_fail(p, "this memory is only read");
  i->run = load ? ld : st;
}

bool decode_memory(Parse *p) {
  const char *o = p->part[0];
  if (strcmp(o, "ld") == 0) {
    decode_access(p, true);
  } else if (strcmp(o, "ldu") == 0) {
    decode_access(p, true);
  } else if (strcmp(o, "st") == 0) {
    decode_access(p, false);
  } else if (strcmp(o, "prefetch") == 0 || strcmp(o, "prefetchu") == 0) {
    take_state_space(p);
    if (!take(p, "L1") && !take(p, "L2")) parse_fail(p, "a cache is missing");
    take_semantics(p);
    p->i->run = nothing;
  } else if (strcmp(o, "membar") == 0 || strcmp(o, "fence") == 0) {
    /* one thread runs at a time, and sees what all before it did */
    if (!take(p, "gl")) take(p, "proxy"), take(p, "alias");
    take_semantics(p);
    want_ops(p, 0, 0);
    p->i->run = nothing;
  } else {
    return false;
  }
  return true;
}
