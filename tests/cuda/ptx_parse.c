/*
** ptx_parse.c - PTX text to a module: directives, functions, statements.
*/
#include "tests/cuda/ptx_parse.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void parse_fail(Parse *p, const char *format, ...) {
  char said[200];
  va_list a;
  va_start(a, format);
  vsnprintf(said, sizeof said, format, a);
  va_end(a);
  const char *s = p->line_start ? p->line_start : p->x.line_start;
  while (*s == ' ' || *s == '\t') s++;
  int n = (int)strcspn(s, "\n");
  snprintf(p->why, p->why_size, "PTX line %u: %s: %.*s", p->line, said, n, s);
  longjmp(p->fail, 1);
}

void *keep(Module *m, size_t size) {
  GROW(m->kept, m->kept_count, m->kept_room);
  return m->kept[m->kept_count++] = calloc(1, size ? size : 1);
}

char *keep_text(Module *m, const char *s, size_t n) {
  char *t = keep(m, n + 1);
  memcpy(t, s, n);
  return t;
}

/* ------------------------------------------------------------------- tokens */

void advance(Parse *p) {
  lex_next(&p->x);
  p->line = p->x.line;
  p->line_start = p->x.line_start;
}

bool at_punct(const Parse *p, char c) {
  return p->x.token == TK_PUNCT && *p->x.start == c;
}

void expect(Parse *p, char c) {
  if (!at_punct(p, c))
    parse_fail(p, "'%c' expected at '%.*s'", c, (int)p->x.length, p->x.start);
  advance(p);
}

uint64_t align_up(uint64_t n, uint64_t to) {
  return to < 2 ? n : (n + to - 1) / to * to;
}

static const struct {
  const char *name;
  uint8_t size;
  bool is_float, is_signed;
} types[T_COUNT] = {
    [T_PRED] = {"pred", 0, 0, 0},   [T_B8] = {"b8", 1, 0, 0},
    [T_B16] = {"b16", 2, 0, 0},     [T_B32] = {"b32", 4, 0, 0},
    [T_B64] = {"b64", 8, 0, 0},     [T_B128] = {"b128", 16, 0, 0},
    [T_U8] = {"u8", 1, 0, 0},       [T_U16] = {"u16", 2, 0, 0},
    [T_U32] = {"u32", 4, 0, 0},     [T_U64] = {"u64", 8, 0, 0},
    [T_S8] = {"s8", 1, 0, 1},       [T_S16] = {"s16", 2, 0, 1},
    [T_S32] = {"s32", 4, 0, 1},     [T_S64] = {"s64", 8, 0, 1},
    [T_F16] = {"f16", 2, 1, 1},     [T_F16X2] = {"f16x2", 4, 1, 1},
    [T_BF16] = {"bf16", 2, 1, 1},   [T_BF16X2] = {"bf16x2", 4, 1, 1},
    [T_TF32] = {"tf32", 4, 1, 1},   [T_F32] = {"f32", 4, 1, 1},
    [T_F64] = {"f64", 8, 1, 1},     [T_U16X2] = {"u16x2", 4, 0, 0},
    [T_S16X2] = {"s16x2", 4, 0, 1},
};

unsigned type_size(Type t) { return types[t].size; }
bool type_float(Type t) { return types[t].is_float; }
bool type_signed(Type t) { return types[t].is_signed; }

bool type_named(const char *s, uint32_t n, Type *t) {
  for (Type i = T_PRED; i < T_COUNT; i++)
    if (strlen(types[i].name) == n && strncmp(types[i].name, s, n) == 0)
      return *t = i, true;
  return false;
}

/* -------------------------------------------------------- parts of an opcode
 */

bool peek_part(const Parse *p, const char *word) {
  for (uint32_t i = 0; i < p->parts; i++)
    if (!p->taken[i] && strcmp(p->part[i], word) == 0) return true;
  return false;
}

bool take(Parse *p, const char *word) {
  for (uint32_t i = 0; i < p->parts; i++)
    if (!p->taken[i] && strcmp(p->part[i], word) == 0)
      return p->taken[i] = true;
  return false;
}

Type take_type_or(Parse *p, Type otherwise) {
  Type t;
  for (uint32_t i = 0; i < p->parts; i++)
    if (!p->taken[i] &&
        type_named(p->part[i], (uint32_t)strlen(p->part[i]), &t))
      return p->taken[i] = true, t;
  return otherwise;
}

Type take_type(Parse *p) {
  Type t = take_type_or(p, T_NONE);
  if (t == T_NONE) parse_fail(p, "no type");
  return t;
}

Rounding take_rounding(Parse *p) {
  static const char *const names[] = {
      [R_RN] = "rn",   [R_RZ] = "rz",   [R_RM] = "rm",
      [R_RP] = "rp",   [R_RNA] = "rna", [R_RNI] = "rni",
      [R_RZI] = "rzi", [R_RMI] = "rmi", [R_RPI] = "rpi"};
  for (Rounding r = R_RN; r <= R_RPI; r++)
    if (take(p, names[r])) return r;
  return R_NONE;
}

