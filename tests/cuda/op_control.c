/*
** op_control.c - branches, calls and ends.
*/
#include "tests/cuda/ptx_parse.h"
#include "tests/cuda/warp.h"

#include <stdlib.h>
#include <string.h>

static void branch(Warp *w, const Inst *i, uint32_t lanes) {
  EACH(lanes, w->pc[l] = i->target);
}

static void branch_by_index(Warp *w, const Inst *i, uint32_t lanes) {
  const uint64_t *a = src(w, i->s[0]);
  EACH(lanes, {
    uint32_t n = (uint32_t)a[l];
    if (n >= i->target_count)
      fault(w, i, l, FAULT_PC, "index %u of %u branch targets", n,
            i->target_count);
    w->pc[l] = i->targets[n];
  });
}

static void exit_(Warp *w, const Inst *i, uint32_t lanes) {
  (void)i;
  end_lanes(w, lanes);
}

static void trap(Warp *w, const Inst *i, uint32_t lanes) {
  fault(w, i, __builtin_ctz(lanes), FAULT_LAUNCH, "trap");
}

/* -------------------------------------------------------------------- calls */

static CallFrame *call_of(Warp *w, int l, uint32_t depth) {
  return &w->calls[l * CALL_DEPTH + depth];
}

/* The registers of a function that is called while it runs. */
static uint64_t *save(Warp *w, const Function *f, int l) {
  uint64_t *s = malloc((f->reg_count + f->pred_count + 1) * sizeof *s);
  for (uint32_t k = 0; k < f->reg_count; k++)
    s[k] = w->regs[(size_t)(f->regs + k) * WARP + l];
  for (uint32_t k = 0; k < f->pred_count; k++)
    s[f->reg_count + k] = w->preds[f->preds + k] >> l & 1;
  return s;
}

static void give_back(Warp *w, const Function *f, int l, uint64_t *s) {
  for (uint32_t k = 0; k < f->reg_count; k++)
    w->regs[(size_t)(f->regs + k) * WARP + l] = s[k];
  for (uint32_t k = 0; k < f->pred_count; k++)
    write_predicate(w, (int32_t)(f->preds + k), 1u << l,
                    s[f->reg_count + k] ? UINT32_MAX : 0);
  free(s);
}

static const Function *callee_of(Warp *w, const Inst *i, int l) {
  if (i->callee != NULL) return i->callee;
  uint64_t at = src(w, i->s[0])[l] - FUNCTION_BASE;
  const Module *m = w->launch->module;
  if (at % FUNCTION_STEP != 0 || at / FUNCTION_STEP >= m->function_count)
    fault(w, i, l, FAULT_PC, "call of address 0x%llx, where no function is",
          (unsigned long long)src(w, i->s[0])[l]);
  return m->functions[at / FUNCTION_STEP];
}

static void call(Warp *w, const Inst *i, uint32_t lanes) {
  uint32_t size = w->launch->local_size;
  EACH(lanes, {
    const Function *f = callee_of(w, i, l);
    if (f->param_count != i->argument_count ||
        f->result_count != i->copy_count - i->argument_count)
      fault(w, i, l, FAULT_LAUNCH, "'%s' has other parameters", f->name);
    uint32_t frame = (w->top[l] + 15) / 16 * 16;
    if (w->depth[l] + 1 >= CALL_DEPTH || frame + f->frame_size > size)
      fault(w, i, l, FAULT_LAUNCH, "the stack is exhausted");
    CallFrame *c = call_of(w, l, w->depth[l]);
    *c = (CallFrame){.back = w->pc[l],
                     .frame = w->frame[l],
                     .top = w->top[l],
                     .call = i,
                     .callee = f};
    for (uint32_t k = 0; k < w->depth[l]; k++)
      if (call_of(w, l, k)->callee == f) {
        c->saved = save(w, f, l);
        break;
      }
    uint8_t *local = w->local + (size_t)l * size;
    for (uint32_t k = 0; k < i->argument_count; k++)
      memcpy(local + frame + f->params[k].address,
             local + w->frame[l] + i->copies[k].caller, i->copies[k].size);
    w->depth[l]++;
    w->frame[l] = frame;
    w->top[l] = frame + f->frame_size;
    w->pc[l] = f->first;
  });
}

static void ret(Warp *w, const Inst *i, uint32_t lanes) {
  (void)i;
  uint32_t ended = 0, size = w->launch->local_size;
  EACH(lanes, {
    if (w->depth[l] == 0) {
      ended |= 1u << l;
    } else {
      CallFrame *c = call_of(w, l, --w->depth[l]);
      const Inst *at = c->call;
      uint8_t *local = w->local + (size_t)l * size;
      for (uint32_t k = at->argument_count; k < at->copy_count; k++)
        memcpy(local + c->frame + at->copies[k].caller,
               local + w->frame[l] +
                   c->callee->results[k - at->argument_count].address,
               at->copies[k].size);
      if (c->saved != NULL) give_back(w, c->callee, l, c->saved);
      c->saved = NULL;
      w->frame[l] = c->frame;
      w->top[l] = c->top;
      w->pc[l] = c->back;
    }
  });
  if (ended != 0) end_lanes(w, ended);
}

/* -------------------------------------------------------------------- stack */

