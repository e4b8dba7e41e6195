/*
** messages.c - messages of kernels, see messages.h.
*/
#include "devices/messages.h"

#include <stdio.h>
#include <stdlib.h>

#define KEPT 256 /* messages of a launch */

struct mt_Message {
  uint64_t group, order, number; /* number: in order of arrival */
  bool error;
  char text[MT_MESSAGE_LENGTH];
};

static int compare(const void *a, const void *b) {
  const mt_Message *x = a, *y = b;
  if (x->group != y->group) return x->group < y->group ? -1 : 1;
  if (x->order != y->order) return x->order < y->order ? -1 : 1;
  return x->number < y->number ? -1 : x->number > y->number;
}

/* Sort, and drop the last ones. */
static void tidy(mt_Messages *m) {
  if (m->count) qsort(m->list, m->count, sizeof *m->list, compare);
  if (m->count <= KEPT) return;
  m->left_out += m->count - KEPT;
  m->count = KEPT;
}

void mt_messages_keep(mt_Messages *m, uint64_t group, uint64_t order,
                      bool error, const char *text) {
  if (!m->list) m->list = malloc(2 * KEPT * sizeof *m->list);
  if (!m->list) {
    m->left_out++;
    return;
  }
  mt_Message *one = &m->list[m->count++];
  *one = (mt_Message){
      .group = group, .order = order, .number = m->number++, .error = error};
  snprintf(one->text, sizeof one->text, "%s", text);
  if (m->count == 2 * KEPT) tidy(m);
}

void mt_messages_take(mt_Messages *m, mt_Str *out) {
  tidy(m);
  for (size_t i = 0; i < m->count; i++)
    mt_str_addf(out, "%s%s\n",
                m->list[i].error ? "kernel, error: " : "kernel: ",
                m->list[i].text);
  if (m->left_out)
    mt_str_addf(out, "kernel: %llu more messages were left out; let fewer "
                "threads log, as in if (i == 0)\n",
                (unsigned long long)m->left_out);
  m->count = 0;
  m->left_out = 0;
}

void mt_messages_free(mt_Messages *m) {
  free(m->list);
  *m = (mt_Messages){0};
}