/* ------------------------------------------------------------------ symbols */

void add_symbol(Parse *p, const Symbol *s) {
  GROW(p->symbols, p->symbol_count, p->symbol_room);
  p->symbols[p->symbol_count++] = *s;
}

static const struct {
  const char *name;
  int index;
  Type type;
} specials[] = {
    {"%tid.x", SR_TID_X, T_U32},
    {"%tid.y", SR_TID_Y, T_U32},
    {"%tid.z", SR_TID_Z, T_U32},
    {"%ntid.x", SR_NTID_X, T_U32},
    {"%ntid.y", SR_NTID_Y, T_U32},
    {"%ntid.z", SR_NTID_Z, T_U32},
    {"%ctaid.x", SR_CTAID_X, T_U32},
    {"%ctaid.y", SR_CTAID_Y, T_U32},
    {"%ctaid.z", SR_CTAID_Z, T_U32},
    {"%nctaid.x", SR_NCTAID_X, T_U32},
    {"%nctaid.y", SR_NCTAID_Y, T_U32},
    {"%nctaid.z", SR_NCTAID_Z, T_U32},
    {"%laneid", SR_LANEID, T_U32},
    {"%warpid", SR_WARPID, T_U32},
    {"%nwarpid", SR_NWARPID, T_U32},
    {"%smid", SR_SMID, T_U32},
    {"%nsmid", SR_NSMID, T_U32},
    {"%gridid", SR_GRIDID, T_U64},
    {"%lanemask_eq", SR_MASK_EQ, T_U32},
    {"%lanemask_le", SR_MASK_LE, T_U32},
    {"%lanemask_lt", SR_MASK_LT, T_U32},
    {"%lanemask_ge", SR_MASK_GE, T_U32},
    {"%lanemask_gt", SR_MASK_GT, T_U32},
    {"%dynamic_smem_size", SR_DYNAMIC_SIZE, T_U32},
    {"%total_smem_size", SR_TOTAL_SIZE, T_U32},
};
static const struct {
  const char *name;
  int index; /* op_move.c: what is read */
  Type type;
} clocks[] = {{"%clock", 0, T_U32},          {"%clock_hi", 1, T_U32},
              {"%clock64", 2, T_U64},        {"%globaltimer", 3, T_U64},
              {"%globaltimer_lo", 4, T_U32}, {"%globaltimer_hi", 5, T_U32}};

static bool same(const char *a, uint32_t n, const char *b) {
  return strlen(b) == n && strncmp(a, b, n) == 0;
}

static bool same_name(const char *a, uint32_t n, const char *b, uint32_t m) {
  return n == m && strncmp(a, b, n) == 0;
}

static bool find_register(Parse *p, const char *s, uint32_t n, Opnd *o) {
  uint32_t digits = n;
  while (digits > 1 && isdigit((unsigned char)s[digits - 1])) digits--;
  unsigned long number = digits < n ? strtoul(s + digits, NULL, 10) : 0;
  for (uint32_t k = p->symbol_count; k-- > 0;) {
    const Symbol *y = &p->symbols[k];
    if (y->kind == S_REG && same_name(s, n, y->name, y->length)) {
      o->index = y->index;
    } else if (y->kind == S_FAMILY && digits < n && number < y->count &&
               same_name(s, digits, y->name, y->length)) {
      o->index = y->index + (int32_t)number;
    } else {
      continue;
    }
    o->kind = y->type == T_PRED ? O_PRED : O_REG;
    o->type = y->type;
    return true;
  }
  return false;
}

static Variable *find_variable(Parse *p, const char *s, uint32_t n) {
  for (uint32_t k = p->symbol_count; k-- > 0;)
    if (p->symbols[k].kind == S_VARIABLE &&
        same_name(s, n, p->symbols[k].name, p->symbols[k].length))
      return p->symbols[k].variable;
  return NULL;
}

static Function *find_function(Module *m, const char *s, uint32_t n) {
  for (uint32_t k = 0; k < m->function_count; k++)
    if (same(s, n, m->functions[k]->name)) return m->functions[k];
  return NULL;
}

const Function *ptx_entry(const Module *m, const char *name) {
  for (uint32_t k = 0; k < m->function_count; k++)
    if (m->functions[k]->entry && strcmp(m->functions[k]->name, name) == 0)
      return m->functions[k];
  return NULL;
}

Variable *ptx_variable(Module *m, const char *name) {
  for (uint32_t k = 0; k < m->variable_count; k++)
    if (strcmp(m->variables[k].name, name) == 0) return &m->variables[k];
  return NULL;
}

/* ----------------------------------------------------------------- operands */

static void operand(Parse *p, Opnd *o);

static Opnd *operand_list(Parse *p, char end, uint32_t *count) {
  Opnd *list = keep(p->m, 32 * sizeof *list);
  for (*count = 0; !at_punct(p, end);) {
    if (*count == 32) parse_fail(p, "too many operands in a list");
    operand(p, &list[(*count)++]);
    if (!at_punct(p, ',')) break;
    advance(p);
  }
  expect(p, end);
  return list;
}

