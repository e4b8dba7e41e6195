/*
** rewrite_bools.c - what a comparison of vectors gives, in messages.
**
** MSL compares vectors to a bool vector, Clang to one of integers as wide as
** what was compared. The one idea: where the text at the place of a message
** compares, the integers that the message speaks of are bools.
*/
#include <ctype.h>
#include <string.h>

#include "msl/module.h"

/* The end of the brackets that open at 's'; 'end': they do not close. */
static const char *closing(const char *s, const char *end) {
  int depth = 0;
  for (; s < end; s++) {
    if (strchr("([{", *s)) depth++;
    if (strchr(")]}", *s) && --depth == 0) return s;
  }
  return end;
}

/* f<int>(x): the '>' of template arguments that open at 's'; NULL: it
** compares. */
static const char *arguments_end(const char *s, const char *end) {
  const char *close = memchr(s, '>', (size_t)(end - s));
  if (close == NULL || close + 1 >= end) return NULL;
  return close[1] == '(' || close[1] == '{' || close[1] == ':' ? close : NULL;
}

/* Does an operator at 's' compare, or join what was compared? */
static bool is_comparing(const char *s) {
  bool shift = (s[0] == '<' || s[0] == '>') && s[1] == s[0];
  if (mt_starts(s, "==") || mt_starts(s, "!=") || mt_starts(s, "&&") ||
      mt_starts(s, "||"))
    return true;
  return (*s == '<' || *s == '>') && !shift;
}

/* Is the value of the expression s .. end-1 a comparison's? */
static bool compares(const char *s, const char *end) {
  while (s < end && isspace((unsigned char)*s)) s++;
  while (s < end && isspace((unsigned char)end[-1])) end--;
  if (s < end && *s == '(' && closing(s, end) == end - 1)
    return compares(s + 1, end - 1);
  for (; s < end; s++) {
    if (strchr("([{", *s)) s = closing(s, end);
    else if (*s == '<' && arguments_end(s, end)) s = arguments_end(s, end);
    else if (s + 1 < end && s[0] == s[1] && strchr("<>", *s)) s++;
    else if (*s == '-' && s[1] == '>') s++;
    else if (*s == '?') return false;
    else if (is_comparing(s) || (*s == '!' && s[1] != '=')) return true;
  }
  return false;
}

/* The end of the expression at 's': its ';', ',' or closing bracket. */
static const char *expression_end(const char *s) {
  const char *end = s + strlen(s);
  for (; s < end && !strchr(";,)]}", *s); s++)
    if (strchr("([{", *s)) s = closing(s, end);
  return s < end ? s : end;
}

/* The value that is stored: after the '=' of a declaration, or where the
** message points into it. */
static bool stores_comparison(const char *at) {
  const char *sign = at;
  if (is_comparing(at) || *at == '!') return true;
  if (*at == '(') return compares(at, expression_end(at));
  while (*sign && !strchr("=;(", *sign)) sign++;
  if (*sign != '=' || sign[1] == '=') return false;
  return compares(sign + 1, expression_end(sign + 1));
}

/* Is the operand before, or after, the operator at 'at' a comparison in
** parentheses? */
static bool is_operand_compared(const char *line, const char *at, bool before) {
  const char *s = at, *end = at;
  if (!before) {
    while (*s && !isspace((unsigned char)*s) && *s != '(') s++;
    s += strspn(s, " ");
    end = s + strlen(s);
    return *s == '(' && compares(s + 1, closing(s, end));
  }
  while (end > line && end[-1] == ' ') end--;
  if (end == line || end[-1] != ')') return false;
  for (s = line; s < end; s++)
    if (*s == '(' && closing(s, end) == end - 1)
      return compares(s + 1, end - 1);
  return false;
}

/* The message with the integers of the quoted type number 'which' as bools; -1:
** the last one. */
static const char *with_bools(mt_MslModule *m, const char *message, int which) {
  static const char *const integers[] = {"char", "short", "int", "long"};
  const char *open = strchr(message, '\''), *last = NULL;
  for (int k = 0; open; k++) {
    const char *close = strchr(open + 1, '\'');
    if (close == NULL) return message;
    if (which < 0 || k == which) last = open + 1;
    open = strchr(close + 1, '\'');
  }
  for (size_t i = 0; last && i < sizeof integers / sizeof integers[0]; i++) {
    size_t n = strlen(integers[i]);
    if (strncmp(last, integers[i], n) == 0 && last[n] >= '2' &&
        last[n] <= '4' && last[n + 1] == '\'')
      return mt_scrap_text(m, "%.*sbool%s", (int)(last - message), message,
                           last + n);
  }
  return message;
}

const char *mt_message_bools(mt_MslModule *m, const char *message,
                             const char *line, const char *at) {
  bool stores = mt_starts(message, "cannot initialize") ||
                mt_starts(message, "assigning to") ||
                mt_starts(message, "no viable conversion");
  if (mt_starts(message, "value of type '") && strpbrk(line, "<>=!"))
    return with_bools(m, message, 0);
  if (stores && stores_comparison(at)) return with_bools(m, message, -1);
  if (!mt_starts(message, "invalid operands to binary expression") &&
      !mt_starts(message, "cannot convert between vector"))
    return message;
  if (is_operand_compared(line, at, true)) message = with_bools(m, message, 0);
  if (is_operand_compared(line, at, false)) message = with_bools(m, message, 1);
  return message;
}
