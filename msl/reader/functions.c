/*
** functions.c - function signatures, kernels' above all.
**
** A kernel's parameters get annotations for the properties that C++ does not
** keep: the address space, whether pointer or reference, and MSL's attributes
** with their arguments evaluated by Clang (an index may be an enumerator or an
** expression).
*/
#include <stdlib.h>
#include <string.h>

#include "msl/reader/attributes.h"
#include "msl/reader/parts.h"

static bool is_attribute_word(const mt_Lex *lex, uint32_t i) {
  return mt_lex_is(lex, i, "alignas") || mt_lex_is(lex, i, "decltype") ||
         mt_lex_is(lex, i, "__attribute__") || mt_lex_is(lex, i, "__declspec");
}

/* [[kernel]], also in a list with others */
static bool attribute_has(const mt_Lex *lex, uint32_t i, uint32_t end,
                          const char *word) {
  for (uint32_t k = i + 2; k < end; k++)
    if (mt_lex_is(lex, k, word)) return true;
  return false;
}

bool mt_read_header(mt_Reader *r, uint32_t first, uint32_t end,
                    mt_FunctionHeader *h) {
  const mt_Lex *lex = r->lex;
  memset(h, 0, sizeof *h);
  h->first = mt_read_skip_template(lex, first);
  h->is_template = h->first != first;
  for (uint32_t i = h->first, close; i < end; i++) {
    if (mt_read_attribute_at(lex, i, &close)) {
      if (attribute_has(lex, i, close, "kernel")) h->kernel = true;
      i = close;
    } else if (is_attribute_word(lex, i) && mt_lex_is(lex, i + 1, "(") &&
               lex->tokens[i + 1].match)
      i = lex->tokens[i + 1].match;
    else if (mt_lex_is(lex, i, "kernel") || mt_lex_is(lex, i, "__kernel"))
      h->kernel = true;
    else if (mt_lex_is(lex, i, "operator")) {
      h->name = i;
      if (mt_lex_is(lex, i + 1, "(")) i += 2; /* operator() */
      while (i + 1 < end && !mt_lex_is(lex, i + 1, "(")) i++;
    } else if (mt_lex_is(lex, i, "=") || mt_lex_is(lex, i, "typedef") ||
               mt_lex_is(lex, i, "using"))
      return false;
    else if (mt_lex_is(lex, i, "<")) {
      close = mt_read_angle(lex, i);
      if (close) i = close;
    } else if (mt_lex_is(lex, i, "(")) {
      if (i == h->first || lex->tokens[i].match == 0 ||
          lex->tokens[i].match >= end)
        return false;
      h->open = i;
      h->close = lex->tokens[i].match;
      if (h->name == 0) h->name = i - 1;
      return true;
    }
  }
  return false;
}

/* --------------------------------------------------------------- parameters */

uint32_t mt_read_parameter_end(const mt_Lex *lex, uint32_t i, uint32_t close) {
  for (; i < close; i++) {
    if (mt_lex_is(lex, i, ",")) return i;
    if (lex->tokens[i].match > i)
      i = lex->tokens[i].match;
    else if (mt_lex_is(lex, i, "<")) {
      uint32_t angle = mt_read_angle(lex, i);
      if (angle) i = angle;
    }
  }
  return close;
}

mt_ReadParameter mt_read_parameter(const mt_Lex *lex, uint32_t first,
                                   uint32_t end) {
  mt_ReadParameter p = {first, end, 0, 0, 0, false, false};
  uint32_t names = 0;
  for (uint32_t i = first, close; i < end; i++) {
    if ((close = mt_read_group_end(lex, i)) != 0) {
      if (mt_lex_is(lex, i, "decltype") || mt_lex_is(lex, i, "typeof")) names++;
      i = close;
      continue;
    }
    if (mt_lex_is(lex, i, "=")) break;
    if (mt_read_is_space(lex, i)) {
      if (p.space == 0) p.space = i;
      if (mt_lex_is(lex, i, "constant") && !p.star) p.constant = true;
    } else if (mt_lex_is(lex, i, "const")) {
      if (!p.star) p.constant = true;
    } else if (mt_lex_is_star(lex, i)) {
      if (!p.star) p.star = i;
    } else if (mt_lex_is(lex, i, "<")) {
      close = mt_read_angle(lex, i);
      if (close) i = close;
    } else if (mt_lex_is(lex, i, "(") && mt_lex_is_star(lex, i + 1) &&
               lex->tokens[i].match) {
      if (!p.star) p.star = i + 1; /* float (&x)[16]: the name is inside */
      for (close = lex->tokens[i].match; ++i < close;)
        if (lex->tokens[i].kind == MT_TOKEN_NAME && !mt_lex_is(lex, i, "const"))
          p.name = i;
    } else if (mt_lex_is(lex, i, "[") || mt_lex_is(lex, i, "(")) {
      if (mt_lex_is(lex, i, "[")) p.array = true;
      if (lex->tokens[i].match) i = lex->tokens[i].match;
    } else if (lex->tokens[i].kind == MT_TOKEN_NAME &&
               !mt_lex_is(lex, i, "volatile") &&
               !mt_lex_is(lex, i, "unsigned") && !mt_lex_is(lex, i, "signed") &&
               !mt_lex_is(lex, i, "struct") && !mt_lex_is(lex, i, "restrict") &&
               !mt_lex_is(lex, i, "__restrict") &&
               !mt_lex_is(lex, i, "typename")) {
      bool part = i > first + 1 && mt_lex_is(lex, i - 1, "::"); /* ::uint i */
      if (!part) names++;
      if (names > 1 || p.star ||
          (i > first && mt_lex_is(lex, i - 1, "unsigned")))
        p.name = i;
    }
  }
  return p;
}