static void literal(Parse *p, Opnd *o, bool minus) {
  o->kind = O_IMM;
  o->literal = p->x.token;
  o->decimal = p->x.decimal;
  o->value = p->x.value;
  if (minus) {
    if (p->x.token == TK_INT)
      o->value = -o->value;
    else if (p->x.token == TK_F32)
      o->value ^= 0x80000000u;
    else
      o->value ^= (uint64_t)1 << 63;
  }
  advance(p);
}

/* +4, -4 and 4+-8, as LLVM writes it */
static int64_t offset(Parse *p) {
  int64_t sum = 0;
  while (at_punct(p, '+') || at_punct(p, '-')) {
    bool minus = at_punct(p, '-');
    advance(p);
    if (at_punct(p, '-')) minus = !minus, advance(p);
    if (p->x.token != TK_INT) parse_fail(p, "an offset is a number");
    sum += minus ? -(int64_t)p->x.value : (int64_t)p->x.value;
    advance(p);
  }
  return sum;
}

/* p|q: two results */
static void dual(Parse *p, Opnd *o) {
  if (!at_punct(p, '|')) return;
  Opnd *pair = keep(p->m, 2 * sizeof *pair);
  pair[0] = *o;
  advance(p);
  operand(p, &pair[1]);
  *o = (Opnd){.kind = O_DUAL, .list = pair, .count = 2};
}

static void word(Parse *p, Opnd *o) {
  const char *s = p->x.start;
  uint32_t n = p->x.length;
  o->name = s;
  o->length = n;
  if (n == 1 && *s == '_') {
    o->kind = O_SINK;
    advance(p);
    dual(p, o);
    return;
  }
  if (same(s, n, "WARP_SZ")) {
    *o = (Opnd){.kind = O_IMM, .literal = TK_INT, .value = WARP};
    advance(p);
    return;
  }
  if (find_register(p, s, n, o)) {
    advance(p);
    dual(p, o);
    return;
  }
  if (*s == '%') {
    for (size_t k = 0; k < sizeof specials / sizeof *specials; k++)
      if (same(s, n, specials[k].name)) {
        *o = (Opnd){.kind = O_REG,
                    .index = specials[k].index,
                    .type = specials[k].type};
        advance(p);
        return;
      }
    for (size_t k = 0; k < sizeof clocks / sizeof *clocks; k++)
      if (same(s, n, clocks[k].name)) {
        *o = (Opnd){
            .kind = O_CLOCK, .index = clocks[k].index, .type = clocks[k].type};
        advance(p);
        return;
      }
    parse_fail(p, "unknown register '%.*s'", (int)n, s);
  }
  if ((o->variable = find_variable(p, s, n)) != NULL) {
    o->kind = O_VARIABLE;
    advance(p);
    o->add = offset(p);
    return;
  }
  if ((o->function = find_function(p->m, s, n)) != NULL) {
    o->kind = O_FUNCTION;
    advance(p);
    return;
  }
  o->kind = O_NAME;
  advance(p);
}

static void operand(Parse *p, Opnd *o) {
  *o = (Opnd){0};
  if (p->x.token == TK_WORD) {
    word(p, o);
  } else if (p->x.token == TK_INT || p->x.token == TK_F32 ||
             p->x.token == TK_F64) {
    literal(p, o, false);
  } else if (at_punct(p, '-')) {
    advance(p);
    literal(p, o, true);
  } else if (at_punct(p, '!')) {
    advance(p);
    operand(p, o);
    if (o->kind != O_PRED) parse_fail(p, "'!' needs a predicate");
    o->negated = true;
  } else if (at_punct(p, '{')) {
    advance(p);
    Opnd *list = operand_list(p, '}', &o->count);
    o->kind = O_VEC;
    o->list = list;
  } else if (at_punct(p, '(')) {
    advance(p);
    Opnd *list = operand_list(p, ')', &o->count);
    o->kind = O_LIST;
    o->list = list;
  } else if (at_punct(p, '[')) {
    advance(p);
    Opnd *base = keep(p->m, sizeof *base);
    operand(p, base);
    int64_t add = offset(p);
    expect(p, ']');
    *o = (Opnd){.kind = O_ADDR, .list = base, .count = 1, .add = add};
  } else {
    parse_fail(p, "no operand at '%.*s'", (int)p->x.length, p->x.start);
  }
}

void want_ops(Parse *p, uint32_t least, uint32_t most) {
  if (p->ops < least || p->ops > most)
    parse_fail(p, "%u operands where %u are wanted", p->ops, least);
}

int32_t constant(Parse *p, uint64_t value) {
  Module *m = p->m;
  for (uint32_t k = 0; k < m->pool_count; k++)
    if (m->pool[k * WARP] == value) return ~(int32_t)k;
  if (m->pool_count == m->pool_room) {
    m->pool_room = m->pool_room ? m->pool_room * 2 : 64;
    m->pool = realloc(m->pool, m->pool_room * WARP * sizeof *m->pool);
  }
  for (int l = 0; l < WARP; l++) m->pool[m->pool_count * WARP + l] = value;
  return ~(int32_t)m->pool_count++;
}

