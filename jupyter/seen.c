/*
** seen.c - a ring of signatures, and lists of those with the same hash.
*/
#include "jupyter/seen.h"

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define LETTERS 32 /* of a signature that are kept: 128 bits */
#define LISTS 4096
#define NONE UINT32_MAX

typedef struct Entry {
  char letters[LETTERS];
  uint32_t next; /* in its list; NONE: the last */
} Entry;

struct mt_Seen {
  pthread_mutex_t lock;
  Entry *ring;           /* grows up to MT_SEEN_MOST */
  uint32_t room, count;  /* entries allocated and in use */
  uint32_t oldest;       /* the next that is replaced, once it is full */
  uint32_t first[LISTS]; /* of each list */
};

mt_Seen *mt_seen_new(void) {
  mt_Seen *s = calloc(1, sizeof *s);
  if (s == NULL) return NULL;
  pthread_mutex_init(&s->lock, NULL);
  for (size_t i = 0; i < LISTS; i++) s->first[i] = NONE;
  return s;
}

void mt_seen_free(mt_Seen *s) {
  if (s == NULL) return;
  pthread_mutex_destroy(&s->lock);
  free(s->ring);
  free(s);
}

/* FNV-1a */
static uint32_t list_of(const char letters[LETTERS]) {
  uint32_t h = 2166136261u;
  for (int i = 0; i < LETTERS; i++)
    h = (h ^ (unsigned char)letters[i]) * 16777619u;
  return h % LISTS;
}

static bool is_there(const mt_Seen *s, const char letters[LETTERS]) {
  uint32_t i = s->first[list_of(letters)];
  while (i != NONE && memcmp(s->ring[i].letters, letters, LETTERS) != 0)
    i = s->ring[i].next;
  return i != NONE;
}

static bool grow(mt_Seen *s) {
  uint32_t room = s->room ? 2 * s->room : 64;
  Entry *ring = realloc(s->ring, room * sizeof *ring);
  if (ring == NULL) return false;
  s->ring = ring;
  s->room = room;
  return true;
}

static void take_out(mt_Seen *s, uint32_t gone) {
  uint32_t *at = &s->first[list_of(s->ring[gone].letters)];
  while (*at != gone) at = &s->ring[*at].next;
  *at = s->ring[gone].next;
}

/* A free entry; NONE: no memory. */
static uint32_t free_entry(mt_Seen *s) {
  if (s->count == s->room && s->room < MT_SEEN_MOST && !grow(s)) return NONE;
  if (s->count < s->room) return s->count++;
  uint32_t i = s->oldest;
  s->oldest = (i + 1) % MT_SEEN_MOST;
  take_out(s, i);
  return i;
}

static bool add(mt_Seen *s, const char letters[LETTERS]) {
  uint32_t i = is_there(s, letters) ? NONE : free_entry(s);
  if (i == NONE) return false;
  memcpy(s->ring[i].letters, letters, LETTERS);
  uint32_t *first = &s->first[list_of(letters)];
  s->ring[i].next = *first;
  *first = i;
  return true;
}

bool mt_seen_add(mt_Seen *s, const char *signature) {
  char letters[LETTERS + 1] = "";
  strncpy(letters, signature, LETTERS);
  pthread_mutex_lock(&s->lock);
  bool is_new = add(s, letters);
  pthread_mutex_unlock(&s->lock);
  return is_new;
}
