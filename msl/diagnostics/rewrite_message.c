/*
** rewrite_message.c - Clang's messages in MSL's terms: MSL's names for types,
** and no internal names of our headers. Help texts are in hints.c and
** hints_calls.c.
*/
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "msl/module.h"

typedef struct Spelling {
  const char *from, *to;
} Spelling;

/* A spelling comes before its prefixes. */
static const Spelling spellings[] = {
    {"unsigned long long", "ulong"},
    {"long long", "long"},
    {"signed char", "char"},
#define SPELL_BUILTIN(name, clang)
#define SPELL_TYPEDEF(name, clang) {#clang, #name},
#define X(with, id, name, clang, declared, ...) SPELL_##declared(name, clang)
    __MT_SCALARS(X, )
#undef X
    {"__msl_bools<bool, 2>", "bool2"},
    {"__msl_bools<bool, 3>", "bool3"},
    {"__msl_bools<bool, 4>", "bool4"},
    {"__msl_bvec<2>", "bool2"},
    {"__msl_bvec<3>", "bool3"},
    {"__msl_bvec<4>", "bool4"},
};

static const Spelling *spelling_at(const char *s) {
  for (size_t i = 0; i < sizeof spellings / sizeof *spellings; i++)
    if (strncmp(s, spellings[i].from, strlen(spellings[i].from)) == 0)
      return &spellings[i];
  return NULL;
}

/* Drop " (aka 'x')" and " (vector of 4 'float' values)". */
static const char *skip_aside(const char *s) {
  static const char *const asides[] = {" (aka '", " (vector of "};
  for (size_t i = 0; i < 2; i++) {
    size_t n = strlen(asides[i]);
    if (strncmp(s, asides[i], n) != 0) continue;
    int depth = 0;
    for (const char *p = s + 1; *p; p++) {
      if (*p == '(') depth++;
      if (*p == ')' && --depth == 0) return p + 1;
    }
  }
  return s;
}

/* float __attribute__((ext_vector_type(4))) -> float4 */
static void join_vectors(mt_Str *s) {
  static const char mark[] = " __attribute__((ext_vector_type(";
  for (char *at; s->text && (at = strstr(s->text, mark));) {
    char *n = at + strlen(mark), *end = strstr(n, ")))");
    if (end == NULL || end != n + 1) return;
    *at = *n;
    memmove(at + 1, end + 3, strlen(end + 3) + 1);
    s->length = strlen(s->text);
  }
}

/* metal::matrix<half, 2, 3> -> half2x3 */
static void join_matrices(mt_Str *s) {
  static const char begin[] = "matrix<", scope[] = "metal::";
  for (char *at = s->text; at && (at = strstr(at, begin));) {
    char type[8], columns, rows, *from = at;
    int n = 0;
    if (sscanf(at + strlen(begin), "%7[a-z], %c, %c>%n", type, &columns, &rows,
               &n) != 3 || n == 0) {
      at += strlen(begin);
      continue;
    }
    if ((size_t)(at - s->text) >= strlen(scope) &&
        strncmp(at - strlen(scope), scope, strlen(scope)) == 0)
      from -= strlen(scope);
    const char *rest = at + strlen(begin) + n;
    int length = snprintf(from, strlen(from), "%s%cx%c", type, columns, rows);
    memmove(from + length, rest, strlen(rest) + 1);
    s->length = strlen(s->text);
    at = from + length;
  }
}

/* where__msl2 -> where: a renamed overload
** (msl/reader/address_space_overloads.c) */
static void drop_numbers(mt_Str *s) {
  for (char *at = s->text; at && (at = strstr(at, "__msl"));) {
    size_t n = strspn(at + 5, "0123456789");
    if (n == 0) {
      at += 5;
      continue;
    }
    memmove(at, at + 5 + n, strlen(at + 5 + n) + 1);
    s->length = strlen(s->text);
  }
}

/* vec<float, 4> -> float4, after 'prefix', which is shorter than 'begin' */
static void join_templates(mt_Str *s, const char *begin, const char *prefix) {
  size_t skip = strlen(begin), kept = strlen(prefix);
  for (char *at = s->text; at && (at = strstr(at, begin));) {
    char *comma = strchr(at, ','), *close = strchr(at, '>');
    bool plain = comma && close && comma < close && close == comma + 3 &&
                 comma[1] == ' ' && isdigit((unsigned char)comma[2]) &&
                 (at == s->text || !isalnum((unsigned char)at[-1]));
    for (char *p = at + skip; plain && p < comma; p++)
      plain = isalpha((unsigned char)*p);
    if (!plain) {
      at += skip;
      continue;
    }
    char digit = comma[2];
    size_t n = (size_t)(comma - (at + skip));
    memcpy(at, prefix, kept);
    at += kept;
    memmove(at, at - kept + skip, n);
    at[n] = digit;
    memmove(at + n + 1, close + 1, strlen(close + 1) + 1);
    s->length = strlen(s->text);
  }
}