static uint64_t immediate(Parse *p, const Opnd *o, Type t) {
  if (o->literal == TK_INT) {
    if (t == T_F32 || t == T_F64)
      parse_fail(p, "an integer where a float is wanted");
    return o->value;
  }
  if (!type_float(t) && t != T_B32 && t != T_B64 && t != T_B16)
    parse_fail(p, "a float where an integer is wanted");
  bool wide = type_size(t) == 8;
  if (type_size(t) == 2) parse_fail(p, "no 16-bit literal has this form");
  if (o->literal == TK_F32 && wide) {
    float f;
    double d;
    uint64_t bits;
    uint32_t low = (uint32_t)o->value;
    memcpy(&f, &low, 4);
    d = f;
    memcpy(&bits, &d, 8);
    return bits;
  }
  if (o->literal == TK_F64 && !wide) {
    double d;
    uint32_t bits;
    memcpy(&d, &o->value, 8);
    float f = (float)d;
    memcpy(&bits, &f, 4);
    return bits;
  }
  return o->value;
}

static int32_t get_any(Parse *p, const Opnd *o, Type t, bool loose) {
  switch (o->kind) {
    case O_REG:
      if (type_size(o->type) != type_size(t) &&
          !(loose && type_size(o->type) > type_size(t)))
        parse_fail(p, "a register of %u bits where .%s is wanted",
                   type_size(o->type) * 8, types[t].name);
      if (o->type == T_B128) parse_fail(p, "128-bit registers are not known");
      return o->index;
    case O_IMM:
      return constant(p, immediate(p, o, t));
    case O_VARIABLE:
      if (o->variable->space == SP_FRAME || o->variable->space == SP_LOCAL)
        parse_fail(p, "the address of a frame is only known to mov");
      return constant(p, o->variable->address + (uint64_t)o->add);
    default:
      parse_fail(p, "a register or constant is wanted");
  }
}

int32_t get(Parse *p, const Opnd *o, Type t) { return get_any(p, o, t, false); }

int32_t get_loose(Parse *p, const Opnd *o, Type t) {
  return get_any(p, o, t, true);
}

static int32_t put_any(Parse *p, const Opnd *o, Type t, bool loose) {
  if (o->kind == O_SINK) return SINK;
  if (o->kind != O_REG || o->index < SR_COUNT)
    parse_fail(p, "the result needs a register");
  return get_any(p, o, t, loose);
}

int32_t put(Parse *p, const Opnd *o, Type t) { return put_any(p, o, t, false); }

int32_t put_loose(Parse *p, const Opnd *o, Type t) {
  return put_any(p, o, t, true);
}

int32_t predicate(Parse *p, const Opnd *o) {
  if (o->kind == O_SINK) return -1;
  if (o->kind != O_PRED) parse_fail(p, "a predicate is wanted");
  return o->index;
}

void address(Parse *p, const Opnd *o, int slot, Space space) {
  Inst *i = p->i;
  if (o->kind != O_ADDR) parse_fail(p, "an address in [ ] is wanted");
  const Opnd *b = o->list;
  i->imm = o->add;
  i->space = space;
  if (b->kind == O_REG) {
    if (type_size(b->type) != 8 &&
        !(type_size(b->type) == 4 && (space == SP_SHARED || space == SP_LOCAL ||
                                      space == SP_CONST || space == SP_PARAM)))
      parse_fail(p, "an address has 64 bits");
    i->s[slot] = b->index;
    i->wide = type_size(b->type) == 8;
    if (space == SP_PARAM && !p->f->entry) i->space = SP_FRAME;
    return;
  }
  i->wide = true;
  if (b->kind == O_IMM && b->literal == TK_INT) {
    i->s[slot] = constant(p, 0);
    i->imm += (int64_t)b->value;
    return;
  }
  if (b->kind != O_VARIABLE) parse_fail(p, "no such variable");
  const Variable *v = b->variable;
  Space of = v->space == SP_FRAME ? SP_PARAM : v->space;
  if (of != space && space != SP_GENERIC)
    parse_fail(p, "'%s' is not in this state space", v->name);
  if (space == SP_GENERIC && of != SP_GLOBAL && of != SP_CONST)
    parse_fail(p, "'%s' has no generic address here", v->name);
  i->s[slot] = constant(p, 0);
  i->imm += (int64_t)v->address + b->add;
  i->frame = v->space == SP_FRAME || v->space == SP_LOCAL;
  if (v->space == SP_FRAME) i->space = SP_FRAME;
}

/* ------------------------------------------------------------------- labels */

void jump_to(Parse *p, const Opnd *o, int32_t slot) {
  if (o->kind != O_NAME) parse_fail(p, "a label is wanted");
  GROW(p->jumps, p->jump_count, p->jump_room);
  p->jumps[p->jump_count++] =
      (Jump){o->name, o->length, p->scope, p->m->count, slot, p->line};
}

