/*
** signatures.c - the kernels of a source and their parameters, without a
** compiler: macros expanded (macros.h), then the reader.
*/
#include "msl/reader/signatures.h"

#include <stdlib.h>
#include <string.h>

#include "msl/reader/macros.h"
#include "msl/reader/name_closure.h"

struct mt_Signatures {
  mt_Str text;
  mt_Lex lex;
  mt_Reading reading;
  mt_NameClosure *logs;     /* declarations that mention os_log; NULL: none */
  bool logs_unknown;
};

/* Searches the original text: of a macro with uncertain definitions, expansion
** shows only the last. */
static bool mentions_logs(const char *text, size_t length) {
  for (const char *at = text;
       (at = memchr(at, 'o', length - (size_t)(at - text))) != NULL; at++)
    if (length - (size_t)(at - text) >= 6 && memcmp(at, "os_log", 6) == 0)
      return true;
  return false;
}

mt_Signatures *mt_signatures_read(const char *text, size_t length,
                                  const mt_MslDefine *defines,
                                  size_t define_count) {
  mt_Signatures *s = calloc(1, sizeof *s);
  mt_LexError bad;
  if (s == NULL) return NULL;
  if (mt_macros_expand(text, length, defines, define_count, &s->text) ==
          MT_OK &&
      mt_lex_read(&s->lex, mt_str_text(&s->text), s->text.length, &bad) ==
          MT_OK &&
      mt_reader_run(&s->lex, false, &s->reading) == MT_OK) {
    if (mentions_logs(text, length))
      s->logs = mt_name_closure_read(&s->lex, "os_log", &s->logs_unknown);
    return s;
  }
  mt_signatures_free(s);
  return NULL;
}

void mt_signatures_free(mt_Signatures *s) {
  if (s == NULL) return;
  mt_name_closure_free(s->logs);
  mt_reading_free(&s->reading);
  mt_lex_free(&s->lex);
  mt_str_free(&s->text);
  free(s);
}

static bool same_text(const char *a, const char *b) {
  return a == b || (a && b && strcmp(a, b) == 0);
}

static bool same_params(const mt_ReadKernel *a, const mt_ReadKernel *b) {
  if (a->count != b->count) return false;
  for (uint32_t i = 0; i < a->count; i++) {
    const mt_ReadParam *p = &a->params[i], *q = &b->params[i];
    if (strcmp(p->name, q->name) || strcmp(p->form, q->form) ||
        strcmp(p->space, q->space) || strcmp(p->type, q->type) ||
        strcmp(p->attribute, q->attribute) || !same_text(p->index, q->index) ||
        p->constant != q->constant)
      return false;
  }
  return true;
}

static bool is_doubtful(const mt_ReadKernel *k) {
  bool doubt = k->doubt;
  for (uint32_t i = 0; i < k->count; i++) doubt = doubt || k->params[i].doubt;
  return doubt;
}

/* Compares with Metal's name for it: host_name where given. */
static bool is_called(const mt_ReadKernel *k, const char *name) {
  return strcmp(k->host ? k->host : k->name, name) == 0;
}

/* The definition of that name, by host_name if 'host', else as declared; NULL:
** none, or several that differ. */
static const mt_ReadKernel *definition(const mt_Reading *r, const char *name,
                                       bool host) {
  const mt_ReadKernel *found = NULL;
  for (uint32_t i = 0; i < r->kernel_count; i++) {
    const mt_ReadKernel *k = &r->kernels[i];
    if (k->instance ||
        !(host ? is_called(k, name) : strcmp(k->name, name) == 0))
      continue;
    if (is_doubtful(k) || (found && !same_params(found, k))) return NULL;
    found = k;
  }
  return found;
}

/* The instance with this host_name. '*many': several templates have one. */
static const mt_ReadKernel *instance(const mt_Reading *r, const char *name,
                                     bool *many) {
  const mt_ReadKernel *found = NULL;
  *many = false;
  for (uint32_t i = 0; i < r->kernel_count; i++) {
    const mt_ReadKernel *k = &r->kernels[i];
    if (!k->instance || k->host == NULL || strcmp(k->host, name) != 0) continue;
    *many = *many || (found && strcmp(found->name, k->name) != 0);
    found = k;
  }
  return found;
}

/* f<float> without host_name: the template f */
static const mt_ReadKernel *named_template(const mt_Reading *r,
                                           const char *name) {
  const char *open = strchr(name, '<');
  char base[256];
  if (open == NULL || (size_t)(open - name) >= sizeof base) return NULL;
  memcpy(base, name, (size_t)(open - name));
  base[open - name] = '\0';
  return definition(r, base, false);
}

static const mt_ReadKernel *find(const mt_Reading *r, const char *name) {
  bool many;
  const mt_ReadKernel *k = instance(r, name, &many);
  if (k) return many || is_doubtful(k) ? NULL : definition(r, k->name, false);
  k = definition(r, name, true);
  return k ? k : named_template(r, name);
}

const mt_ReadKernel *mt_signatures_find(const mt_Signatures *s,
                                        const char *name) {
  return s ? find(&s->reading, name) : NULL;
}

/* ------------------------------------------------------ template arguments */

typedef struct Part {
  const char *at;
  size_t length;
} Part;

/* The next item of "<a, b<c, d>, e>"; '*list' is at its '<' or at a comma. */
static bool next_part(const char **list, Part *out) {
  long depth = 0;
  const char *s = *list;
  if (*s != '<' && *s != ',') return false;
  out->at = ++s;
  for (; *s && (depth || (*s != ',' && *s != '>')); s++)
    depth += (strchr("<([{", *s) != NULL) - (strchr(">)]}", *s) != NULL);
  out->length = (size_t)(s - out->at);
  *list = s;
  return true;
}

