/*
** code_cache.c - machine code in memory, see code_cache.h.
**
** The one idea: code is referenced only while it runs. The rest stays loaded
** until the limit is reached; then the least recently used is unloaded, and a
** later launch reads it from disk or compiles it again.
*/
#include "devices/host/native/code_cache.h"

#include <stdlib.h>

#define BUCKETS 1024 /* a power of two */

size_t mt_code_cache_most = 512;

static mt_LoadedCode *loaded[BUCKETS]; /* lists, by the key's low bits */
static size_t count;
static uint64_t uses;

static mt_LoadedCode **list_of(const mt_Key *key) {
  return &loaded[key->word[0] & (BUCKETS - 1)];
}

mt_LoadedCode *mt_code_cache_find(const mt_Key *key) {
  mt_LoadedCode *s = *list_of(key);
  while (s && !mt_key_equal(&s->made.key, key)) s = s->next;
  if (!s) return NULL;
  s->users++;
  s->last_use = ++uses;
  return s;
}

size_t mt_code_cache_loaded(void) { return count; }

/* The link to the least recently used entry without users; NULL: all are in
** use. */
static mt_LoadedCode **find_idle(void) {
  mt_LoadedCode **best = NULL;
  for (size_t i = 0; i < BUCKETS; i++)
    for (mt_LoadedCode **at = &loaded[i]; *at; at = &(*at)->next)
      if (!(*at)->users && (!best || (*at)->last_use < (*best)->last_use))
        best = at;
  return best;
}

static void make_way(void) {
  mt_LoadedCode **at;
  while (count >= mt_code_cache_most && (at = find_idle()) != NULL) {
    mt_LoadedCode *s = *at;
    *at = s->next;
    mt_code_free(s->code);
    free(s);
    count--;
  }
}

mt_Status mt_code_cache_add(const mt_CodeFacts *made, const mt_Str *object,
                            mt_LoadedCode **out, mt_Error *err) {
  make_way();
  mt_LoadedCode *s = calloc(1, sizeof *s), **list = list_of(&made->key);
  if (!s) return mt_error(err, MT_FAIL, "out of memory");
  char symbol[40];
  mt_key_symbol(&made->key, symbol);
  mt_Status status = mt_jit_load(object->text, object->length, symbol, &s->code,
                                 err);
  if (status != MT_OK) {
    free(s);
    return status;
  }
  s->made = *made;
  s->users = 1;
  s->last_use = ++uses;
  s->next = *list;
  *out = *list = s;
  count++;
  return MT_OK;
}

void mt_code_cache_release(mt_LoadedCode *s) {
  if (s) s->users--;
}
