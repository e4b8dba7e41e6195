/*
** diagnose.c - the diagnostics that the user sees.
**
** Clang's messages are parsed, their locations mapped back to the source as
** typed, their wording to MSL's. An error inside our headers is reported at the
** place in the user's text that led there; notes in our headers are dropped.
*/
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/terminal/columns.h"
#include "msl/reader/attributes.h"
#include "msl/clang/clang.h"
#include "msl/module.h"
#include "msl/reader/reader.h"

#define MAX_DIAGNOSTICS 100

void mt_diagnose(mt_MslModule *m, mt_Severity severity, mt_Place place,
                 const char *message, const char *help) {
  if (m->diagnostic_count >= MAX_DIAGNOSTICS) return;
  message = mt_message_plain(m, message);
  if (!mt_grow(&m->diagnostics, m->diagnostic_count, &m->diagnostic_room,
               sizeof *m->diagnostics))
    return;
  for (size_t i = 0; i < m->diagnostic_count; i++) { /* drop duplicates */
    const mt_Diagnostic *d = &m->diagnostics[i];
    if (d->severity == severity && d->line == place.line &&
        d->column == place.column && severity != MT_NOTE &&
        strcmp(d->message, message) == 0)
      return;
  }
  m->diagnostics[m->diagnostic_count++] =
      (mt_Diagnostic){severity,
                      place.file,
                      place.line,
                      place.column,
                      mt_scrap_text(m, "%s", message),
                      help ? mt_scrap_text(m, "%s", help) : NULL};
}

size_t mt_diagnose_errors(const mt_MslModule *m) {
  size_t n = 0;
  for (size_t i = 0; i < m->diagnostic_count; i++)
    n += m->diagnostics[i].severity == MT_ERROR_SEVERITY;
  return n;
}

/* --------------------------------------------------------- Clang's messages */

typedef mt_Said Said;

/* file:line:column: severity: message */
static bool read_line(const char *s, size_t n, Said *out) {
  static const struct {
    const char *mark;
    mt_Severity severity;
  } marks[] = {{": fatal error: ", MT_ERROR_SEVERITY},
               {": error: ", MT_ERROR_SEVERITY},
               {": warning: ", MT_WARNING},
               {": note: ", MT_NOTE}};
  const char *at = NULL;
  size_t skip = 0;
  for (size_t k = 0; k < 4; k++)
    for (size_t i = 0; i + strlen(marks[k].mark) <= n; i++)
      if (memcmp(s + i, marks[k].mark, strlen(marks[k].mark)) == 0 &&
          (at == NULL || s + i < at)) {
        at = s + i;
        skip = strlen(marks[k].mark);
        out->severity = marks[k].severity;
        break;
      }
  if (at == NULL) return false;
  out->message = at + skip;
  out->length = (size_t)(s + n - out->message);
  out->line = out->column = 0;
  const char *end = at, *colon[2] = {NULL, NULL};
  for (const char *p = at; p > s && (!colon[0] || !colon[1]); p--)
    if (p[-1] == ':') colon[colon[0] ? 1 : 0] = p - 1;
  if (colon[0] && colon[1]) {
    out->line = (unsigned)strtoul(colon[1] + 1, NULL, 10);
    out->column = (unsigned)strtoul(colon[0] + 1, NULL, 10);
    if (out->line) end = colon[1];
  }
  snprintf(out->file, sizeof out->file, "%.*s", (int)(end - s), s);
  return true;
}

static mt_Place place_of(mt_MslModule *m, const Said *d, bool generated) {
  if (generated && mt_clang_is_text(d->file))
    return mt_map_generated(m, d->line, d->column);
  if (!generated && mt_clang_is_text(d->file))
    return (mt_Place){m->name, d->line, d->column};
  if (strcmp(d->file, MT_CLANG_AFTER_TEXT) == 0)
    return mt_map_offset(m, m->lex.length);
  return (mt_Place){mt_scrap_text(m, "%s", d->file), d->line, d->column};
}

/* Locations in our headers and in Clang's pseudo-files are hidden. Headers that
** are not among the precompiled ones are a part of the text. */
static bool is_hidden(mt_MslModule *m, const Said *d, bool generated) {
  return mt_clang_is_header(d->file) || d->line == 0 ||
         (generated && mt_clang_is_header(place_of(m, d, true).file)) ||
         strncmp(d->file, "<built-in>", 10) == 0 ||
         strncmp(d->file, "<scratch space>", 15) == 0 ||
         strncmp(d->file, "<command line>", 14) == 0;
}

