/*
** signatures.c - the kernels of a source and their parameters, without a
** compiler: macros expanded (macros.h), then the reader.
*/
#include "msl/signatures.h"

#include <stdlib.h>
#include <string.h>

#include "msl/macros.h"
#include "msl/mentions.h"

struct mt_Signatures {
  mt_Str text;
  mt_Lex lex;
  mt_Reading reading;
  mt_Mentions *logs;     /* declarations that mention os_log; NULL: none */
  bool logs_unknown;
};

/* Searches the original text: of a macro with uncertain definitions, expansion
** shows only the last. */
static bool mentions_logs(const char *text, size_t length) {
  for (const char *at = text; (at = memchr(at, 'o', length - (size_t)(at - text))) != NULL; at++)
    if (length - (size_t)(at - text) >= 6 && memcmp(at, "os_log", 6) == 0) return true;
  return false;
}

mt_Signatures *mt_signatures_read(const char *text, size_t length, const mt_MslDefine *defines, size_t define_count) {
  mt_Signatures *s = calloc(1, sizeof *s);
  mt_LexError bad;
  if (s == NULL) return NULL;
  if (mt_macros_expand(text, length, defines, define_count, &s->text) == MT_OK &&
      mt_lex_read(&s->lex, mt_str_text(&s->text), s->text.length, &bad) == MT_OK &&
      mt_reader_run(&s->lex, false, &s->reading) == MT_OK) {
    if (mentions_logs(text, length)) s->logs = mt_mentions_read(&s->lex, "os_log", &s->logs_unknown);
    return s;
  }
  mt_signatures_free(s);
  return NULL;
}

void mt_signatures_free(mt_Signatures *s) {
  if (s == NULL) return;
  mt_mentions_free(s->logs);
  mt_reading_free(&s->reading);
  mt_lex_free(&s->lex);
  mt_str_free(&s->text);
  free(s);
}

static bool same_text(const char *a, const char *b) { return a == b || (a && b && strcmp(a, b) == 0); }