static const Label *find_label(Parse *p, const char *s, uint32_t n,
                               uint32_t scope) {
  for (;;) {
    for (uint32_t k = 0; k < p->label_count; k++)
      if (p->labels[k].scope == scope &&
          same_name(s, n, p->labels[k].name, p->labels[k].length))
        return &p->labels[k];
    if (scope == 0) return NULL;
    scope = p->scopes[scope];
  }
}

static void resolve_jumps(Parse *p) {
  for (uint32_t k = 0; k < p->jump_count; k++) {
    const Jump *j = &p->jumps[k];
    Inst *i = &p->m->code[j->inst];
    const Label *l = find_label(p, j->name, j->length, j->scope);
    p->line = i->line;
    p->line_start = i->text;
    if (l == NULL) parse_fail(p, "no label '%.*s'", (int)j->length, j->name);
    if (j->slot >= 0) {
      i->targets[j->slot] = l->pc;
    } else if (l->list != NULL) { /* brx.idx: a list of labels */
      i->target_count = l->count;
      i->targets = keep(p->m, l->count * sizeof *i->targets);
      for (uint32_t t = 0; t < l->count; t++) {
        const Label *to =
            find_label(p, l->list[t].name, l->list[t].length, l->scope);
        if (to == NULL)
          parse_fail(p, "no label '%.*s'", (int)l->list[t].length,
                     l->list[t].name);
        i->targets[t] = to->pc;
      }
    } else {
      i->target = l->pc;
    }
  }
  p->jump_count = p->label_count = 0;
}

static void label(Parse *p, const char *s, uint32_t n) {
  for (uint32_t k = 0; k < p->label_count; k++)
    if (p->labels[k].scope == p->scope &&
        same_name(s, n, p->labels[k].name, p->labels[k].length))
      parse_fail(p, "the label is there twice");
  GROW(p->labels, p->label_count, p->label_room);
  Label *l = &p->labels[p->label_count++];
  *l = (Label){s, n, p->scope, p->m->count, NULL, 0};
}

/* --------------------------------------------------------------- statements */

static void instruction(Parse *p) {
  Module *m = p->m;
  if (m->count == m->room) {
    m->room = m->room ? m->room * 2 : 256;
    m->code = realloc(m->code, m->room * sizeof *m->code);
  }
  Inst *i = p->i = &m->code[m->count];
  *i = (Inst){.guard = -1, .line = p->line, .text = p->line_start};
  for (int k = 0; k < 4; k++) i->p[k] = -1;
  for (int k = 0; k < 8; k++) i->d[k] = SINK;
  if (at_punct(p, '@')) {
    advance(p);
    if (at_punct(p, '!')) i->guard_not = true, advance(p);
    Opnd o = {0};
    if (p->x.token != TK_WORD ||
        !find_register(p, p->x.start, p->x.length, &o) || o.kind != O_PRED)
      parse_fail(p, "no predicate after '@'");
    i->guard = o.index;
    lex_opcode(&p->x);
  } else {
    p->x.at = p->x.start;
    lex_opcode(&p->x);
  }
  if (p->x.length == 0 || p->x.length >= sizeof p->opcode)
    parse_fail(p, "no instruction");
  memcpy(p->opcode, p->x.start, p->x.length);
  p->opcode[p->x.length] = '\0';
  p->parts = 0;
  for (char *s = p->opcode;;) {
    if (p->parts == PARTS) parse_fail(p, "too many modifiers");
    p->taken[p->parts] = p->parts == 0;
    p->part[p->parts++] = s;
    char *dot = strchr(s, '.');
    if (dot == NULL) break;
    *dot = '\0';
    s = dot + 1;
  }
  uint32_t line = p->line;
  const char *start = p->line_start;
  advance(p);
  for (p->ops = 0; !at_punct(p, ';');) {
    if (p->ops == OPERANDS) parse_fail(p, "too many operands");
    operand(p, &p->op[p->ops++]);
    if (!at_punct(p, ',')) break;
    advance(p);
  }
  if (!at_punct(p, ';')) parse_fail(p, "';' expected");
  p->line = line;
  p->line_start = start;
  static bool (*const decoders[])(Parse *) = {
      decode_move,    decode_memory,  decode_pair,    decode_half,
      decode_integer, decode_float,   decode_bits,    decode_compare,
      decode_convert, decode_control, decode_barrier, decode_lanes,
      decode_atomic,  decode_matrix,  decode_copy};
  bool known = false;
  for (size_t k = 0; k < sizeof decoders / sizeof *decoders && !known; k++)
    known = decoders[k](p);
  if (!known || i->run == NULL) parse_fail(p, "unknown instruction");
  for (uint32_t k = 0; k < p->parts; k++)
    if (!p->taken[k]) parse_fail(p, "unknown modifier '.%s'", p->part[k]);
  m->count++;
  advance(p);
}

static Type directive_type(Parse *p) {
  Type t;
  if (p->x.token != TK_DIRECTIVE ||
      !type_named(p->x.start + 1, p->x.length - 1, &t))
    parse_fail(p, "a type is wanted at '%.*s'", (int)p->x.length, p->x.start);
  advance(p);
  return t;
}