/* ------------------------------------------------------------------ kernels */

static const char *quoted(mt_Lex *lex, const char *s) {
  size_t n = strlen(s);
  mt_Str out = MT_STR_INIT;
  for (size_t i = 0; i < n; i++) {
    if (s[i] == '"' || s[i] == '\\') mt_str_add_char(&out, '\\');
    mt_str_add_char(&out, s[i]);
  }
  const char *kept = mt_lex_format(lex, "%s", mt_str_text(&out));
  mt_str_free(&out);
  return kept;
}

/* One attribute of a list: name(arguments). Returns the token after it. */
static uint32_t one_attribute(mt_Lex *lex, uint32_t i, uint32_t close,
                              const char **name, const char **args) {
  *name = mt_lex_text(lex, i, i + 1);
  *args = NULL;
  uint32_t k = i + 1;
  if (mt_lex_is(lex, k, "(") && lex->tokens[k].match) {
    *args = mt_lex_text(lex, k + 1, lex->tokens[k].match);
    k = lex->tokens[k].match + 1;
  }
  while (k < close && !mt_lex_is(lex, k, ",")) k++;
  return k + 1;
}

/* GNU's syntax is allowed in most places; before array bounds and before [[…]]
** only C++'s is. */
static const char *const gnu_form[2] = {" __attribute__((annotate(", "))) "};
static const char *const std_form[2] = {" [[clang::annotate(", ")]] "};

/* Append an annotation to 'to' for each attribute between two tokens. */
static unsigned annotate(mt_Reader *r, uint32_t a, uint32_t b, const char *head,
                         const char *const form[2], mt_Str *to) {
  mt_Lex *lex = r->lex;
  unsigned count = 0;
  for (uint32_t i = a, close; i < b; i++) {
    if (!mt_read_attribute_at(lex, i, &close)) continue;
    for (uint32_t k = i + 2; k < close - 1;) {
      const char *name, *args;
      k = one_attribute(lex, k, close - 1, &name, &args);
      if (strcmp(name, "kernel") == 0 || !mt_attribute_known(name)) continue;
      bool number = args && mt_attribute_takes_number(name);
      if (!args && !r->spaces &&
          (strcmp(name, "buffer") == 0 || strcmp(name, "texture") == 0 ||
           strcmp(name, "sampler") == 0))
        mt_read_problem(r, i + 2,
                        "Give it an index, as in [[buffer(0)]]; without the "
                        "attribute it takes the next free one.",
                        "'%s' attribute takes one argument", name);
      const char *text = args && !number ? mt_lex_format(lex, "%s(%s)", name,
                                                         quoted(lex, args))
                                         : name;
      mt_str_addf(to, "%s\"%s|%s\"", form[0], head, text);
      if (number) mt_str_addf(to, ", (int)(%s)", args);
      mt_str_add(to, form[1]);
      count++;
    }
    i = close;
  }
  return count;
}

/* The last token before the attributes and the default argument. */
static uint32_t type_end(const mt_Lex *lex, const mt_ReadParameter *p) {
  uint32_t where = p->first;
  for (uint32_t i = p->first, close; i < p->end; i++) {
    if (mt_read_attribute_at(lex, i, &close) ||
        mt_lex_is(lex, i, "__attribute__") || mt_lex_is(lex, i, "="))
      break;
    where = i;
  }
  return where;
}

