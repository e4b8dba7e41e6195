/*
** address_spaces.c - address-space errors.
**
** The text that is compiled has flat pointers. A second text, in which device,
** constant and threadgroup are numbered address spaces, goes to another Clang
** that only checks. C++ cannot copy or call methods across address spaces as
** MSL can, so only these of its errors are used: a pointer or reference to one
** space passed to a function or variable of another; and a variable, parameter
** or member whose type implies an address space (by a template argument or a
** typedef). Of its warnings one is used: a literal that becomes a bfloat.
*/
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "msl/clang/clang.h"
#include "msl/module.h"
#include "msl/reader/reader.h"

/* larger ones are libraries with thousands of instances */
#define MAX_TEXT (1u << 20)

struct mt_SpaceCheck {
  mt_MslModule *m;
  mt_Lex lex;
  mt_Str text;
  mt_Child *child;
  size_t given; /* bytes of the text already written to the child */
};

static void check_free(mt_SpaceCheck *c) {
  mt_lex_free(&c->lex);
  mt_str_free(&c->text);
  free(c);
}

/* The '(' that encloses token 'i'; UINT32_MAX: none in its statement. */
static uint32_t paren_around(const mt_Lex *lex, uint32_t i) {
  int depth = 0;
  while (i-- > 0 && !mt_lex_is(lex, i, ";") && !mt_lex_is(lex, i, "{") &&
         !mt_lex_is(lex, i, "}")) {
    if (mt_lex_is(lex, i, ")")) depth++;
    if (mt_lex_is(lex, i, "(") && depth-- == 0) return i;
  }
  return UINT32_MAX;
}

/* A string literal used as a pointer, not one in an attribute or assertion. */
static bool is_text(const mt_Lex *lex, uint32_t i) {
  static const char *const before[] = {"(", ",", "=", "return", "?", ":"};
  static const char *const callers[] = {"static_assert", "_Static_assert",
                                        "__attribute__", "sizeof"};
  if (i == 0 || lex->tokens[i].kind != MT_TOKEN_STRING ||
      lex->text[lex->tokens[i].at] != '"')
    return false;
  if (i + 1 < lex->count && lex->tokens[i + 1].kind == MT_TOKEN_STRING)
    return false;
  bool fits = false;
  for (size_t k = 0; k < sizeof before / sizeof before[0]; k++)
    fits = fits || mt_lex_is(lex, i - 1, before[k]);
  uint32_t open = paren_around(lex, i);
  for (size_t k = 0;
       open != UINT32_MAX && open > 0 && k < sizeof callers / sizeof callers[0];
       k++)
    if (mt_lex_is(lex, open - 1, callers[k])) return false;
  return fits;
}

/* String literals and __func__ are in the constant address space, which C++
** cannot express. */
static void place_strings(mt_Lex *lex) {
  for (uint32_t i = 0; i < lex->count; i++)
    if (is_text(lex, i) || (mt_lex_is(lex, i, "__func__") &&
                            !(i && mt_lex_is(lex, i - 1, "sizeof"))))
      mt_lex_replace(
          lex, i,
          mt_lex_format(lex,
                        "((const char __attribute__((address_space(%d))) *)0)",
                        MT_CLANG_CONSTANT));
}

mt_SpaceCheck *mt_spaces_start(mt_MslModule *m, const mt_MslOptions *o,
                               bool second) {
  mt_LexError bad;
  mt_Reading reading = {0};
  if (!second || m->lex.length > MAX_TEXT || mt_diagnose_errors(m)) return NULL;
  mt_SpaceCheck *c = calloc(1, sizeof *c);
  if (c == NULL) return NULL;
  c->m = m;
  bool ok = mt_lex_read(&c->lex, m->lex.text, m->lex.length, &bad) == MT_OK;
  for (uint32_t i = 0; ok && m->raw && i < c->lex.directive_count; i++)
    c->lex.directives[i].instead = m->lex.directives[i].instead;
  if (ok) ok = mt_reader_run(&c->lex, true, &reading) == MT_OK;
  mt_reading_free(&reading);
  if (ok) place_strings(&c->lex);
  if (ok) mt_lex_write(&c->lex, &c->text);
  if (ok && !c->text.failed &&
      mt_clang_start(MT_CLANG_CHECK, o, 0, &c->child, NULL) == MT_OK) {
    c->given = mt_child_feed(c->child, mt_str_text(&c->text), c->text.length);
    return c;
  }
  check_free(c);
  return NULL;
}

