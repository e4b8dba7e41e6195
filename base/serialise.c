/*
** parcel.c - things as bytes, from one process to another, see parcel.h.
*/
#include "base/serialise.h"

#include <stdlib.h>
#include <string.h>

void mt_put(mt_Str *out, const void *bytes, size_t size) {
  if (size) mt_str_add_bytes(out, bytes, size);
}

void mt_put_list(mt_Str *out, const void *list, size_t count, size_t item) {
  mt_put(out, &count, sizeof count);
  mt_put(out, list, count * item);
}

void mt_put_text(mt_Str *out, const char *text) {
  mt_put_list(out, text, text ? strlen(text) + 1 : 0, 1);
}

const void *mt_get(mt_Parcel *p, size_t size) {
  if (p->failed || (size_t)(p->end - p->at) < size) {
    p->failed = true;
    return NULL;
  }
  const char *at = p->at;
  p->at += size;
  return at;
}

void mt_get_into(mt_Parcel *p, void *to, size_t size) {
  const void *from = mt_get(p, size);
  if (from) memcpy(to, from, size);
}

size_t mt_get_count(mt_Parcel *p, size_t item) {
  size_t count = 0;
  mt_get_into(p, &count, sizeof count);
  if (count > (size_t)(p->end - p->at) / item) p->failed = true;
  return p->failed ? 0 : count;
}

void *mt_get_list(mt_Parcel *p, size_t *count, size_t item) {
  *count = mt_get_count(p, item);
  const void *from = mt_get(p, *count * item);
  void *list = from && *count ? malloc(*count * item) : NULL;
  if (list)
    memcpy(list, from, *count * item);
  else if (*count)
    p->failed = true;
  if (!list) *count = 0;
  return list;
}

const char *mt_get_text(mt_Parcel *p) {
  size_t size = mt_get_count(p, 1);
  const char *text = mt_get(p, size);
  if (!text || !size) return NULL;
  if (text[size - 1]) p->failed = true;
  return p->failed ? NULL : text;
}
