/*
** hints_slips.c - help for slips that the message alone does not tell apart: a
** missing sign, an operator of another language, a pointer for its element.
**
** The one idea: Clang names what it did not expect, at a place in a line; what
** stands there shows what was meant. Each rule looks at both.
*/
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "msl/module.h"
#include "msl/reader/attributes.h"

#define FOR_LOOP "Write for (int j = 0; j < n; j++) { … }."

/* Help by the text of the line, where the message alone is not specific. */
static const struct {
  const char *begin, *line, *help;
} lines[] = {
    {"expected expression", "<<<",
     "A kernel is launched by the program that uses it; kernels do not launch "
     "kernels."},
    {"expected ')'", "SV_",
     "Metal writes what a parameter is after its name: uint3 id "
     "[[thread_position_in_grid]]."},
    {"indirection requires pointer operand", "**",
     "MSL has no power operator: write x * x, or pow(x, y)."},
    {"unknown type name", "template <T", "Write template <typename T>."},
    {"unknown type name", "template<T", "Write template <typename T>."},
    {"expected unqualified-id", "@",
     "MSL's attributes stand in double brackets: kernel void name(device float "
     "*x [[buffer(0)]], uint i [[thread_position_in_grid]])."},
    {"expected ';' in 'for'", " in ", FOR_LOOP},
    {"expected '(' after 'for'", "", FOR_LOOP},
    {"expected '(' after 'while'", "",
     "What is tested stands in parentheses, what it governs in braces: while "
     "(x > 0) { … }."},
    {"expected ';' after top level declarator", "register(",
     "In Metal a buffer is a parameter: device float *x [[buffer(0)]]."},
    {"expected ';'", "//",
     "// begins a comment; integers are divided by /, which cuts off."},
    {"expected ')'", "]]", "Parameters are separated by commas."},
    {"expected ']'", "[[",
     "Attributes stand in two brackets at both ends: [[buffer(0)]]."},
    {"expected ']'", "buffer(",
     "Attributes stand in two brackets at both ends: [[buffer(0)]]."},
    {"expected ']'", "", "An index stands between two brackets: x[i]."},
    {"", "<>", "Two values that differ are compared by !=."},
};

/* x[i] = i // 2; which is a comment in MSL */
static bool is_floor_division(const char *line) {
  const char *s = strstr(line, "//");
  if (s == NULL) return false;
  s += 2 + strspn(s + 2, " ");
  size_t n = strspn(s, "0123456789abcdefghijklmnopqrstuvwxyz_");
  return n > 0 && strspn(s + n, ") ") + n < strlen(s) &&
         s[n + strspn(s + n, ") ")] == ';';
}

/* [[buffer(0)]] uint i */
static bool is_comma_missing(const char *line) {
  for (const char *s = line; (s = strstr(s, "]]")); s += 2)
    if (isalpha((unsigned char)s[2 + strspn(s + 2, " ")])) return true;
  return false;
}

/* i <> n; but template <> and f<>() */
static bool is_unequal(const char *message, const char *line) {
  const char *s = strstr(line, "<>");
  return s && strstr(line, "template") == NULL &&
         s[2 + strspn(s + 2, " ")] != '(' &&
         (mt_starts(message, "expected expression") ||
          strstr(message, "does not name a template"));
}

static const char *from_line(const char *message, const char *line) {
  for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
    if (!mt_starts(message, lines[i].begin) || !strstr(line, lines[i].line))
      continue;
    if (strcmp(lines[i].line, "//") == 0 && !is_floor_division(line)) continue;
    if (strcmp(lines[i].line, "]]") == 0 && !is_comma_missing(line)) continue;
    if (strcmp(lines[i].line, "<>") == 0 && !is_unequal(message, line))
      continue;
    return lines[i].help;
  }
  return NULL;
}

/* --------------------------------------------------------------- at a place */

/* Is nothing but a comment left of the line? */
static bool ends_here(const char *s) {
  s += strspn(s, " \t\r");
  return *s == '\0' || strncmp(s, "//", 2) == 0;
}