static void alloca_(Warp *w, const Inst *i, uint32_t lanes) {
  uint64_t *d = dst(w, i->d[0]);
  const uint64_t *a = src(w, i->s[0]);
  uint32_t size = w->launch->local_size, align = (uint32_t)i->imm;
  EACH(lanes, {
    uint32_t at = (w->top[l] + align - 1) / align * align;
    if (a[l] > size || at + a[l] > size)
      fault(w, i, l, FAULT_LAUNCH, "the stack is exhausted");
    w->top[l] = at + (uint32_t)a[l];
    d[l] = at;
  });
}

static void stack_save(Warp *w, const Inst *i, uint32_t lanes) {
  uint64_t *d = dst(w, i->d[0]);
  EACH(lanes, d[l] = w->top[l]);
}

static void stack_restore(Warp *w, const Inst *i, uint32_t lanes) {
  const uint64_t *a = src(w, i->s[0]);
  EACH(lanes, w->top[l] = (uint32_t)a[l]);
}

static void nothing(Warp *w, const Inst *i, uint32_t lanes) {
  (void)w, (void)i, (void)lanes;
}

/* ------------------------------------------------------------------ decoding
 */

static void copies(Parse *p, const Opnd *o, uint32_t *n) {
  for (uint32_t k = 0; k < o->count; k++) {
    const Opnd *e = &o->list[k];
    if (e->kind != O_VARIABLE || e->variable->space != SP_FRAME)
      parse_fail(p, "arguments are .param variables");
    p->i->copies[(*n)++] = (CallCopy){.caller = (uint32_t)e->variable->address,
                                      .size = (uint32_t)e->variable->size};
  }
}

static void decode_call(Parse *p) {
  Inst *i = p->i;
  uint32_t at = 0, n = 0;
  const Opnd none = {0}, *results = &none, *arguments = &none;
  take(p, "uni");
  if (p->ops > 0 && p->op[0].kind == O_LIST) results = &p->op[at++];
  if (at >= p->ops) parse_fail(p, "no function to call");
  const Opnd *f = &p->op[at++];
  if (at < p->ops && p->op[at].kind == O_LIST) arguments = &p->op[at++];
  if (f->kind == O_FUNCTION) {
    i->callee = f->function;
    if (f->function->param_count != arguments->count ||
        f->function->result_count != results->count)
      parse_fail(p, "'%s' has other parameters", f->function->name);
  } else if (f->kind == O_REG) {
    i->s[0] = get(p, f, T_U64);
    if (at < p->ops && p->op[at].kind == O_NAME) at++; /* prototype */
  } else {
    parse_fail(p, "no such function");
  }
  if (at != p->ops) parse_fail(p, "too many operands");
  i->copies =
      keep(p->m, (arguments->count + results->count) * sizeof *i->copies);
  copies(p, arguments, &n);
  i->argument_count = n;
  copies(p, results, &n);
  i->copy_count = n;
  for (uint32_t k = 0; i->callee != NULL && k < n; k++) {
    const Variable *v = k < i->argument_count
                            ? &i->callee->params[k]
                            : &i->callee->results[k - i->argument_count];
    if (v->size != i->copies[k].size)
      parse_fail(p, "a parameter of '%s' has another size", i->callee->name);
  }
  i->run = call;
  i->control = i->stack = true;
}

bool decode_control(Parse *p) {
  Inst *i = p->i;
  const char *o = p->part[0];
#define IS(name) (strcmp(o, name) == 0)
  if (IS("bra")) {
    take(p, "uni");
    want_ops(p, 1, 1);
    jump_to(p, &p->op[0], -1);
    i->run = branch;
    i->jump = i->control = true;
  } else if (IS("brx")) {
    if (!take(p, "idx")) return false;
    take(p, "uni");
    want_ops(p, 2, 2);
    i->s[0] = get(p, &p->op[0], T_U32);
    jump_to(p, &p->op[1], -1);
    i->run = branch_by_index;
    i->control = true;
  } else if (IS("ret")) {
    take(p, "uni");
    want_ops(p, 0, 0);
    i->run = ret;
    i->control = true;
  } else if (IS("exit")) {
    want_ops(p, 0, 0);
    i->run = exit_;
    i->control = true;
  } else if (IS("trap") || IS("brkpt")) {
    want_ops(p, 0, 0);
    i->run = trap;
    i->control = true;
  } else if (IS("call")) {
    decode_call(p);
  } else if (IS("alloca")) {
    Type t = take_type(p);
    want_ops(p, 2, 3);
    i->d[0] = put(p, &p->op[0], t);
    i->s[0] = get(p, &p->op[1], t);
    i->imm = p->ops == 3 ? (int64_t)p->op[2].value : 8;
    if (i->imm <= 0) parse_fail(p, "an alignment is a power of two");
    i->run = alloca_;
    i->stack = true;
  } else if (IS("stacksave")) {
    Type t = take_type(p);
    want_ops(p, 1, 1);
    i->d[0] = put(p, &p->op[0], t);
    i->run = stack_save;
  } else if (IS("stackrestore")) {
    Type t = take_type(p);
    want_ops(p, 1, 1);
    i->s[0] = get(p, &p->op[0], t);
    i->run = stack_restore;
  } else if (IS("nanosleep")) {
    get(p, &p->op[0], take_type(p));
    i->run = nothing;
  } else if (IS("pmevent")) {
    i->run = nothing;
  } else {
    return false;
  }
#undef IS
  return true;
}