/* --------------------------------------------------------- reading messages */

static const char *space_name(long number) {
  return number == MT_CLANG_DEVICE        ? "device"
         : number == MT_CLANG_CONSTANT    ? "constant"
         : number == MT_CLANG_THREADGROUP ? "threadgroup"
                                          : "thread";
}

/* "address space '11'" or "generic address space": the name; NULL if
** neither. */
static const char *named_space(const char **s) {
  const char *numbered = strstr(*s, "address space '"),
             *plain = strstr(*s, "generic address space");
  if (numbered && (!plain || numbered < plain)) {
    *s = numbered + 15;
    return space_name(strtol(*s, NULL, 10));
  }
  if (plain == NULL) return NULL;
  *s = plain + 21;
  return "thread";
}

/* The n-th quoted type of a message, without address spaces, const and
** bounds. */
static bool quoted(const char *message, int n, char *plain, size_t room,
                   const char **space) {
  const char *s = message;
  size_t out = 0;
  for (int i = 0; i < 2 * n && s; i++)
    s = strchr(s, '\''), s = s ? s + 1 : NULL;
  s = s ? strchr(s, '\'') : NULL;
  const char *end = s ? strchr(s + 1, '\'') : NULL;
  if (end == NULL) return false;
  *space = "thread";
  for (s++; s < end && out + 3 < room;) {
    static const char mark[] = "__attribute__((address_space(";
    if (strncmp(s, mark, strlen(mark)) == 0) {
      *space = space_name(strtol(s + strlen(mark), (char **)&s, 10));
      s += 3;
    } else if (strncmp(s, "const", 5) == 0)
      s += 5;
    else if (*s == '[') {
      while (s < end && *s != ']') s++;
      s++;
      plain[out++] = '*';
    } else if (*s == ' ')
      s++;
    else
      plain[out++] = *s++;
  }
  plain[out] = '\0';
  return true;
}

/* Two pointer types that differ only in the address space of the pointee. */
static bool same_but_space(const char *message, int first, const char **from,
                           const char **to) {
  char a[256], b[256];
  return quoted(message, first, a, sizeof a, from) &&
         quoted(message, first + 1, b, sizeof b, to) && strcmp(a, b) == 0 &&
         strchr(a, '*') && strcmp(*from, *to) != 0;
}

/* A note about a candidate that does not match because of address spaces. */
static bool read_candidate(const char *note, const char **from,
                           const char **to) {
  const char *s = strstr(note, "cannot pass pointer to ");
  if (s == NULL) s = strstr(note, "cannot bind reference in ");
  if (s) {
    *from = named_space(&s);
    *to = *from ? named_space(&s) : NULL;
    return *to != NULL;
  }
  s = strstr(note, "no known conversion from ");
  if (s) return same_but_space(s, 0, from, to);
  s = strstr(note, "candidate template ignored: deduced type ");
  return s && same_but_space(s, 0, to, from);
}

typedef struct Open { /* an error whose notes are being read */
  bool any, call, cast, good;
  /* the kind of entity that cannot be in an address space; or NULL */
  const char *lies;
  mt_Place place;
  const char *name, *from, *to;
  unsigned notes;
} Open;

static void close_error(mt_SpaceCheck *c, Open *o) {
  bool known = o->lies && mt_diagnose_errors(c->m); /* reported already */
  if (o->any && o->good && !known && (!o->call || o->notes)) {
    const char *message =
        o->lies
            ? mt_scrap_text(
                  c->m, "%s cannot be in the address space that its type has",
                  o->lies)
        : o->call ? mt_scrap_text(c->m,
                                  "no matching function for call to '%s': the "
                                  "argument is in the %s address space, "
                                  "the parameter in the %s address space",
                                  o->name, o->from, o->to)
        : o->cast ? mt_scrap_text(c->m,
                                  "a cast from the %s to the %s address space "
                                  "converts between mismatching address spaces",
                                  o->from, o->to)
                  : mt_scrap_text(c->m,
                                  "a pointer to the %s address space cannot "
                                  "take an address in the %s address space",
                                  o->to, o->from);
    mt_diagnose(c->m, MT_ERROR_SEVERITY, o->place, message,
                o->lies
                    ? "The address space came in with the name of the type: "
                      "write it where a variable or a pointer is declared."
                    : "An address keeps its address space: declare the pointer "
                      "with the same one, or copy the value "
                      "into a variable of the other.");
  }
  *o = (Open){0};
}