/* The driver's "clang-22: error: clang frontend command failed" is not about
** the source. */
static bool is_drivers(const Said *d) {
  const char *slash = strrchr(mt_clang_path(), '/');
  return d->line == 0 &&
         strcmp(d->file, slash ? slash + 1 : mt_clang_path()) == 0;
}

static bool is_instantiation(const Said *d) {
  return d->length > 24 && memcmp(d->message, "in instantiation of", 19) == 0;
}

typedef struct Pending { /* an error in our headers, until a note locates it */
  bool any;
  mt_Severity severity;
  const char *message;
  unsigned guessed; /* the line where Clang went on with a corrected name */
  const char *dropped; /* such a name that is not told; or NULL */
} Pending;

static bool is_about_call(const char *message) {
  return strstr(message, "is ambiguous") ||
         strstr(message, "arguments to function call") ||
         strstr(message, "no matching function for call") ||
         strstr(message, "the order of an atomic");
}

/* Does the error only follow from a name that Clang took for another one? */
static bool is_follow_up(const mt_MslModule *m, const Pending *wait,
                         unsigned line, const char *raw) {
  bool same = wait->guessed && wait->guessed == line;
  if (same && (wait->dropped || is_about_call(raw))) return true;
  if (wait->dropped == NULL || strstr(m->source, wait->dropped) ||
      strstr(raw, "did you mean '"))
    return false;
  const char *at = strstr(raw, wait->dropped);
  size_t n = strlen(wait->dropped);
  return n && at && at > raw && at[-1] == '\'' && at[n] == '\'';
}

/* Clang goes on with the name that it suggests in 'raw', also where 'message'
** does not tell it. */
static void note_guess(mt_MslModule *m, Pending *wait, unsigned line,
                       const char *raw, const char *message) {
  static const char mark[] = "did you mean '";
  const char *guess = strstr(raw, mark);
  wait->guessed = guess ? line : 0;
  if (guess && strstr(message, mark)) wait->dropped = NULL;
  if (guess == NULL || strstr(message, mark)) return;
  guess += strlen(mark);
  wait->dropped = mt_scrap_text(m, "%.*s", (int)strcspn(guess, "'"), guess);
}

static const char *line_at(mt_MslModule *m, const mt_Place *p) {
  const mt_File *f = mt_map_file(m, p->file);
  size_t n = 0;
  const char *s = f && f->text && p->line
                      ? mt_text_line(f->text, f->length, p->line, &n)
                      : NULL;
  return s ? mt_scrap_text(m, "%.*s", (int)(n < 1000 ? n : 1000), s) : "";
}

/* "expected ';' after struct" refers to the end of the previous line. */
static void step_back(mt_MslModule *m, const char *message, mt_Place *p) {
  if (strncmp(message, "expected ';' after ", 19) != 0 || p->line < 2) return;
  if (strspn(line_at(m, p), " \t") + 1 != p->column) return;
  mt_Place before = *p;
  while (--before.line) {
    const char *s = line_at(m, &before);
    size_t n = strlen(s);
    while (n && strchr(" \t\r", s[n - 1])) n--;
    if (n == 0) continue;
    before.column = (unsigned)n + 1;
    *p = before;
    return;
  }
}

static void tell(mt_MslModule *m, mt_Severity severity, mt_Place place,
                 const char *raw, const char *message) {
  step_back(m, message, &place);
  const char *line = line_at(m, &place);
  const char *at = place.column && place.column <= strlen(line)
                       ? line + place.column - 1
                       : line;
  message = mt_message_bools(m, message, line, at);
  mt_diagnose(m, severity, place, message,
              mt_hint_find(m, raw, message, line, at));
}

/* "unknown attribute 'buffer' ignored": an attribute of MSL that the reader did
** not recognise there, because of another error. */
static bool is_msl_attribute(mt_MslModule *m, const char *message) {
  static const char head[] = "unknown attribute '";
  if (strncmp(message, head, strlen(head)) != 0) return false;
  const char *name = message + strlen(head);
  return mt_attribute_known(
             mt_scrap_text(m, "%.*s", (int)strcspn(name, "'"), name)) &&
         mt_diagnose_errors(m);
}

/* "variable 'x' is used uninitialized …" of a threadgroup variable: another
** thread may store into it. */
static bool is_about_shared(mt_MslModule *m, const char *message) {
  static const char head[] = "variable '";
  if (strncmp(message, head, strlen(head)) != 0 ||
      strstr(message, "uninitialized") == NULL)
    return false;
  const char *name = message + strlen(head);
  size_t n = strcspn(name, "'");
  for (uint32_t i = 0; i < m->shared_count; i++)
    if (strlen(m->shared[i]) == n && memcmp(m->shared[i], name, n) == 0)
      return true;
  return false;
}

