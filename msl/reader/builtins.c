/*
** builtins.c - a thread's position as a program-scope variable:
**
**   uint2 gid [[thread_position_in_grid]];
**
** which every function may read. The one idea: each kernel takes the value as
** one more parameter and stores it into the variable on entry; mt_pass_builtins
** then replaces the variable by a local one in each kernel, so that threads do
** not share it. A function that calls a kernel passes its own on: the
** variable is the parameter's default.
*/
#include <stdlib.h>
#include <string.h>

#include "msl/reader/attributes.h"
#include "msl/reader/parts.h"

#define MOST_BUILTINS 64

static mt_BuiltinVariable *more(mt_Reader *r) {
  if (r->builtin_count == r->builtin_room) {
    uint32_t room = r->builtin_room ? r->builtin_room * 2 : 8;
    mt_BuiltinVariable *grown = realloc(r->builtins, room * sizeof *grown);
    if (grown == NULL) {
      r->failed = true;
      return NULL;
    }
    r->builtins = grown;
    r->builtin_room = room;
  }
  return &r->builtins[r->builtin_count++];
}

bool mt_read_builtin(mt_Reader *r, uint32_t name, uint32_t end) {
  mt_Lex *lex = r->lex;
  uint32_t close, first = r->start;
  if (!mt_read_attribute_at(lex, name + 1, &close) || close + 1 != end ||
      close != name + 5)
    return false;
  const char *attribute = mt_lex_text(lex, name + 3, name + 4);
  mt_AttributeKind kind = mt_attribute_kind(attribute);
  if (kind != MT_ATTR_POSITION && kind != MT_ATTR_SCALAR) return false;
  while (mt_lex_is(lex, first, "static") || mt_lex_is(lex, first, "thread") ||
         mt_lex_is(lex, first, "const")) {
    mt_lex_blank(lex, first); /* the kernel stores into it */
    first++;
  }
  if (r->builtin_count >= MOST_BUILTINS) { /* every kernel takes them all */
    mt_read_problem(
        r, name, NULL,
        "more than %d variables of the program with a thread's place",
        MOST_BUILTINS);
    return true;
  }
  mt_BuiltinVariable *b = more(r);
  if (b == NULL) return true;
  *b = (mt_BuiltinVariable){
      mt_lex_text(lex, first, name), mt_lex_text(lex, name, name + 1),
      mt_read_qualified(r, name), attribute, lex->tokens[name].at};
  mt_lex_before(lex, first, "__attribute__((section(\".msl.builtin\"))) ");
  return true;
}

/* How the built-ins are appended to a parameter list: as types, ", uint2";
** parameters; with their defaults. */
typedef enum Form { TYPES, DEFAULTS, PARAMETERS, PARAMETERS_AND_DEFAULTS } Form;

static void append(mt_Reader *r, uint32_t open, uint32_t close, Form form) {
  mt_Str text = MT_STR_INIT;
  bool none = open + 1 == close ||
              (open + 2 == close && mt_lex_is(r->lex, open + 1, "void"));
  if (none && open + 2 == close) mt_lex_blank(r->lex, open + 1);
  for (uint32_t i = 0; i < r->builtin_count; i++) {
    const mt_BuiltinVariable *b = &r->builtins[i];
    mt_str_addf(&text, "%s%s", none && i == 0 ? "" : ", ", b->type);
    if (form >= PARAMETERS)
      mt_str_addf(&text,
                  " " MT_BUILTIN_PREFIX
                  "%s "
                  "__attribute__((annotate(\"param|global|value|const|%"
                  "u|" MT_BUILTIN_PREFIX "%s|%s\")))",
                  b->name, b->at, b->name, b->attribute);
    if (form == DEFAULTS || form == PARAMETERS_AND_DEFAULTS)
      mt_str_addf(&text, " = ::%s", b->path);
  }
  if (text.length)
    mt_lex_before(r->lex, close,
                  mt_lex_format(r->lex, "%s", mt_str_text(&text)));
  mt_str_free(&text);
}

/* Was a kernel of that name declared before? It has the defaults, then. */
static bool was_declared(const mt_Reader *r, const char *name) {
  for (uint32_t i = 0; i < r->declared_count; i++)
    if (strcmp(r->declared[i], name) == 0) return true;
  return false;
}

void mt_read_declare_builtins(mt_Reader *r, const mt_FunctionHeader *h) {
  const char *name = mt_read_qualified(r, h->name);
  if (r->builtin_count == 0) return;
  append(r, h->open, h->close, was_declared(r, name) ? TYPES : DEFAULTS);
  const char **grown =
      realloc(r->declared, (r->declared_count + 1) * sizeof *grown);
  if (grown == NULL) {
    r->failed = true;
    return;
  }
  r->declared = grown;
  r->declared[r->declared_count++] = name;
}

void mt_read_take_builtins(mt_Reader *r, const mt_FunctionHeader *h,
                           uint32_t brace, mt_ReadKernel *k) {
  append(r, h->open, h->close,
         was_declared(r, mt_read_qualified(r, h->name))
             ? PARAMETERS
             : PARAMETERS_AND_DEFAULTS);
  for (uint32_t i = 0; k && i < r->builtin_count; i++)
    mt_read_add_param(r, k,
                      (mt_ReadParam){.name = r->builtins[i].name,
                                     .space = "global",
                                     .form = "value",
                                     .bounds = "",
                                     .type = r->builtins[i].type,
                                     .attribute = r->builtins[i].attribute,
                                     .at = r->builtins[i].at,
                                     .named = true,
                                     .constant = true});
  for (uint32_t i = 0; i < r->builtin_count; i++)
    mt_lex_behind(r->lex, brace,
                  mt_lex_format(r->lex, " ::%s = " MT_BUILTIN_PREFIX "%s;",
                                r->builtins[i].path, r->builtins[i].name));
}

void mt_read_list_builtins(mt_Reader *r, uint32_t end) {
  uint32_t close = end - 1, open = mt_lex_is(r->lex, close, ")")
                                       ? r->lex->tokens[close].match
                                       : 0;
  if (open && (mt_lex_is(r->lex, open - 1, ">") ||
               r->lex->tokens[open - 1].kind == MT_TOKEN_NAME))
    append(r, open, close, TYPES);
}