static void annotate_parameter(mt_Reader *r, const mt_ReadParameter *p,
                               const mt_ReadParam *d) {
  mt_Lex *lex = r->lex;
  mt_Str text = MT_STR_INIT;
  uint32_t where = p->name ? p->name : type_end(lex, p), list;
  const char *head =
      mt_lex_format(lex, "param|%s|%s|%s|%u|%s", d->space, d->form,
                    d->constant ? "const" : "", d->at, d->name);
  /* (where nothing stands between two commas there is nothing to name) */
  if (p->name == 0 && p->first < p->end) mt_str_addf(&text, " %s", d->name);
  bool inside =
      p->array && p->name &&
      (mt_lex_is(lex, p->name + 1, "[") || mt_lex_is(lex, p->name + 1, ")"));
  const char *const *how = inside || mt_read_attribute_at(lex, where + 1, &list)
                               ? std_form
                               : gnu_form;
  if (annotate(r, p->first, p->end, head, how, &text) == 0)
    mt_str_addf(&text, "%s\"%s|\"%s", how[0], head, how[1]);
  mt_lex_behind(lex, where, mt_lex_format(lex, "%s", mt_str_text(&text)));
  mt_str_free(&text);
}

static void check_result(mt_Reader *r, const mt_FunctionHeader *h) {
  const mt_Lex *lex = r->lex;
  for (uint32_t i = h->first, close; i < h->name; i++) {
    if (mt_read_attribute_at(lex, i, &close))
      i = close;
    else if (mt_lex_is(lex, i, "void")) {
      if (!mt_lex_is(lex, i + 1, "*")) return;
    } else if (lex->tokens[i].kind == MT_TOKEN_NAME &&
               !mt_lex_is(lex, i, "kernel") && !mt_lex_is(lex, i, "__kernel") &&
               !mt_lex_is(lex, i, "static") && !mt_lex_is(lex, i, "inline") &&
               !mt_lex_is(lex, i, "extern") &&
               !mt_lex_is(lex, i, "constexpr")) {
      if (is_attribute_word(lex, i)) {
        i = lex->tokens[i + 1].match > i ? lex->tokens[i + 1].match : i;
        continue;
      }
      mt_read_problem(
          r, i,
          "A kernel writes its results to a device buffer and returns void.",
          "kernel function '%s' must have void return type",
          mt_lex_text(r->lex, h->name, h->name + 1));
      return;
    }
  }
}

/* The enclosing namespaces, as "a::b::". */
const char *mt_read_qualified(mt_Reader *r, uint32_t name) {
  mt_Str path = MT_STR_INIT;
  for (uint32_t d = 0; d < r->depth; d++) {
    uint32_t open = r->levels[d].open;
    if (r->levels[d].scope == MT_LEVEL_SPACE && open > 1 &&
        mt_lex_is(r->lex, open - 2, "namespace"))
      mt_str_addf(&path, "%s::", mt_lex_text(r->lex, open - 1, open));
  }
  const char *s = mt_lex_format(r->lex, "%s%s", mt_str_text(&path),
                                mt_lex_text(r->lex, name, name + 1));
  mt_str_free(&path);
  return s;
}

/* What opens the namespaces around a declaration: "namespace a { "; NULL: it is
** in something else. */
static const char *spaces_around(mt_Reader *r) {
  mt_Str text = MT_STR_INIT;
  bool all = true;
  for (uint32_t d = 0; d < r->depth; d++) {
    const mt_Level *level = &r->levels[d];
    all = all && level->scope == MT_LEVEL_SPACE;
    mt_str_addf(&text, "%s ",
                mt_lex_text(r->lex, level->start, level->open + 1));
  }
  const char *s = mt_lex_format(r->lex, "%s", mt_str_text(&text));
  mt_str_free(&text);
  return all ? s : NULL;
}

/* [[…]] must stand before the word kernel: after it, or after the parameters,
** it would apply to a type. */
static void check_attributes(mt_Reader *r, const mt_FunctionHeader *h,
                             uint32_t end) {
  static const char help[] = "Write it before the word kernel.";
  mt_Lex *lex = r->lex;
  for (uint32_t i = h->first, close; i < h->open; i++)
    if ((mt_lex_is(lex, i, "kernel") || mt_lex_is(lex, i, "__kernel")) &&
        mt_read_attribute_at(lex, i + 1, &close))
      mt_read_problem(r, i + 1, help, "an attribute list cannot appear here");
    else if (mt_read_attribute_at(lex, i, &close))
      i = close;
  for (uint32_t i = h->close, close; i < end; i++) {
    if (!mt_read_attribute_at(lex, i, &close)) continue;
    const char *name = mt_lex_text(lex, i + 2, i + 3);
    if (mt_attribute_known(name))
      mt_read_problem(r, i + 2, help,
                      "'%s' attribute cannot be applied to types", name);
    i = close;
  }
}