/* .reg .b32 %r<10>, %x; */
static void registers(Parse *p) {
  Type t = directive_type(p);
  for (;;) {
    if (p->x.token != TK_WORD) parse_fail(p, "a register's name is wanted");
    Symbol s = {.name = p->x.start,
                .length = p->x.length,
                .kind = S_REG,
                .type = t,
                .count = 1};
    advance(p);
    if (at_punct(p, '<')) {
      advance(p);
      s.kind = S_FAMILY;
      s.count = (uint32_t)p->x.value;
      advance(p);
      expect(p, '>');
    }
    uint32_t *end = t == T_PRED ? &p->m->pred_count : &p->m->reg_count;
    s.index = (int32_t)*end;
    *end += s.count;
    while (t != T_PRED && p->m->reg_room < *end) {
      uint32_t room = p->m->reg_room ? p->m->reg_room * 2 : 1024;
      p->m->reg_size = realloc(p->m->reg_size, room);
      p->m->reg_room = room;
    }
    if (t != T_PRED)
      memset(p->m->reg_size + s.index, (int)type_size(t), s.count);
    add_symbol(p, &s);
    if (!at_punct(p, ',')) break;
    advance(p);
  }
  expect(p, ';');
}

static void skip_line(Parse *p) {
  uint32_t line = p->x.line;
  while (p->x.token != TK_END && p->x.line == line) advance(p);
}

static void skip_to(Parse *p, char end) {
  while (p->x.token != TK_END && !at_punct(p, end)) advance(p);
  expect(p, end);
}

static void body_directive(Parse *p) {
  if (lex_is(&p->x, ".reg")) {
    advance(p);
    registers(p);
  } else if (lex_is(&p->x, ".local")) {
    advance(p);
    parse_variable(p, SP_LOCAL, false);
  } else if (lex_is(&p->x, ".shared")) {
    advance(p);
    parse_variable(p, SP_SHARED, false);
  } else if (lex_is(&p->x, ".param")) {
    advance(p);
    parse_variable(p, SP_FRAME, false);
  } else if (lex_is(&p->x, ".global")) {
    advance(p);
    parse_variable(p, SP_GLOBAL, false);
  } else if (lex_is(&p->x, ".const")) {
    advance(p);
    parse_variable(p, SP_CONST, false);
  } else if (lex_is(&p->x, ".loc")) {
    skip_line(p);
  } else if (lex_is(&p->x, ".pragma")) {
    skip_to(p, ';');
  } else {
    parse_fail(p, "unknown directive '%.*s'", (int)p->x.length, p->x.start);
  }
}

static void body(Parse *p) {
  uint32_t symbols[64], depth = 0;
  GROW(p->scopes, p->scope_count, p->scope_room);
  p->scope = 0;
  p->scope_count = 1;
  p->scopes[0] = 0;
  for (;;) {
    if (p->x.token == TK_END) parse_fail(p, "the function has no end");
    if (at_punct(p, '{')) {
      if (depth == 64) parse_fail(p, "too many scopes in each other");
      symbols[depth++] = p->symbol_count;
      GROW(p->scopes, p->scope_count, p->scope_room);
      p->scopes[p->scope_count] = p->scope;
      p->scope = p->scope_count++;
      advance(p);
    } else if (at_punct(p, '}')) {
      if (depth == 0) return;
      p->symbol_count = symbols[--depth];
      p->scope = p->scopes[p->scope];
      advance(p);
    } else if (p->x.token == TK_DIRECTIVE) {
      body_directive(p);
    } else if (at_punct(p, ';')) {
      advance(p);
    } else if (at_punct(p, '@')) {
      instruction(p);
    } else if (p->x.token == TK_WORD) {
      Lex here = p->x;
      lex_next(&p->x);
      if (at_punct(p, ':') && *p->x.at != ':') {
        label(p, here.start, here.length);
        advance(p);
        if (p->x.token == TK_DIRECTIVE && lex_is(&p->x, ".branchtargets")) {
          Label *l = &p->labels[p->label_count - 1];
          advance(p);
          l->list = operand_list(p, ';', &l->count);
        } else if (p->x.token == TK_DIRECTIVE &&
                   (lex_is(&p->x, ".callprototype") ||
                    lex_is(&p->x, ".calltargets"))) {
          skip_to(p, ';');
        }
      } else {
        p->x = here;
        instruction(p);
      }
    } else {
      parse_fail(p, "no statement starts with '%.*s'", (int)p->x.length,
                 p->x.start);
    }
  }
}

/* ---------------------------------------------------------------- functions */

