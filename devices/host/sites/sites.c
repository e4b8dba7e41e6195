/*
** sites.c - tables of sites and of counts: what is in them, added and freed.
**
** The one idea: sites and the memory that they access have numbers, which is
** all that probes carry.
*/
#include "devices/host/sites/sites.h"

#include <stdlib.h>
#include <string.h>

void mt_sites_free(mt_SiteTable *t) {
  for (size_t i = 0; i < t->count; i++) {
    free((char *)t->site[i].name);
    free((char *)t->site[i].path);
  }
  for (size_t i = 0; i < t->roots; i++) free(t->root[i].type_text);
  for (size_t i = 0; i < t->variables; i++) free(t->variable[i].type);
  free(t->variable);
  free(t->frame);
  free(t->site);
  free(t->root);
  free(t->missed);
  memset(t, 0, sizeof *t);
}

bool mt_sites_grow(void *list, size_t count, size_t *room, size_t item) {
  if (count < *room) return true;
  size_t more = *room ? *room * 2 : 64;
  void *bigger = realloc(*(void **)list, more * item);
  if (!bigger) return false;
  *(void **)list = bigger;
  *room = more;
  return true;
}

uint32_t mt_site_add(mt_SiteTable *t, mt_Site site) {
  if (t->count == 0) { /* in a shadow cell, site 0 means never */
    if (!mt_sites_grow(&t->site, 0, &t->room, sizeof site)) return 0;
    memset(&t->site[t->count++], 0, sizeof site);
  }
  if (t->count > MT_SITES_MAX ||
      !mt_sites_grow(&t->site, t->count, &t->room, sizeof site)) {
    t->full = true;
    mt_unchecked_add(t, MT_UNCHECKED_FULL, site.place, NULL);
    return 0;
  }
  t->site[t->count] = site;
  return (uint32_t)t->count++;
}

/* Equal names give equal pointers. A source has few files, so the names are
** never freed. */
const char *mt_site_file(const char *name, unsigned length) {
  static struct Name {
    struct Name *next;
    char text[];
  } *names;
  struct Name *n = names;
  while (n && (strncmp(n->text, name, length) != 0 || n->text[length]))
    n = n->next;
  if (n) return n->text;
  if ((n = malloc(sizeof *n + length + 1)) == NULL) return NULL;
  memcpy(n->text, name, length);
  n->text[length] = 0;
  n->next = names;
  names = n;
  return n->text;
}

uint64_t mt_sites_params_at(const mt_SiteTable *t, unsigned line, int write) {
  uint64_t params = 0;
  for (size_t i = 1; i < t->count; i++) {
    const mt_Site *s = &t->site[i];
    bool fits = s->kind == MT_SITE_ATOMIC ||
                (s->kind == MT_SITE_READ && write != 1) ||
                (s->kind == MT_SITE_WRITE && write != 0);
    if (!fits || s->place.line != line) continue;
    if (s->root < 0) return 0;
    if (t->root[s->root].kind != MT_ROOT_PARAM) continue;
    if (s->root >= 64) return 0;
    params |= (uint64_t)1 << s->root;
  }
  return params;
}

void mt_counts_free(mt_CountTable *t) {
  free(t->tally);
  free(t->block);
  free(t->site);
  memset(t, 0, sizeof *t);
}
