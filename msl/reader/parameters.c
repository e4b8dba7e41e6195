/*
** parameters.c - kernels and their parameters as data.
**
** The information in the annotations is kept here in a list as well: where
** another compiler compiles the source, it is the only record of the order of
** the parameters.
*/
#include <stdlib.h>
#include <string.h>

#include "msl/reader/attributes.h"
#include "msl/reader/macros.h"
#include "msl/reader/parts.h"

const char *mt_read_space_of(mt_Reader *r, const mt_ReadParameter *p) {
  if (p->space) return mt_lex_text(r->lex, p->space, p->space + 1);
  for (uint32_t i = p->first; i < p->end && i != p->star && i != p->name; i++)
    if (mt_read_alias(r, i)) return mt_read_alias(r, i);
  return "";
}

/* -------------------------------------------------------------------- types */

static bool is_qualifier(const mt_Lex *lex, uint32_t i) {
  static const char *const words[] = {"const",    "volatile", "__restrict",
                                      "restrict", "struct",   "typename",
                                      "coherent"};
  for (size_t k = 0; k < sizeof words / sizeof words[0]; k++)
    if (mt_lex_is(lex, i, words[k])) return true;
  return mt_read_is_space(lex, i);
}

/* Append token 'i' to the text of a type. */
static void add_word(const mt_Lex *lex, uint32_t i, mt_Str *out) {
  const mt_Token *t = &lex->tokens[i];
  char last = out->length ? out->text[out->length - 1] : ' ';
  bool word = t->kind == MT_TOKEN_NAME || t->kind == MT_TOKEN_NUMBER;
  bool after_word = (last >= 'a' && last <= 'z') ||
                    (last >= 'A' && last <= 'Z') ||
                    (last >= '0' && last <= '9') || last == '_';
  if (word && after_word) mt_str_add_char(out, ' ');
  mt_str_add_bytes(out, lex->text + t->at, t->length);
}

/* The text of a type, and the bounds of an array; false: the reader cannot
** determine it. */
static bool read_type(mt_Reader *r, const mt_ReadParameter *p, mt_Str *type,
                      mt_Str *bounds) {
  const mt_Lex *lex = r->lex;
  unsigned stars = 0;
  for (uint32_t i = p->first, close; i < p->end; i++) {
    if (mt_lex_is(lex, i, "decltype") || mt_lex_is(lex, i, "typeof"))
      return false;
    if ((close = mt_read_group_end(lex, i)) != 0) {
      i = close;
      continue;
    }
    if (mt_lex_is(lex, i, "=")) break;
    if (mt_lex_is(lex, i, "<") && (close = mt_read_angle(lex, i)) != 0) {
      for (; i < close; i++) add_word(lex, i, type);
      add_word(lex, close, type);
    } else if (mt_lex_is(lex, i, "[") && lex->tokens[i].match) {
      for (close = lex->tokens[i].match; i <= close; i++)
        add_word(lex, i, bounds);
      i = close;
    } else if (mt_lex_is(lex, i, "*") || mt_lex_is(lex, i, "&") ||
               mt_lex_is(lex, i, "&&"))
      stars++;
    else if (i == p->name || is_qualifier(lex, i) || mt_lex_is(lex, i, "(") ||
             mt_lex_is(lex, i, ")"))
      continue;
    else
      add_word(lex, i, type);
  }
  return stars < 2;
}

/* --------------------------------------------------------------- attributes */

typedef struct Entry { /* of an attribute list: name(arguments) */
  const char *name, *args;
} Entry;

/* Calls 'take' for each attribute between two tokens. */
static void each_attribute(mt_Lex *lex, uint32_t a, uint32_t b,
                           void (*take)(void *to, Entry e), void *to) {
  for (uint32_t i = a, close; i < b; i++) {
    if (!mt_read_attribute_at(lex, i, &close)) continue;
    for (uint32_t k = i + 2, end; k < close - 1; k = end + 1) {
      end = mt_read_entry_end(lex, k, close - 1);
      Entry e = {mt_lex_text(lex, k, k + 1), NULL};
      if (mt_lex_is(lex, k + 1, "(") && lex->tokens[k + 1].match)
        e.args = mt_lex_text(lex, k + 2, lex->tokens[k + 1].match);
      take(to, e);
    }
    i = close;
  }
}

static void take_parameter(void *to, Entry e) {
  mt_ReadParam *p = to;
  if (strcmp(e.name, "function_constant") == 0) p->conditional = true;
  else if (p->attribute[0] == '\0' && mt_attribute_known(e.name))
    p->attribute = e.name, p->index = e.args;
}

static void take_host(void *to, Entry e) {
  if (strcmp(e.name, "host_name") == 0) *(const char **)to = e.args;
}

/* "scale_" "float" -> scale_float */
const char *mt_read_host_name(mt_Reader *r, uint32_t a, uint32_t b) {
  const char *args = NULL;
  each_attribute(r->lex, a, b, take_host, &args);
  if (args == NULL) return NULL;
  mt_Str name = MT_STR_INIT;
  bool inside = false;
  for (const char *s = args; *s; s++) {
    if (*s == '"') inside = !inside;
    else if (inside) mt_str_add_char(&name, *s);
  }
  const char *kept = mt_lex_format(r->lex, "%s", mt_str_text(&name));
  mt_str_free(&name);
  return kept;
}