/* ( .param .u64 .ptr .align 1 name, .param .align 4 .b8 name[20] ) */
static Variable *parameters(Parse *p, uint32_t *count) {
  Variable *list = keep(p->m, 256 * sizeof *list);
  expect(p, '(');
  for (*count = 0; !at_punct(p, ')');) {
    if (*count == 256) parse_fail(p, "too many parameters");
    Variable *v = &list[*count];
    if (!lex_is(&p->x, ".param")) parse_fail(p, "only .param is known here");
    advance(p);
    *v = (Variable){.space = SP_PARAM, .align = 0};
    while (p->x.token == TK_DIRECTIVE) {
      if (lex_is(&p->x, ".align")) {
        advance(p);
        v->align = (uint32_t)p->x.value;
        advance(p);
      } else if (lex_is(&p->x, ".ptr")) { /* what it points to */
        advance(p);
        while (lex_is(&p->x, ".global") || lex_is(&p->x, ".shared") ||
               lex_is(&p->x, ".const") || lex_is(&p->x, ".local"))
          advance(p);
        if (lex_is(&p->x, ".align")) advance(p), advance(p);
      } else {
        v->type = directive_type(p);
      }
    }
    if (p->x.token != TK_WORD) parse_fail(p, "a parameter's name is wanted");
    v->name = keep_text(p->m, p->x.start, p->x.length);
    v->element = type_size(v->type);
    v->size = v->element;
    advance(p);
    if (at_punct(p, '[')) {
      advance(p);
      v->size *= p->x.value;
      advance(p);
      expect(p, ']');
    }
    if (v->align == 0) v->align = v->element;
    (*count)++;
    if (!at_punct(p, ',')) break;
    advance(p);
  }
  expect(p, ')');
  return list;
}

static void function_attributes(Parse *p, Function *f) {
  while (p->x.token == TK_DIRECTIVE) {
    uint32_t n[3] = {1, 1, 1};
    bool max = lex_is(&p->x, ".maxntid"), required = lex_is(&p->x, ".reqntid");
    if (!max && !required && !lex_is(&p->x, ".minnctapersm") &&
        !lex_is(&p->x, ".maxnreg") && !lex_is(&p->x, ".noreturn") &&
        !lex_is(&p->x, ".pragma"))
      parse_fail(p, "unknown directive '%.*s'", (int)p->x.length, p->x.start);
    if (lex_is(&p->x, ".pragma")) {
      skip_to(p, ';');
      continue;
    }
    bool bare = lex_is(&p->x, ".noreturn");
    advance(p);
    for (int k = 0; !bare && k < 3; k++) {
      if (p->x.token != TK_INT) parse_fail(p, "a number is wanted");
      n[k] = (uint32_t)p->x.value;
      advance(p);
      if (!at_punct(p, ',')) break;
      advance(p);
    }
    if (max) f->max_threads = n[0] * n[1] * n[2];
    if (required) memcpy(f->required, n, sizeof n);
  }
}

static void enter(Parse *p, Function *f, Variable *list, uint32_t count,
                  bool frame) {
  for (uint32_t k = 0; k < count; k++) {
    Variable *v = &list[k];
    if (frame) {
      v->space = SP_FRAME;
      f->frame_size = (uint32_t)align_up(f->frame_size, v->align);
      v->address = f->frame_size;
      f->frame_size += (uint32_t)v->size;
    } else {
      f->param_bytes = (uint32_t)align_up(f->param_bytes, v->align);
      v->address = v->offset = f->param_bytes;
      f->param_bytes += (uint32_t)v->size;
    }
    add_symbol(p, &(Symbol){.name = v->name,
                            .length = (uint32_t)strlen(v->name),
                            .kind = S_VARIABLE,
                            .variable = v});
  }
}

static void function(Parse *p, bool entry) {
  Module *m = p->m;
  uint32_t symbols = p->symbol_count, results = 0, params = 0;
  Variable *result_list = NULL, *param_list = NULL;
  if (!entry && at_punct(p, '(')) result_list = parameters(p, &results);
  if (p->x.token != TK_WORD) parse_fail(p, "a function's name is wanted");
  Function *f = find_function(m, p->x.start, p->x.length);
  if (f == NULL) {
    f = keep(m, sizeof *f);
    f->name = keep_text(m, p->x.start, p->x.length);
    f->entry = entry;
    f->module = m;
    m->functions =
        realloc(m->functions, (m->function_count + 1) * sizeof *m->functions);
    m->functions[m->function_count++] = f;
  } else if (!f->declared_only) {
    parse_fail(p, "'%s' is there twice", f->name);
  }
  advance(p);
  if (at_punct(p, '(')) param_list = parameters(p, &params);
  function_attributes(p, f);
  f->frame_size = 0;
  f->param_bytes = 0;
  f->params = param_list;
  f->param_count = params;
  f->results = result_list;
  f->result_count = results;
  p->f = f;
  enter(p, f, param_list, params, !entry);
  if (!entry) enter(p, f, result_list, results, true);
  if (at_punct(p, ';')) {
    f->declared_only = true;
    advance(p);
  } else {
    f->declared_only = false;
    f->first = m->count;
    f->regs = m->reg_count;
    f->preds = m->pred_count;
    expect(p, '{');
    body(p);
    /* falling off the end is ret */
    p->x.start = "ret;";
    const char *at = p->x.at;
    Lex here = p->x;
    p->x.at = p->x.start;
    instruction(p);
    p->x = here;
    p->x.at = at;
    f->count = m->count - f->first;
    f->reg_count = m->reg_count - f->regs;
    f->pred_count = m->pred_count - f->preds;
    f->frame_size = (uint32_t)align_up(f->frame_size, 16);
    resolve_jumps(p);
    f->hardware = ptx_registers(m, f);
    const Inst *narrow = ptx_narrow_float(m, f);
    if (narrow) {
      p->line = narrow->line, p->line_start = narrow->text;
      parse_fail(p, "a part of a float is stored, which would be converted");
    }
    advance(p);
  }
  p->f = NULL;
  p->symbol_count = symbols;
}