static bool same_params(const mt_ReadKernel *a, const mt_ReadKernel *b) {
  if (a->count != b->count) return false;
  for (uint32_t i = 0; i < a->count; i++) {
    const mt_ReadParam *p = &a->params[i], *q = &b->params[i];
    if (strcmp(p->name, q->name) || strcmp(p->form, q->form) || strcmp(p->space, q->space) || strcmp(p->type, q->type) ||
        strcmp(p->attribute, q->attribute) || !same_text(p->index, q->index) || p->constant != q->constant)
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
static bool is_called(const mt_ReadKernel *k, const char *name) { return strcmp(k->host ? k->host : k->name, name) == 0; }

/* The definition of that name, by host_name if 'host', else as declared; NULL:
** none, or several that differ. */
static const mt_ReadKernel *definition(const mt_Signatures *s, const char *name, bool host) {
  const mt_ReadKernel *found = NULL;
  for (uint32_t i = 0; i < s->reading.kernel_count; i++) {
    const mt_ReadKernel *k = &s->reading.kernels[i];
    if (k->instance || !(host ? is_called(k, name) : strcmp(k->name, name) == 0)) continue;
    if (is_doubtful(k) || (found && !same_params(found, k))) return NULL;
    found = k;
  }
  return found;
}

/* The instance with this host_name. '*many': several templates have one. */
static const mt_ReadKernel *instance(const mt_Signatures *s, const char *name, bool *many) {
  const mt_ReadKernel *found = NULL;
  *many = false;
  for (uint32_t i = 0; i < s->reading.kernel_count; i++) {
    const mt_ReadKernel *k = &s->reading.kernels[i];
    if (!k->instance || k->host == NULL || strcmp(k->host, name) != 0) continue;
    *many = *many || (found && strcmp(found->name, k->name) != 0);
    found = k;
  }
  return found;
}

/* f<float> without host_name: the template f */
static const mt_ReadKernel *named_template(const mt_Signatures *s, const char *name) {
  const char *open = strchr(name, '<');
  char base[256];
  if (open == NULL || (size_t)(open - name) >= sizeof base) return NULL;
  memcpy(base, name, (size_t)(open - name));
  base[open - name] = '\0';
  return definition(s, base, false);
}

const mt_ReadKernel *mt_signatures_find(const mt_Signatures *s, const char *name) {
  bool many;
  if (s == NULL) return NULL;
  const mt_ReadKernel *k = instance(s, name, &many);
  if (k) return many || is_doubtful(k) ? NULL : definition(s, k->name, false);
  k = definition(s, name, true);
  return k ? k : named_template(s, name);
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
  for (; *s && (depth || (*s != ',' && *s != '>')); s++) depth += (strchr("<([{", *s) != NULL) - (strchr(">)]}", *s) != NULL);
  out->length = (size_t)(s - out->at);
  *list = s;
  return true;
}

static void trim(Part *p) {
  while (p->length && (*p->at == ' ' || *p->at == '\n')) p->at++, p->length--;
  while (p->length && (p->at[p->length - 1] == ' ' || p->at[p->length - 1] == '\n')) p->length--;
}

/* "typename T = float": is 'word' its name? If so, its default argument. */
static bool declares(Part p, const char *word, Part *without) {
  const char *equals = memchr(p.at, '=', p.length);
  *without = (Part){"", 0};
  if (equals) {
    *without = (Part){equals + 1, p.length - (size_t)(equals + 1 - p.at)};
    p.length = (size_t)(equals - p.at);
  }
  trim(&p);
  size_t n = strlen(word);
  return p.length > n && memcmp(p.at + p.length - n, word, n) == 0 && strchr(" .\n", p.at[p.length - n - 1]);
}

/* The template arguments as text: from the explicit instantiation, or from the
** name f<float>. */
static const char *arguments_of(const mt_Signatures *s, const char *name) {
  bool many;
  const mt_ReadKernel *k = instance(s, name, &many);
  const char *open = strchr(name, '<');
  return k && !many ? k->args : open ? open : "";
}

bool mt_signatures_argument(const mt_Signatures *s, const char *name, const char *word, mt_Str *out) {
  const mt_ReadKernel *k = mt_signatures_find(s, name);
  const char *params = k ? strchr(k->head, '<') : NULL, *args = k ? arguments_of(s, name) : "";
  Part p, without, arg = {"", 0};
  while (params && next_part(&params, &p)) {
    bool given = next_part(&args, &arg);
    if (!declares(p, word, &without)) continue;
    if (!given) arg = without;
    for (size_t i = 0; i < arg.length; i++)
      if (arg.at[i] != ' ' && arg.at[i] != '\n') mt_str_add_char(out, arg.at[i]);
    return true;
  }
  return false;
}

size_t mt_signatures_place(const mt_Signatures *s, const char *name) {
  bool many;
  const mt_ReadKernel *k = mt_signatures_find(s, name);
  const mt_ReadKernel *made = s ? instance(s, name, &many) : NULL;
  if (k == NULL) return SIZE_MAX;
  /* instances of one template are sorted by their own position */
  return ((size_t)k->at << 31) + (made ? made->at : 0);
}

bool mt_signatures_logs(const mt_Signatures *s, const char *name) {
  if (s == NULL || s->logs_unknown) return true;
  const mt_ReadKernel *k = mt_signatures_find(s, name);
  if (k == NULL) return s->logs != NULL;
  const char *colons = strrchr(k->name, ':');
  return mt_mentions_in(s->logs, colons ? colons + 1 : k->name);
}

bool mt_signature_index(const mt_ReadParam *p, unsigned *out) {
  long n;
  if (p->index == NULL || !mt_macros_number(p->index, &n) || n < 0 || n > 65535) return false;
  *out = (unsigned)n;
  return true;
}