/* typename __msl_plain<float4>::type -> float4 */
static void drop_around(mt_Str *s, const char *before, const char *after) {
  for (char *at; s->text && (at = strstr(s->text, before));) {
    char *inner = at + strlen(before), *end = strstr(inner, after);
    if (end == NULL) return;
    size_t n = (size_t)(end - inner);
    memmove(at, inner, n);
    memmove(at + n, end + strlen(after), strlen(end + strlen(after)) + 1);
    s->length = strlen(s->text);
  }
}

static void replace_all(mt_Str *s, const char *from, const char *to) {
  mt_Str out = MT_STR_INIT;
  const char *rest = mt_str_text(s);
  for (const char *at; (at = strstr(rest, from)); rest = at + strlen(from)) {
    mt_str_add_bytes(&out, rest, (size_t)(at - rest));
    mt_str_add(&out, to);
  }
  mt_str_add(&out, rest);
  mt_str_free(s);
  *s = out;
}

/* C++, C++20, C++2c, C99, C23: the length of a language's name at 's'; 0: none.
** A name of the person's stands in quotes. */
static size_t language_at(const char *s) {
  size_t n = 1;
  bool plus = strncmp(s, "C++", 3) == 0;
  if (s[0] != 'C') return 0;
  if (plus) n = 3;
  if (isdigit((unsigned char)s[n]) && isalnum((unsigned char)s[n + 1])) n += 2;
  if (n == 1) return 0;
  return plus || strchr(" ;,)", s[n]) ? n : 0;
}

/* What the standards that Clang knows have or lack says nothing to who writes
** MSL; whether MSL has it, does. */
static void name_language(mt_Str *s) {
  static const char *const others[] = {"MSL", "GNU", "Clang", "clang",
                                       "Microsoft"};
  static const char *const is[] = {" is a", " are a"};
  for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
    for (size_t k = 0; k < 4; k++) {
      char from[48], to[32];
      const char *verb = is[k % 2];
      snprintf(from, sizeof from, "%s %s %s", verb, others[i],
               k < 2 ? "extension" : "feature");
      snprintf(to, sizeof to, "%.*s not part of MSL", (int)strlen(verb) - 2,
               verb);
      replace_all(s, from, to);
    }
  replace_all(s, " a MSL ", " an MSL ");
  replace_all(s, "Objective-C methods, ", "");
  replace_all(s, "Objective-C protocols, ", "");
}

bool mt_message_of_standards(const char *raw) {
  return strstr(raw, "incompatible with C++") ||
         strstr(raw, "incompatible with C standards") ||
         strstr(raw, " is a keyword in C");
}

#define LONGEST_NAME 48 /* of those that are compared */

/* How many letters must be changed, put in, left out or exchanged with their
** neighbour, to make 'a' of 'b'? */
static unsigned distance(const char *a, size_t n, const char *b, size_t k) {
  unsigned row[3][LONGEST_NAME + 1];
  if (n > LONGEST_NAME || k > LONGEST_NAME) return LONGEST_NAME;
  for (size_t j = 0; j <= k; j++) row[0][j] = (unsigned)j;
  for (size_t i = 1; i <= n; i++) {
    unsigned *now = row[i % 3], *last = row[(i + 2) % 3],
             *before = row[(i + 1) % 3];
    now[0] = (unsigned)i;
    for (size_t j = 1; j <= k; j++) {
      unsigned best = last[j - 1] + (a[i - 1] != b[j - 1]);
      if (last[j] + 1 < best) best = last[j] + 1;
      if (now[j - 1] + 1 < best) best = now[j - 1] + 1;
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
          before[j - 2] + 1 < best)
        best = before[j - 2] + 1;
      now[j] = best;
    }
  }
  return row[n % 3][k];
}

/* May 'guess' be the name that was meant? Clang suggests names that differ in
** every third letter. */
static bool is_near(const char *name, const char *guess) {
  size_t n = strcspn(name, "'"), k = strcspn(guess, "'"),
         least = n < k ? n : k;
  return distance(name, n, guess, k) <= (least < 8 ? 1 : least < 12 ? 2 : 3);
}

/* "use of undeclared identifier 'add'; did you mean 'hadd'?": drops a
** suggestion that is far from the name, begins with another letter, is a
** keyword, or is an internal name. */
static void drop_suggestion(mt_Str *s) {
  static const char mark[] = "; did you mean '";
  char *at = s->text ? strstr(s->text, mark) : NULL,
       *name = s->text ? strchr(s->text, '\'') : NULL;
  if (at == NULL || name == NULL || name > at) return;
  const char *guess = at + strlen(mark), *inner = strstr(guess, "__");
  bool ours = inner && inner < guess + strcspn(guess, "'");
  if (strncmp(guess, "metal::", 7) == 0 && !ours) return;
  bool keyword = strncmp(guess, "for'", 4) == 0 ||
                 strncmp(guess, "int'", 4) == 0 ||
                 strncmp(guess, "do'", 3) == 0;
  /* not interchangeable */
  bool order = strncmp(name + 1, "memory_order_", 13) == 0;
  if (guess[0] == name[1] && strncmp(guess, "__", 2) != 0 && !keyword &&
      !order && is_near(name + 1, guess))
    return;
  char *end = strchr(at, '?');
  memmove(at, end ? end + 1 : at + strlen(at),
          strlen(end ? end + 1 : at + strlen(at)) + 1);
  s->length = strlen(s->text);
}

