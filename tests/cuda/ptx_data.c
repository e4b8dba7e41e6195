/*
** ptx_data.c - variables of PTX: where each lies, and its initial value.
*/
#include "tests/cuda/ptx_parse.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* .align 4 .b8 name[16], up to the name's end; the size in v->size */
static void declarator(Parse *p, Variable *v) {
  v->vec = 1;
  while (p->x.token == TK_DIRECTIVE) {
    if (lex_is(&p->x, ".align")) {
      advance(p);
      v->align = (uint32_t)p->x.value;
      if (v->align == 0 || (v->align & (v->align - 1)))
        parse_fail(p, "an alignment is a power of two");
    } else if (lex_is(&p->x, ".v2")) {
      v->vec = 2;
    } else if (lex_is(&p->x, ".v4")) {
      v->vec = 4;
    } else if (lex_is(&p->x, ".attribute")) {
      parse_fail(p, "variables with attributes are not known");
    } else if (!type_named(p->x.start + 1, p->x.length - 1, &v->type)) {
      parse_fail(p, "unknown directive '%.*s'", (int)p->x.length, p->x.start);
    }
    advance(p);
  }
  if (v->type == T_NONE || p->x.token != TK_WORD)
    parse_fail(p, "a type and a name are wanted");
  v->element = type_size(v->type);
  if (v->align == 0) v->align = v->element * v->vec;
  v->name = keep_text(p->m, p->x.start, p->x.length);
  v->size = v->element * v->vec;
  advance(p);
  while (at_punct(p, '[')) {
    advance(p);
    if (at_punct(p, ']')) {
      v->size = 0;
    } else {
      v->size *= p->x.value;
      advance(p);
    }
    expect(p, ']');
  }
}

static void store(Parse *p, Variable *v, uint64_t *at, uint64_t value) {
  if (*at + v->element > v->size) parse_fail(p, "too many initial values");
  memcpy(v->bytes + *at, &value, v->element);
  *at += v->element;
}

static void fixup(Parse *p, Variable *v, uint64_t *at, uint64_t mask) {
  Fixup f = {.at = *at, .size = 8, .generic = false};
  for (; mask != 0 && (mask & 0xff) == 0; mask >>= 8) f.shift++;
  if (mask != 0) f.size = v->element;
  if (lex_is(&p->x, "generic")) {
    f.generic = true;
    advance(p);
    expect(p, '(');
    f.symbol = keep_text(p->m, p->x.start, p->x.length);
    advance(p);
    expect(p, ')');
  } else {
    f.symbol = keep_text(p->m, p->x.start, p->x.length);
    advance(p);
  }
  while (at_punct(p, '+') || at_punct(p, '-')) {
    bool minus = at_punct(p, '-');
    advance(p);
    if (at_punct(p, '-')) minus = !minus, advance(p);
    f.add += minus ? -(int64_t)p->x.value : (int64_t)p->x.value;
    advance(p);
  }
  if (*at + v->element > v->size || (mask == 0 && v->element != 8))
    parse_fail(p, "an address does not fit here");
  Fixup *more = keep(p->m, (v->fixup_count + 1) * sizeof *more);
  if (v->fixup_count) memcpy(more, v->fixups, v->fixup_count * sizeof *more);
  more[v->fixup_count++] = f;
  v->fixups = more;
  *at += v->element;
}

static void values(Parse *p, Variable *v, uint64_t *at) {
  if (at_punct(p, '{')) {
    advance(p);
    while (!at_punct(p, '}')) {
      values(p, v, at);
      if (!at_punct(p, ',')) break;
      advance(p);
    }
    expect(p, '}');
    return;
  }
  if (p->x.token == TK_WORD) {
    fixup(p, v, at, 0);
    return;
  }
  bool minus = at_punct(p, '-');
  if (minus) advance(p);
  uint64_t n = p->x.value;
  Token t = p->x.token;
  if (t != TK_INT && t != TK_F32 && t != TK_F64)
    parse_fail(p, "an initial value is wanted");
  advance(p);
  if (t == TK_INT && at_punct(p, '(')) { /* 0xFF00(name) */
    advance(p);
    fixup(p, v, at, n);
    expect(p, ')');
    return;
  }
  if (minus && t == TK_INT) n = -n;
  if (minus && t == TK_F32) n ^= 0x80000000u;
  if (minus && t == TK_F64) n ^= (uint64_t)1 << 63;
  store(p, v, at, n);
}