/* "implicit conversion loses floating-point precision: 'float' to 'bfloat' (aka
** '__bf16')" is an error in MSL. Conversions to 'half', and those of compound
** assignments, are not. */
static bool is_implicit_float(const char *raw) {
  return strncmp(raw, "implicit conversion ", 20) == 0 &&
         strstr(raw, "floating-point precision");
}

bool mt_diagnose_is_bfloat(const char *raw) {
  static const char head[] =
      "implicit conversion loses floating-point precision: '";
  const char *to = strstr(raw, "' to '");
  if (strncmp(raw, head, strlen(head)) != 0 || to == NULL) return false;
  return strstr(to, "bfloat") || strstr(to, "__bf16");
}

/* One option of Clang's is for a return that is missing, which is a warning,
** and for one with a value too many or too few, which is an error. */
static bool is_wrong_return(const char *raw) {
  return strstr(raw, "should not return a value") ||
         strstr(raw, "should not return void expression") ||
         (strncmp(raw, "non-void ", 9) == 0 &&
          strstr(raw, " should return a value"));
}

/* Is the message about what the reader or our headers have made of the source,
** not about the source? */
static bool is_of_ours(mt_MslModule *m, const Said *d, const char *raw) {
  if (strstr(raw, "cannot find suitable setter") || /* metal/__swizzles */
      strstr(raw, "__builtin_bit_cast"))            /* as_type */
    return true;
  /* the reader's own attributes, where a declaration is broken */
  if (d->severity == MT_WARNING && strstr(raw, "'annotate'") &&
      strstr(m->source, "annotate") == NULL)
    return true;
  return is_msl_attribute(m, raw); /* unbalanced brackets */
}

/* What became of an error or warning: notes that follow it belong to it. */
typedef enum Fate {
  DROPPED, /* and so are its notes */
  TOLD,
  WAITS /* it is inside our headers: the first note in the person's text says
        ** where it is; other notes are dropped */
} Fate;

/* An error in our headers to which no note gave a place. */
static void tell_waiting(mt_MslModule *m, Pending *wait) {
  if (wait->any)
    mt_diagnose(m, wait->severity, (mt_Place){m->name, 0, 0}, wait->message,
                NULL);
  wait->any = false;
}

static Fate take_bfloat(mt_MslModule *m, const Said *d, bool generated,
                        const char *raw) {
  static const char refused[] = MT_FLOAT_TO_BFLOAT;
  if (mt_diagnose_is_bfloat(raw))
    tell(m, MT_ERROR_SEVERITY, place_of(m, d, generated), refused, refused);
  return DROPPED;
}

static Fate take_error(mt_MslModule *m, const Said *d, bool generated,
                       Pending *wait, const char *raw) {
  tell_waiting(m, wait);
  if (is_follow_up(m, wait, d->line, raw) || is_about_shared(m, raw) ||
      (d->severity == MT_WARNING && mt_message_of_standards(raw)))
    return DROPPED;
  if (is_implicit_float(raw)) return take_bfloat(m, d, generated, raw);
  const char *message = mt_message_rewrite(m, raw);
  /* (with what a warning suggests it does not go on) */
  if (d->severity == MT_ERROR_SEVERITY)
    note_guess(m, wait, d->line, raw, message);
  if (is_hidden(m, d, generated)) {
    *wait = (Pending){true, d->severity, message, 0, wait->dropped};
    return WAITS;
  }
  mt_Place place = place_of(m, d, generated);
  tell(m, d->severity, place, raw, message);
  if (mt_hint_is_for_in(raw, line_at(m, &place)))
    wait->guessed = d->line, wait->dropped = "";
  return TOLD;
}

static void take_note(mt_MslModule *m, const Said *d, bool generated,
                      Pending *wait, Fate of, const char *raw) {
  if (is_hidden(m, d, generated)) return;
  if (wait->any) {
    tell(m, wait->severity, place_of(m, d, generated), wait->message,
         wait->message);
    wait->any = false;
    return;
  }
  const char *message = mt_message_rewrite(m, raw);
  if (of != TOLD || strstr(raw, "__msl_") ||
      strstr(raw, "did you mean") == raw || strstr(raw, "insert ") == raw ||
      strncmp(raw, "built-in candidate", 18) == 0 ||
      mt_message_has_internals(m, message))
    return;
  mt_diagnose(m, MT_NOTE, place_of(m, d, generated), message, NULL);
}