void mt_read_kernel(mt_Reader *r, const mt_FunctionHeader *h, uint32_t end) {
  mt_Lex *lex = r->lex;
  check_result(r, h);
  check_attributes(r, h, end);
  if (!mt_lex_is(lex, end, "{")) { /* the definition is annotated */
    mt_read_declare_builtins(r, h);
    return;
  }
  uint32_t where = h->first;
  for (uint32_t i = h->first, close; i < h->open; i++) {
    if (mt_lex_is(lex, i, "kernel") || mt_lex_is(lex, i, "__kernel")) where = i;
    if (mt_read_attribute_at(lex, i, &close)) i = close;
  }
  mt_Str text = MT_STR_INIT;
  const char *head = mt_lex_format(lex, "kernel|%u|%s", lex->tokens[h->name].at,
                                   mt_read_qualified(r, h->name));
  mt_str_addf(&text, " __attribute__((annotate(\"%s|\"))) ", head);
  annotate(r, h->first, h->open, head, gnu_form, &text);
  annotate(r, h->close, end, head, gnu_form, &text);
  mt_lex_before(lex, where, mt_lex_format(lex, "%s", mt_str_text(&text)));
  mt_str_free(&text);
  mt_ReadKernel *k =
      mt_read_add_kernel(r, h->name, mt_read_qualified(r, h->name));
  if (k) {
    k->host = mt_read_host_name(r, h->first, h->open);
    k->head = mt_lex_text(lex, r->start, h->first);
    k->doubt = mt_read_is_doubtful(lex, r->start, h->open);
    k->first = where;
    k->end = end;
    k->start = r->start;
    k->called = h->name;
    k->spaces = spaces_around(r);
    k->depth = r->depth;
  }
  unsigned number = 0;
  for (uint32_t i = h->open + 1; i < h->close; number++) {
    uint32_t stop = mt_read_parameter_end(lex, i, h->close);
    mt_ReadParameter p = mt_read_parameter(lex, i, stop);
    mt_ReadParam d = mt_read_describe(r, &p, number);
    if (!(stop == i + 1 && mt_lex_is(lex, i, "void"))) {
      annotate_parameter(r, &p, &d);
      if (k) mt_read_add_param(r, k, d);
    }
    i = stop + 1;
  }
  mt_read_take_builtins(r, h, end, k);
}

/* template [[host_name("f")]] [[kernel]] void f<float>(…); */
void mt_read_instantiation(mt_Reader *r, uint32_t first, uint32_t end) {
  mt_Str text = MT_STR_INIT;
  mt_read_add_instance(r, first, end);
  if (annotate(r, first, end, "host", gnu_form, &text)) {
    mt_lex_behind(r->lex, first,
                  mt_lex_format(r->lex, "%s", mt_str_text(&text)));
    mt_read_list_builtins(r, end);
  }
  mt_str_free(&text);
}

/* ------------------------------------------- pointers without address space */

void mt_read_pointers(mt_Reader *r, const mt_FunctionHeader *h) {
  mt_Lex *lex = r->lex;
  bool in_class = r->depth && r->levels[r->depth - 1].scope == MT_LEVEL_CLASS;
  if (h->is_template || in_class ||
      (r->depth && r->levels[r->depth - 1].dependent))
    return;
  for (uint32_t i = h->open + 1; i < h->close;) {
    uint32_t stop = mt_read_parameter_end(lex, i, h->close);
    mt_ReadParameter p = mt_read_parameter(lex, i, stop);
    bool call = false, own = false;
    for (uint32_t k = i, close; k < stop; k++) {
      /* [[buffer(1)]] is not a call */
      if (mt_read_attribute_at(lex, k, &close)) {
        k = close;
        continue;
      }
      call = call || mt_lex_is(lex, k, "(") || mt_lex_is(lex, k, "auto") ||
             mt_lex_is(lex, k, "...");
      own = own || mt_lex_is(lex, k, "ray_data");
    }
    if (p.star && mt_read_space_of(r, &p)[0] == '\0' && !call && !own &&
        !mt_lex_is(lex, h->name, "operator")) {
      bool pointer = mt_lex_is(lex, p.star, "*");
      mt_read_problem(r, p.star,
                      h->kernel
                          ? "Write device for a buffer, constant for small "
                            "read-only data, or "
                            "threadgroup for memory that a threadgroup shares."
                          : "Write thread for a local variable's address, or "
                            "device, constant or "
                            "threadgroup for memory of that kind.",
                      "%s type must have explicit address space qualifier",
                      pointer ? "pointer" : "reference");
    }
    i = stop + 1;
  }
}