/* --------------------------------------------------------------- the lists */

bool mt_read_is_doubtful(const mt_Lex *lex, uint32_t a, uint32_t b) {
  while (a < b && !mt_lex_is(lex, a, MT_DOUBT)) a++;
  return a < b;
}

mt_ReadParam mt_read_describe(mt_Reader *r, const mt_ReadParameter *p,
                              unsigned number) {
  mt_Lex *lex = r->lex;
  mt_Str type = MT_STR_INIT, bounds = MT_STR_INIT;
  bool plain = read_type(r, p, &type, &bounds);
  mt_ReadParam d = {.attribute = "", .named = p->name != 0};
  d.space = mt_read_space_of(r, p);
  d.form = !p->star                       ? (p->array ? "pointer" : "value")
           : mt_lex_is(lex, p->star, "*") ? "pointer"
                                          : "reference";
  d.name = p->name ? mt_lex_text(lex, p->name, p->name + 1)
                   : mt_lex_format(lex, "argument%u", number);
  d.at = lex->tokens[p->name ? p->name : p->first].at;
  d.constant = p->constant || strcmp(d.space, "constant") == 0;
  d.type = mt_lex_format(lex, "%s", plain ? mt_str_text(&type) : "");
  d.bounds = mt_lex_format(lex, "%s", mt_str_text(&bounds));
  each_attribute(lex, p->first, p->end, take_parameter, &d);
  d.doubt = mt_read_is_doubtful(lex, p->first, p->end);
  mt_str_free(&type);
  mt_str_free(&bounds);
  return d;
}

mt_ReadKernel *mt_read_add_kernel(mt_Reader *r, uint32_t at, const char *name) {
  mt_Reading *out = r->out;
  if (out->kernel_count == out->kernel_room) {
    uint32_t room = out->kernel_room ? out->kernel_room * 2 : 8;
    mt_ReadKernel *grown = realloc(out->kernels, room * sizeof *grown);
    if (grown == NULL) return r->failed = true, NULL;
    out->kernels = grown;
    out->kernel_room = room;
  }
  mt_ReadKernel *k = &out->kernels[out->kernel_count++];
  *k = (mt_ReadKernel){
      .name = name, .head = "", .args = "", .at = r->lex->tokens[at].at};
  return k;
}

void mt_read_add_param(mt_Reader *r, mt_ReadKernel *k, mt_ReadParam param) {
  if (k->count == k->room) {
    uint32_t room = k->room ? k->room * 2 : 8;
    mt_ReadParam *grown = realloc(k->params, room * sizeof *grown);
    if (grown == NULL) {
      r->failed = true;
      return;
    }
    k->params = grown;
    k->room = room;
  }
  k->params[k->count++] = param;
}

/* "<float, 4>" where one begins at token 'open'; else "". */
static const char *template_arguments(mt_Lex *lex, uint32_t open) {
  uint32_t close = mt_lex_is(lex, open, "<") ? mt_read_angle(lex, open) : 0;
  return close ? mt_lex_text(lex, open, close + 1) : "";
}

/* template [[host_name("x")]] [[kernel]] void a::f<float>(…); or
** decltype(f<float>) f<float>; */
void mt_read_add_instance(mt_Reader *r, uint32_t first, uint32_t end) {
  mt_Lex *lex = r->lex;
  uint32_t name = 0;
  bool kernel = false;
  for (uint32_t i = first + 1, close;
       i < end && !mt_lex_is(lex, i, "(") && !mt_lex_is(lex, i, "<"); i++) {
    kernel =
        kernel || mt_lex_is(lex, i, "kernel") || mt_lex_is(lex, i, "__kernel");
    if ((close = mt_read_group_end(lex, i)) != 0) {
      for (; i < close; i++) kernel = kernel || mt_lex_is(lex, i, "kernel");
      continue;
    }
    if (lex->tokens[i].kind == MT_TOKEN_NAME) name = i;
  }
  const char *host = mt_read_host_name(r, first, end);
  if (name == 0 || (!kernel && host == NULL)) return;
  uint32_t from = name;
  while (from > first + 1 && mt_lex_is(lex, from - 1, "::")) from -= 2;
  mt_Str path = MT_STR_INIT;
  for (uint32_t i = from; i < name; i++) add_word(lex, i, &path);
  const char *own = mt_read_qualified(r, name),
             *word = mt_lex_text(lex, name, name + 1);
  const char *full =
      path.length
          ? mt_lex_format(lex, "%.*s%s%s", (int)(strlen(own) - strlen(word)),
                          own, mt_str_text(&path), word)
          : own;
  mt_str_free(&path);
  mt_ReadKernel *k = mt_read_add_kernel(r, name, full);
  if (k == NULL) return;
  k->instance = true;
  k->host = host;
  k->args = template_arguments(lex, name + 1);
  k->doubt = mt_read_is_doubtful(lex, first, end);
  k->first = first;
  k->end = end;
}