/* '*fate': that of the last error or warning. */
static void take(mt_MslModule *m, const Said *said, bool generated,
                 Pending *wait, Fate *fate) {
  Said d = *said;
  const char *raw = mt_scrap_text(m, "%.*s", (int)d.length, d.message);
  if (d.severity == MT_WARNING && is_wrong_return(raw))
    d.severity = MT_ERROR_SEVERITY;
  if (is_of_ours(m, &d, raw)) return;
  if (d.severity == MT_NOTE) take_note(m, &d, generated, wait, *fate, raw);
  else *fate = take_error(m, &d, generated, wait, raw);
}

bool mt_diagnose_next(const char **text, mt_Said *out) {
  while (**text) {
    const char *s = *text, *end = strchr(s, '\n');
    size_t n = end ? (size_t)(end - s) : strlen(s);
    *text += n + (end != NULL);
    if (read_line(s, n, out)) return true;
  }
  return false;
}

/* Of a copy of a kernel's signature: the kernel itself gets the same. */
static bool is_of_signature(const mt_MslModule *m, const Said *d,
                            bool generated) {
  return generated && m->lines && d->line > m->lines;
}

void mt_diagnose_clang(mt_MslModule *m, const char *said, bool generated) {
  Pending wait = {false, MT_NOTE, NULL, 0, NULL};
  Fate fate = TOLD;
  for (Said d; mt_diagnose_next(&said, &d);)
    if (!is_drivers(&d) && !is_of_signature(m, &d, generated) &&
        !(is_instantiation(&d) && is_hidden(m, &d, generated)))
      take(m, &d, generated, &wait, &fate);
  tell_waiting(m, &wait);
}

/* ---------------------------------------------------------------- the log */

static const char *severity_name(mt_Severity s) {
  return s == MT_ERROR_SEVERITY ? "error"
         : s == MT_WARNING      ? "warning"
                                : "note";
}

/* As many columns as 'n' bytes of a line take; tabs stay tabs. */
static void add_blanks(mt_Str *out, const char *s, size_t n) {
  mt_Str shown = MT_STR_INIT;
  int columns;
  mt_str_add_visible(&shown, s, n, "\t");
  for (size_t i = 0; i < shown.length;) {
    bool tab = shown.text[i] == '\t';
    i += mt_columns_next(shown.text + i, shown.length - i, &columns);
    if (tab) mt_str_add_char(out, '\t');
    else mt_str_addf(out, "%*s", columns, "");
  }
  mt_str_free(&shown);
}

/* The source line, and a caret below the column. */
static void add_line(mt_MslModule *m, const mt_Diagnostic *d, bool colour) {
  const mt_File *f = mt_map_file(m, d->file);
  size_t n;
  const char *s =
      f && f->text ? mt_text_line(f->text, f->length, d->line, &n) : NULL;
  if (s == NULL || n > 400) return;
  mt_str_add_visible(&m->log, s, n, "\t");
  mt_str_add_char(&m->log, '\n');
  size_t before = d->column ? d->column - 1 : 0;
  add_blanks(&m->log, s, before < n ? before : n);
  mt_str_add(&m->log, colour ? "\033[1;32m^\033[0m\n" : "^\n");
}

/* File names and text of the source may contain control characters. */
static void add_visible(mt_Str *to, const char *text) {
  mt_str_add_visible(to, text, strlen(text), "\t");
}

void mt_diagnose_log(mt_MslModule *m, bool colour) {
  for (size_t i = 0; i < m->diagnostic_count; i++) {
    const mt_Diagnostic *d = &m->diagnostics[i];
    const char *tone = !colour                            ? ""
                       : d->severity == MT_ERROR_SEVERITY ? "\033[1;31m"
                       : d->severity == MT_WARNING        ? "\033[1;35m"
                                                          : "\033[1;36m";
    const char *bold = colour ? "\033[1m" : "",
               *plain = colour ? "\033[0m" : "";
    mt_str_add(&m->log, bold);
    add_visible(&m->log, d->file);
    if (d->line) mt_str_addf(&m->log, ":%u:%u", d->line, d->column);
    mt_str_addf(&m->log, ": %s%s: %s%s", tone, severity_name(d->severity),
                plain, bold);
    add_visible(&m->log, d->message);
    mt_str_addf(&m->log, "%s\n", plain);
    if (d->line) add_line(m, d, colour);
    if (d->help)
      mt_str_addf(&m->log, "%shelp:%s ", colour ? "\033[1;36m" : "", plain);
    if (d->help) add_visible(&m->log, d->help);
    if (d->help) mt_str_add_char(&m->log, '\n');
  }
  size_t errors = mt_diagnose_errors(m);
  if (errors)
    mt_str_addf(&m->log, "%zu error%s generated.\n", errors,
                errors == 1 ? "" : "s");
}
