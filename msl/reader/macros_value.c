/*
** macros_value.c - the value of the expression of an #if.
**
** The one idea: a value may be unknown, and stays so unless the other side of
** && or || decides alone.
*/
#include <stdlib.h>
#include <string.h>

#include "msl/reader/macros_parts.h"

#define MOST_NESTED 200

typedef struct Value {
  bool known;
  long v;
} Value;

typedef struct Parser {
  const mt_MacroPieces *list;
  size_t at;
  unsigned depth;
  bool names_are_zero;
  bool bad;
} Parser;

static const Value unknown = {false, 0};

static Value known(long v) { return (Value){true, v}; }

bool mt_piece_is(const mt_MacroPiece *p, const char *text) {
  return p->length == strlen(text) && memcmp(p->text, text, p->length) == 0;
}

static bool next_is(const Parser *p, size_t ahead, const char *text) {
  return p->at + ahead < p->list->count &&
         mt_piece_is(&p->list->items[p->at + ahead], text);
}

static Value expression(Parser *p, int least);

/* Names with two leading underscores, or one and a capital, are reserved for
** the compiler. */
static bool is_reserved(const mt_MacroPiece *p) {
  for (uint32_t i = 0; i + 1 < p->length; i++)
    if (p->text[i] == '_' &&
        (p->text[i + 1] == '_' ||
         (i == 0 && p->text[1] >= 'A' && p->text[1] <= 'Z')))
      return true;
  static const char *const apple[] = {"METAL_", "TARGET_"};
  for (size_t i = 0; i < sizeof apple / sizeof apple[0]; i++)
    if (p->length > strlen(apple[i]) &&
        memcmp(p->text, apple[i], strlen(apple[i])) == 0)
      return true;
  return false;
}

static Value number(const mt_MacroPiece *p) {
  char digits[64];
  size_t n = 0;
  for (uint32_t i = 0; i < p->length && n + 1 < sizeof digits; i++)
    if (p->text[i] != '\'') digits[n++] = p->text[i];
  digits[n] = '\0';
  bool binary = digits[0] == '0' && (digits[1] == 'b' || digits[1] == 'B');
  char *end;
  unsigned long v =
      binary ? strtoul(digits + 2, &end, 2) : strtoul(digits, &end, 0);
  return strspn(end, "uUlL") == strlen(end) ? known((long)v) : unknown;
}

/* f(…), whose value only the compiler knows: __has_include(<x>) */
static Value call(Parser *p) {
  unsigned open = 0;
  do {
    if (next_is(p, 0, "(")) open++;
    if (next_is(p, 0, ")")) open--;
    p->at++;
  } while (open && p->at < p->list->count);
  if (open) p->bad = true;
  return unknown;
}

static Value name(Parser *p) {
  const mt_MacroPiece *it = &p->list->items[p->at++];
  if (next_is(p, 0, "(")) return call(p);
  if (mt_piece_is(it, "true") || mt_piece_is(it, "false"))
    return known(mt_piece_is(it, "true"));
  return p->names_are_zero && !is_reserved(it) ? known(0) : unknown;
}

static Value primary(Parser *p) {
  static const char *const signs = "!~-+";
  if (p->at >= p->list->count || ++p->depth > MOST_NESTED)
    return p->bad = true, unknown;
  const mt_MacroPiece *it = &p->list->items[p->at];
  Value v = unknown;
  if (it->kind == MT_TOKEN_NUMBER) v = number(it), p->at++;
  else if (it->kind == MT_TOKEN_NAME) v = name(p);
  else if (it->length == 1 && strchr(signs, it->text[0])) {
    p->at++;
    v = primary(p);
    char c = it->text[0];
    v.v = c == '!'   ? !v.v
          : c == '~' ? ~v.v
          : c == '-' ? (long)(0ul - (unsigned long)v.v)
                     : v.v;
  } else if (mt_piece_is(it, "(")) {
    p->at++;
    v = expression(p, 0);
    if (!next_is(p, 0, ")")) p->bad = true;
    p->at++;
  } else
    p->bad = true;
  p->depth--;
  return v;
}

/* The precedence of the operator here, from 1; 0: none. '>' is always a token
** of its own. */
static int operator_at(const Parser *p, char op[3], size_t *length) {
  static const struct {
    const char *text;
    int rank;
  } all[] = {{"||", 1}, {"&&", 2}, {"|", 3},  {"^", 4},  {"&", 5},
             {"==", 6}, {"!=", 6}, {"<", 7},  {"<=", 7}, {"<<", 8},
             {"+", 9},  {"-", 9},  {"*", 10}, {"/", 10}, {"%", 10}};
  *length = 1;
  if (next_is(p, 0, ">")) {
    bool shift = next_is(p, 1, ">"), equal = next_is(p, 1, "=");
    *length = shift || equal ? 2 : 1;
    strcpy(op, shift ? ">>" : equal ? ">=" : ">");
    return shift ? 8 : 7;
  }
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
    if (next_is(p, 0, all[i].text)) return strcpy(op, all[i].text), all[i].rank;
  return 0;
}

static Value divide(bool rest, long a, long b) {
  if (b == 0) return unknown;
  if (b == -1) return known(rest ? 0 : (long)(0ul - (unsigned long)a));
  return known(rest ? a % b : a / b);
}

static Value apply(const char *op, Value a, Value b) {
  unsigned long x = (unsigned long)a.v, y = (unsigned long)b.v;
  bool equal = op[1] == '=';
  if (strcmp(op, "&&") == 0) {
    if ((a.known && !a.v) || (b.known && !b.v)) return known(0);
    return a.known && b.known ? known(1) : unknown;
  }
  if (strcmp(op, "||") == 0) {
    if ((a.known && a.v) || (b.known && b.v)) return known(1);
    return a.known && b.known ? known(0) : unknown;
  }
  if (!a.known || !b.known) return unknown;
  if (strcmp(op, "<<") == 0) return y < 64 ? known((long)(x << y)) : unknown;
  if (strcmp(op, ">>") == 0) return y < 64 ? known(a.v >> y) : unknown;
  switch (op[0]) {
    case '|': return known(a.v | b.v);
    case '^': return known(a.v ^ b.v);
    case '&': return known(a.v & b.v);
    case '=': return known(a.v == b.v);
    case '!': return known(a.v != b.v);
    case '<': return known(equal ? a.v <= b.v : a.v < b.v);
    case '>': return known(equal ? a.v >= b.v : a.v > b.v);
    case '+': return known((long)(x + y));
    case '-': return known((long)(x - y));
    case '*': return known((long)(x * y));
    default: return divide(op[0] == '%', a.v, b.v);
  }
}

static Value expression(Parser *p, int least) {
  char op[3];
  size_t length;
  if (++p->depth > MOST_NESTED) return p->bad = true, unknown;
  Value v = primary(p);
  for (int rank; !p->bad && (rank = operator_at(p, op, &length)) > least;) {
    p->at += length;
    Value right = expression(p, rank);
    v = apply(op, v, right);
  }
  if (least == 0 && next_is(p, 0, "?")) {
    p->at++;
    Value yes = expression(p, 0);
    if (!next_is(p, 0, ":")) p->bad = true;
    p->at++;
    Value no = expression(p, 0);
    v = !v.known ? unknown : v.v ? yes : no;
  }
  p->depth--;
  return v;
}

long mt_macros_value(const mt_MacroPieces *list, bool names_are_zero,
                     bool *is_known) {
  Parser p = {.list = list, .names_are_zero = names_are_zero};
  Value v = expression(&p, 0);
  *is_known = v.known && !p.bad && p.at == list->count;
  return v.v;
}