static void version(Parse *p) {
  /* 7.8 is a number to the lexer */
  double v;
  advance(p);
  memcpy(&v, &p->x.value, 8);
  if (p->x.token != TK_F64) parse_fail(p, "a version is wanted");
  p->m->version = (unsigned)(v * 10 + 0.5);
  advance(p);
}

static void target(Parse *p) {
  advance(p);
  if (p->x.token != TK_WORD || strncmp(p->x.start, "sm_", 3) != 0)
    parse_fail(p, "a target sm_NN is wanted");
  p->m->target = (unsigned)strtoul(p->x.start + 3, NULL, 10);
  advance(p);
  while (at_punct(p, ',')) advance(p), advance(p);
}

/* .section .debug_info { … } */
static void section(Parse *p) {
  while (p->x.token != TK_END && !at_punct(p, '{')) advance(p);
  skip_to(p, '}');
}

static void module(Parse *p) {
  bool external = false;
  advance(p);
  while (p->x.token != TK_END) {
    if (p->x.token != TK_DIRECTIVE)
      parse_fail(p, "no directive starts with '%.*s'", (int)p->x.length,
                 p->x.start);
    if (lex_is(&p->x, ".version"))
      version(p);
    else if (lex_is(&p->x, ".target"))
      target(p);
    else if (lex_is(&p->x, ".address_size")) {
      advance(p);
      if (p->x.value != 64) parse_fail(p, "addresses have 64 bits");
      advance(p);
    } else if (lex_is(&p->x, ".visible") || lex_is(&p->x, ".weak") ||
               lex_is(&p->x, ".common")) {
      advance(p);
    } else if (lex_is(&p->x, ".extern")) {
      external = true;
      advance(p);
      continue;
    } else if (lex_is(&p->x, ".entry")) {
      advance(p);
      function(p, true);
    } else if (lex_is(&p->x, ".func")) {
      advance(p);
      function(p, false);
    } else if (lex_is(&p->x, ".global")) {
      advance(p);
      parse_variable(p, SP_GLOBAL, external);
    } else if (lex_is(&p->x, ".const")) {
      advance(p);
      parse_variable(p, SP_CONST, external);
    } else if (lex_is(&p->x, ".shared")) {
      advance(p);
      parse_variable(p, SP_SHARED, external);
    } else if (lex_is(&p->x, ".file")) {
      skip_line(p);
    } else if (lex_is(&p->x, ".loc")) {
      skip_line(p);
    } else if (lex_is(&p->x, ".section")) {
      section(p);
    } else if (lex_is(&p->x, ".pragma")) {
      skip_to(p, ';');
    } else {
      parse_fail(p, "unknown directive '%.*s'", (int)p->x.length, p->x.start);
    }
    external = false;
  }
  if (p->m->version == 0 || p->m->target == 0)
    parse_fail(p, ".version and .target are missing");
}

Module *ptx_parse(const char *text, uint64_t base, char *why, size_t why_size) {
  Parse *p = calloc(1, sizeof *p);
  p->m = calloc(1, sizeof *p->m);
  p->m->text = strdup(text);
  p->m->reg_count = SR_COUNT;
  p->m->global = base;
  p->why = why;
  p->why_size = why_size;
  p->shared_end = SHARED_BASE;
  Module *volatile m = p->m;
  if (setjmp(p->fail) == 0) {
    lex_start(&p->x, p->m->text);
    measure_shared(p);
    p->symbol_count = 0;
    p->line_start = NULL;
    lex_start(&p->x, p->m->text);
    module(p);
    p->m->shared_size = (uint32_t)(p->shared_end - SHARED_BASE);
    for (uint32_t k = 0; k < p->m->count; k++) {
      const Inst *i = &p->m->code[k];
      if (i->callee != NULL && i->callee->declared_only) {
        p->line = i->line;
        p->line_start = i->text;
        parse_fail(p, "'%s' is not defined", i->callee->name);
      }
    }
  } else {
    ptx_free(m);
    m = NULL;
  }
  free(p->symbols);
  free(p->labels);
  free(p->jumps);
  free(p->scopes);
  free(p);
  return m;
}

void ptx_free(Module *m) {
  if (m == NULL) return;
  for (uint32_t k = 0; k < m->kept_count; k++) free(m->kept[k]);
  free(m->kept);
  free(m->functions);
  free(m->variables);
  free(m->code);
  free(m->pool);
  free(m->reg_size);
  free(m->text);
  free(m);
}