static void place(Parse *p, Variable *v) {
  Module *m = p->m;
  switch (v->space) {
    case SP_SHARED:
      if (v->external) {
        v->address = m->dynamic_address;
        break;
      }
      p->shared_end = align_up(p->shared_end, v->align);
      v->address = p->shared_end;
      p->shared_end += v->size;
      break;
    case SP_LOCAL:
    case SP_FRAME:
      p->f->frame_size = (uint32_t)align_up(p->f->frame_size, v->align);
      v->address = p->f->frame_size;
      p->f->frame_size += (uint32_t)v->size;
      break;
    default:
      m->global_size = align_up(m->global_size, v->align < 16 ? 16 : v->align);
      v->address = m->global + m->global_size;
      m->global_size += v->size;
  }
}

void parse_variable(Parse *p, Space space, bool external) {
  Variable *v = keep(p->m, sizeof *v);
  v->space = space;
  v->external = external;
  declarator(p, v);
  if (v->size == 0 && !(external && space == SP_SHARED))
    parse_fail(p, "'%s' has no size", v->name);
  if (external && space != SP_SHARED)
    parse_fail(p, "'%s' is extern and nowhere defined", v->name);
  if (at_punct(p, '=')) {
    if (space != SP_GLOBAL && space != SP_CONST)
      parse_fail(p, "only .global and .const have initial values");
    advance(p);
    uint64_t at = 0;
    v->bytes = keep(p->m, v->size);
    values(p, v, &at);
  }
  expect(p, ';');
  place(p, v);
  add_symbol(p, &(Symbol){.name = v->name,
                          .length = (uint32_t)strlen(v->name),
                          .kind = S_VARIABLE,
                          .variable = v});
  if (space == SP_GLOBAL || space == SP_CONST) {
    Module *m = p->m;
    m->variables =
        realloc(m->variables, (m->variable_count + 1) * sizeof *m->variables);
    m->variables[m->variable_count++] = *v;
  }
}

/* Variables of functions come after the code that uses dynamic memory, so
** the declarations are read once before. */
void measure_shared(Parse *p) {
  uint64_t end = SHARED_BASE, dynamic_align = 16;
  while (lex_next(&p->x) != TK_END) {
    if (p->x.token != TK_DIRECTIVE || !lex_is(&p->x, ".shared")) continue;
    const char *s = p->x.line_start;
    while (*s == ' ' || *s == '\t') s++;
    bool external = strncmp(s, ".extern", 7) == 0;
    if (s != p->x.start && *s != '.') continue; /* ld.shared */
    if (strncmp(s, ".param", 6) == 0) continue;
    Variable v = {.space = SP_SHARED};
    advance(p);
    declarator(p, &v);
    if (external) {
      if (v.align > dynamic_align) dynamic_align = v.align;
    } else {
      end = align_up(end, v.align) + v.size;
    }
  }
  p->m->dynamic_address = align_up(end, dynamic_align);
}

static bool address_of(const Module *m, const Fixup *f, uint64_t *address) {
  for (uint32_t k = 0; k < m->variable_count; k++)
    if (strcmp(m->variables[k].name, f->symbol) == 0) {
      *address = m->variables[k].address + (uint64_t)f->add;
      return true;
    }
  for (uint32_t k = 0; k < m->function_count; k++)
    if (strcmp(m->functions[k]->name, f->symbol) == 0) {
      *address = FUNCTION_BASE + k * FUNCTION_STEP + (uint64_t)f->add;
      return true;
    }
  return false;
}

bool ptx_image(const Module *m, uint8_t *image, char *why, size_t why_size) {
  memset(image, 0, m->global_size);
  for (uint32_t k = 0; k < m->variable_count; k++) {
    const Variable *v = &m->variables[k];
    uint8_t *to = image + (v->address - m->global);
    if (v->bytes != NULL) memcpy(to, v->bytes, v->size);
    for (uint32_t n = 0; n < v->fixup_count; n++) {
      const Fixup *f = &v->fixups[n];
      uint64_t a;
      if (!address_of(m, f, &a)) {
        snprintf(why, why_size,
                 "'%s' has the address of '%s', which is not there", v->name,
                 f->symbol);
        return false;
      }
      a >>= f->shift * 8;
      memcpy(to + f->at, &a, f->size);
    }
  }
  return true;
}