static bool starts_word(const char *message, const char *at) {
  return at == message || !(isalnum((unsigned char)at[-1]) || at[-1] == '_');
}

/* Names of types and of the language, word by word; what Clang adds to them in
** brackets is dropped. */
static void translate_words(const char *message, mt_Str *out) {
  for (const char *s = message; *s;) {
    const char *skipped = skip_aside(s);
    if (skipped != s) {
      s = skipped;
      continue;
    }
    bool begins = starts_word(message, s);
    size_t language = begins ? language_at(s) : 0;
    const Spelling *type = begins ? spelling_at(s) : NULL;
    if (language) mt_str_add(out, "MSL");
    else if (type) mt_str_add(out, type->to);
    else mt_str_add_char(out, *s);
    s += language ? language : type ? strlen(type->from) : 1;
  }
}

/* How a template of our headers is written in MSL, in the order in which these
** are looked for. */
static const struct {
  enum { DROP_AROUND, JOIN_TEMPLATE, REPLACE } how;
  const char *from, *to; /* DROP_AROUND: what is before, and after */
} templates[] = {
    {DROP_AROUND, "typename __msl_plain<", ">::type"},
    {DROP_AROUND, "__msl_plain<", ">::type"},
    {JOIN_TEMPLATE, "__msl_packed<", "packed_"},
    {JOIN_TEMPLATE, "__msl_ext_vector<", ""},
    {JOIN_TEMPLATE, "__msl_vec_of<", ""},
    {JOIN_TEMPLATE, "metal::vec<", ""},
    {JOIN_TEMPLATE, "vec<", ""},
    {REPLACE, "alias template '__msl_vec_of'", "vec<T, N>"},
    {REPLACE, " for the current target", ""},
    {REPLACE, "no matching function for call to '__set'",
     "a sampler cannot be made of this"},
    {REPLACE, "in 'metal::texture", "in 'texture"},
    {REPLACE, "metal::access::", "access::"},
};

static void write_templates(mt_Str *s) {
  for (size_t i = 0; i < sizeof templates / sizeof *templates; i++) {
    const char *from = templates[i].from, *to = templates[i].to;
    switch (templates[i].how) {
      case DROP_AROUND: drop_around(s, from, to); break;
      case JOIN_TEMPLATE: join_templates(s, from, to); break;
      case REPLACE: replace_all(s, from, to); break;
    }
  }
}

/* Messages about something of our headers, and what is said instead; the last
** that fits. */
static const struct {
  const char *has, *unless; /* 'unless' is in the source; or NULL */
  const char *instead;
} messages[] = {
    {"call to '__msl_mk'", NULL,
     "no value of this type can be made of these arguments"},
    {"annotate' attribute", "annotate", /* the reader's own */
     "an attribute cannot stand here"},
    {"use '__msl_mk' as function template", NULL,
     "a type stands where a value is expected"},
    {"no member named '__put_", NULL,
     "vector is not assignable (contains duplicate components)"},
};

static const char *instead_of(const mt_MslModule *m, const char *text) {
  for (size_t i = 0; i < sizeof messages / sizeof *messages; i++)
    if (strstr(text, messages[i].has) &&
        !(messages[i].unless && strstr(m->source, messages[i].unless)))
      text = messages[i].instead;
  return text;
}

/* Of "static assertion failed … : ours" our text alone, back to where the
** requirement ends. */
static const char *assertion_text(const char *text) {
  static const char check[] = "static assertion failed";
  static const char *const ours[] = {
      "vector initialization", "atomic<T> exists for", "a simdgroup_matrix ",
      "a texture holds ",      "sample takes level",   "as_type needs two",
      "as_type gives"};
  const char *from = NULL;
  if (strncmp(text, check, strlen(check)) != 0) return text;
  for (size_t i = 0; !from && i < sizeof ours / sizeof ours[0]; i++)
    from = strstr(text, ours[i]);
  if (!from) return text;
  while (from > text + 1 && (from[-2] != ':' || from[-1] != ' ')) from--;
  return from;
}

const char *mt_message_rewrite(mt_MslModule *m, const char *message) {
  mt_Str out = MT_STR_INIT;
  translate_words(mt_message_known_as(m, message), &out);
  name_language(&out);
  drop_suggestion(&out);
  drop_numbers(&out);
  join_vectors(&out);
  join_matrices(&out);
  write_templates(&out);
  const char *text = assertion_text(instead_of(m, mt_str_text(&out)));
  const char *kept = mt_scrap_text(m, "%s", text);
  mt_str_free(&out);
  return kept;
}