/* return, and its value on the next line, which was not meant as one */
static const char *bare_return(const char *message, const char *at) {
  bool about = strstr(message, "should not return a value") ||
               mt_starts(message, "cannot initialize return object");
  if (!about || !mt_starts(at, "return") || !ends_here(at + 6)) return NULL;
  return "A ; is missing after return: what follows on the next line is taken "
         "for its value.";
}

static const char *wrong_operator(const char *message, const char *line,
                                  const char *at) {
  if (!mt_starts(message, "expected expression") || at == line) return NULL;
  if (at[-1] == '=' && *at == '>') return "Greater or equal is written >=.";
  if (at[-1] == '=' && *at == '<') return "Less or equal is written <=.";
  if (*at == ':' && (strstr(line, "if ") || strstr(line, "if(") ||
                     strstr(line, "else") || strstr(line, "while")))
    return "No colon follows a condition; what it governs stands in braces: if "
           "(x > 0) { … }.";
  return NULL;
}

static const char *wrong_choice(const char *message, const char *line) {
  const char *choice = strstr(line, " if ");
  if (!mt_starts(message, "expected ") || choice == NULL ||
      strstr(choice, " else ") == NULL || strchr(line, '{'))
    return NULL;
  return "A choice between two values is written condition ? a : b.";
}

/* ----------------------------------------------------------------- pointers */

/* Does the type quoted at 's' end with a '*'? */
static bool is_pointer(const char *s) {
  const char *end = s ? strchr(s + 1, '\'') : NULL;
  return end && end[-1] == '*';
}

static const char *next_quote(const char *s) {
  const char *end = s ? strchr(s + 1, '\'') : NULL;
  return end ? strchr(end + 1, '\'') : NULL;
}

/* y = 3 * x, y[i] = x, y(i): the buffer for an element of it */
static const char *whole_buffer(const char *message) {
  const char *first = strchr(message, '\''), *second = next_quote(first);
  if (mt_starts(message, "called object type"))
    return is_pointer(first)
               ? "An element of a buffer is taken in brackets: x[i]."
               : "A product has a * between its factors: 2 * (x + 1).";
  bool sums = mt_starts(message, "invalid operands to binary expression"),
       stores = mt_starts(message, "assigning to") ||
                mt_starts(message, "cannot initialize");
  if (!(sums || stores) || !first || !second) return NULL;
  if (sums ? !(is_pointer(first) || is_pointer(second))
           : is_pointer(first) == is_pointer(second))
    return NULL;
  return "A pointer is a whole buffer; a thread computes with one element of "
         "it: y[i] = 3 * x[i].";
}

/* --------------------------------------------------------------- attributes */

/* thread_position_in_grid in the body of a kernel */
static const char *used_attribute(mt_MslModule *m, const char *message) {
  static const char head[] = "use of undeclared identifier '";
  if (!mt_starts(message, head)) return NULL;
  const char *name = message + strlen(head);
  name = mt_scrap_text(m, "%.*s", (int)strcspn(name, "'"), name);
  mt_AttributeKind kind = mt_attribute_kind(name);
  if (kind != MT_ATTR_POSITION && kind != MT_ATTR_SCALAR) return NULL;
  return mt_scrap_text(m,
                       "It is an attribute of a parameter, which has a name of "
                       "its own: uint i [[%s]].",
                       name);
}

bool mt_hint_is_for_in(const char *message, const char *line) {
  const char *loop = strstr(line, "for");
  return mt_starts(message, "unknown type name") && loop &&
         strstr(loop, " in ");
}

const char *mt_hint_slip(mt_MslModule *m, const char *message,
                         const char *line, const char *at) {
  const char *help = bare_return(message, at);
  if (help == NULL) help = wrong_operator(message, line, at);
  if (help == NULL) help = wrong_choice(message, line);
  if (help == NULL) help = whole_buffer(message);
  if (help == NULL) help = used_attribute(m, message);
  if (help == NULL && mt_hint_is_for_in(message, line)) help = FOR_LOOP;
  return help ? help : from_line(message, line);
}