static void trim(Part *p) {
  while (p->length && (*p->at == ' ' || *p->at == '\n')) p->at++, p->length--;
  while (p->length &&
         (p->at[p->length - 1] == ' ' || p->at[p->length - 1] == '\n'))
    p->length--;
}

/* "typename T = float": is 'word' its name? If so, its default argument. */
static bool declares(Part p, Part word, Part *without) {
  const char *equals = memchr(p.at, '=', p.length);
  *without = (Part){"", 0};
  if (equals) {
    *without = (Part){equals + 1, p.length - (size_t)(equals + 1 - p.at)};
    p.length = (size_t)(equals - p.at);
  }
  trim(&p);
  size_t n = word.length;
  return p.length > n && memcmp(p.at + p.length - n, word.at, n) == 0 &&
         strchr(" .\n", p.at[p.length - n - 1]);
}

/* The template arguments as text: from the explicit instantiation, or from the
** name f<float>. */
static const char *arguments_of(const mt_Reading *r, const char *name) {
  bool many;
  const mt_ReadKernel *k = instance(r, name, &many);
  const char *open = strchr(name, '<');
  return k && !many ? k->args : open ? open : "";
}

/* The argument for the template parameter 'word' in that instance of 'k', or
** the default argument, or nothing; false: there is no such parameter. */
static bool argument(const mt_ReadKernel *k, const char *args, Part word,
                     Part *out) {
  const char *params = strchr(k->head, '<');
  Part p, without, arg = {"", 0};
  while (params && next_part(&params, &p)) {
    bool given = next_part(&args, &arg);
    if (!declares(p, word, &without)) continue;
    *out = given ? arg : without;
    trim(out);
    return true;
  }
  return false;
}

static bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
static bool in_word(char c) { return is_letter(c) || (c >= '0' && c <= '9'); }

/* Append without spaces, except between words and after a comma. */
static void add_type(mt_Str *out, Part p) {
  for (size_t i = 0; i < p.length; i++) {
    char c = p.at[i], last = out->length ? out->text[out->length - 1] : ' ';
    if (c == ' ' || c == '\n') continue;
    bool apart = i && (p.at[i - 1] == ' ' || p.at[i - 1] == '\n') &&
                 in_word(last) && in_word(c);
    if (apart || last == ',') mt_str_add_char(out, ' ');
    mt_str_add_char(out, c);
  }
}

/* False: a template argument is not known. */
static bool substitute(const mt_ReadKernel *k, const char *args,
                       const char *type, mt_Str *out) {
  for (const char *s = type; *s;) {
    const char *end = s + 1;
    Part arg, piece;
    if (is_letter(*s)) while (in_word(*end)) end++;
    piece = (Part){s, (size_t)(end - s)};
    bool member = s > type && (s[-1] == ':' || s[-1] == '.');
    bool replaced = is_letter(*s) && !member && argument(k, args, piece, &arg);
    if (replaced && arg.length == 0) return false;
    if (s > type && s[-1] == ' ' && in_word(*s)) mt_str_add_char(out, ' ');
    add_type(out, replaced ? arg : piece);
    s = end;
  }
  return true;
}

/* Without its namespace; with 'element', T of array<T, 4>. */
static Part own_name(Part type, bool element) {
  const char *end = type.at + type.length, *head = type.at;
  for (const char *s = head; s + 1 < end && *s != '<'; s++)
    if (s[0] == ':' && s[1] == ':') head = s + 2;
  Part p = {head, (size_t)(end - head)}, first;
  const char *open = element && p.length > 6 && memcmp(p.at, "array<", 6) == 0
                         ? p.at + 5
                         : NULL;
  if (open == NULL || !next_part(&open, &first)) return p;
  trim(&first);
  return own_name(first, true);
}

bool mt_reading_type(const mt_Reading *r, const char *name, uint32_t param,
                     bool element, mt_Str *out) {
  const mt_ReadKernel *k = r ? find(r, name) : NULL;
  if (k == NULL || param >= k->count || k->params[param].type[0] == '\0')
    return false;
  mt_Str whole = MT_STR_INIT;
  bool known =
      substitute(k, arguments_of(r, name), k->params[param].type, &whole) &&
      !whole.failed;
  Part own = own_name((Part){mt_str_text(&whole), whole.length}, element);
  if (known) mt_str_add_bytes(out, own.at, own.length);
  mt_str_free(&whole);
  return known;
}

bool mt_signatures_type(const mt_Signatures *s, const char *name,
                        uint32_t param, bool element, mt_Str *out) {
  return s && mt_reading_type(&s->reading, name, param, element, out);
}

size_t mt_signatures_place(const mt_Signatures *s, const char *name) {
  bool many;
  const mt_ReadKernel *k = mt_signatures_find(s, name);
  const mt_ReadKernel *made = s ? instance(&s->reading, name, &many) : NULL;
  if (k == NULL) return SIZE_MAX;
  /* instances of one template are sorted by their own position */
  return ((size_t)k->at << 31) + (made ? made->at : 0);
}

bool mt_signatures_logs(const mt_Signatures *s, const char *name) {
  if (s == NULL || s->logs_unknown) return true;
  const mt_ReadKernel *k = mt_signatures_find(s, name);
  if (k == NULL) return s->logs != NULL;
  const char *colons = strrchr(k->name, ':');
  return mt_name_closure_has(s->logs, colons ? colons + 1 : k->name);
}

bool mt_signature_index(const mt_ReadParam *p, unsigned *out) {
  long n;
  if (p->index == NULL || !mt_macros_number(p->index, &n) || n < 0 || n > 65535)
    return false;
  *out = (unsigned)n;
  return true;
}