static const char *misplaced(const char *message) {
  return strstr(message, "automatic variable qualified with an address space")
             ? "a variable of a function"
         : strstr(message,
                  "parameter may not be qualified with an address space")
             ? "a parameter"
         : strstr(message, "field may not be qualified with an address space")
             ? "a member of a struct"
             : NULL;
}

/* threadgroup T tile[N]: an array parameter decays to a pointer, but Clang
** reports it while T is dependent. */
static bool is_array_at(const mt_SpaceCheck *c, const mt_Said *d) {
  size_t n = 0, i = d->column ? d->column - 1 : 0;
  const char *s =
      mt_text_line(mt_str_text(&c->text), c->text.length, d->line, &n);
  while (s && i < n &&
         (isalnum((unsigned char)s[i]) || s[i] == '_' || s[i] == ' '))
    i++;
  return s && i < n && s[i] == '[';
}

static void open_error(mt_SpaceCheck *c, const mt_Said *d, const char *message,
                       Open *o) {
  static const char call[] = "no matching function for call to '";
  o->any = mt_clang_is_text(d->file);
  o->place = mt_map_written(c->m, &c->lex, &c->text, d->line, d->column);
  o->lies = misplaced(message);
  if (o->lies) o->good = !(strstr(message, "parameter") && is_array_at(c, d));
  else if (strncmp(message, call, strlen(call)) == 0) {
    const char *name = message + strlen(call);
    o->call = o->good = true;
    o->name = mt_scrap_text(c->m, "%.*s", (int)strcspn(name, "'"), name);
  } else if (strncmp(message, "cannot initialize a variable of type", 36) == 0)
    o->good = same_but_space(message, 0, &o->to, &o->from);
  else if (strncmp(message, "reinterpret_cast from '", 23) == 0) {
    char a[256], b[256];
    o->cast = true;
    o->good = quoted(message, 0, a, sizeof a, &o->from) &&
              quoted(message, 1, b, sizeof b, &o->to) && strchr(a, '*') &&
              strchr(b, '*') && strcmp(o->from, o->to) != 0;
  } else if (strncmp(message, "assigning '", 11) == 0 &&
             strstr(message, "changes address space"))
    o->good = same_but_space(message, 0, &o->from, &o->to);
}

static void add_note(const mt_Said *d, const char *message, Open *o) {
  const char *from, *to;
  if (strncmp(message, "in instantiation of", 19) == 0) return;
  if (!o->call || !o->good) return;
  if (mt_clang_is_text(d->file) && read_candidate(message, &from, &to)) {
    if (o->notes++ == 0) o->from = from, o->to = to;
  } else
    o->good = false;
}

/* bfloat x = 0.5f; the first Clang found the conversions of other values. */
static void refuse_bfloat(mt_SpaceCheck *c, const mt_Said *d,
                          const char *message) {
  if (!mt_clang_is_text(d->file) || !mt_diagnose_is_bfloat(message))
    return;
  mt_diagnose(c->m, MT_ERROR_SEVERITY,
              mt_map_written(c->m, &c->lex, &c->text, d->line, d->column),
              MT_FLOAT_TO_BFLOAT, MT_FLOAT_TO_BFLOAT_HELP);
}

void mt_spaces_finish(mt_SpaceCheck *c, bool use) {
  mt_Str out = MT_STR_INIT, said = MT_STR_INIT;
  Open open = {0};
  int code;
  if (c == NULL) return;
  if (!use)
    mt_child_kill(c->child);
  else if (mt_child_finish(c->child, mt_str_text(&c->text) + c->given,
                           c->text.length - c->given, &out, &said, &code,
                           NULL) == MT_OK) {
    const char *s = mt_str_text(&said);
    bool refused = mt_diagnose_errors(c->m);
    for (mt_Said d; mt_diagnose_next(&s, &d);) {
      const char *message =
          mt_scrap_text(c->m, "%.*s", (int)d.length, d.message);
      if (d.severity == MT_NOTE) {
        if (open.any) add_note(&d, message, &open);
      } else {
        close_error(c, &open);
        if (d.severity == MT_ERROR_SEVERITY) open_error(c, &d, message, &open);
        else if (!refused) refuse_bfloat(c, &d, message);
      }
    }
    close_error(c, &open);
  }
  mt_str_free(&out);
  mt_str_free(&said);
  check_free(c);
}
