/*
** workshop.c - LLVM works in a process of its own, see build.h.
**
** The one idea: a kernel's process is a copy of this one (base/aside.h), so it
** has the kernel already; an order is a few bytes. It keeps the prepared kernel
** for further orders, of other geometries. What LLVM does not survive over
** vectors it is asked again thread by thread: the kernel runs, if slowly.
*/
#include <stdlib.h>
#include <string.h>

#include "base/aside.h"
#include "devices/host/engine/build.h"

#define MOST_SHOPS 4      /* kernels whose process is kept */
#define MOST_SECONDS 60.0 /* of the processor's time for an order */

/* Those whose process is there, the one used last first. */
static Kernel *open[MOST_SHOPS];

static double most_seconds(void) {
  const char *said = getenv("METTLE_LLVM_SECONDS");
  double n = said ? strtod(said, NULL) : 0;
  return n > 0 ? n : MOST_SECONDS;
}

/* ------------------------------------------------------- in the other process */

/* The answer: mt_Status, mt_Error, and what was built if all is well. */
static void serve(void *context, const void *question, size_t size,
                  mt_Str *answer) {
  Kernel *k = context;
  mt_Order order;
  mt_Built built = {0};
  mt_Error err = {{0}};
  if (size != sizeof order) return;
  memcpy(&order, question, sizeof order);
  mt_Status status = mt_build(k, &order, &built, &err);
  mt_str_add_bytes(answer, &status, sizeof status);
  mt_str_add_bytes(answer, &err, sizeof err);
  if (status == MT_OK) mt_built_pack(&built, answer);
  mt_built_free(&built);
}

/* ------------------------------------------------------------------ from here */

void mt_workshop_leave(Kernel *k) {
  for (int i = 0; i < MOST_SHOPS; i++)
    if (open[i] == k) open[i] = NULL;
  mt_aside_free(k->shop);
  k->shop = NULL;
}

/* To the front of the list; the last one has to go. */
static void use(Kernel *k) {
  int at = 0;
  while (at < MOST_SHOPS - 1 && open[at] != k && open[at]) at++;
  if (open[at] && open[at] != k) mt_workshop_leave(open[at]);
  memmove(open + 1, open, (size_t)at * sizeof *open);
  open[0] = k;
}

static bool enter(Kernel *k) {
  if (!mt_aside_usable(k->shop)) {
    mt_workshop_leave(k);
    k->shop = mt_aside_new(serve, k);
  }
  if (k->shop) use(k);
  return k->shop != NULL;
}

static mt_Status read_answer(const mt_Str *answer, mt_Built *out,
                             mt_Error *err) {
  mt_Status status;
  mt_Error said;
  size_t head = sizeof status + sizeof said;
  if (answer->length < head)
    return mt_error(err, MT_FAIL, "LLVM's process gave no answer");
  memcpy(&status, answer->text, sizeof status);
  memcpy(&said, answer->text + sizeof status, sizeof said);
  if (status != MT_OK) return mt_error(err, status, "%s", said.text);
  if (!mt_built_unpack(answer->text + head, answer->length - head, out))
    return mt_error(err, MT_FAIL, "out of memory");
  return MT_OK;
}

/* '*lost': LLVM has not come back from it, and 'err' says how. */
static mt_Status ask(Kernel *k, const mt_Order *o, mt_Built *out, bool *lost,
                     mt_Error *err) {
  *lost = false;
  if (!enter(k)) return mt_build(k, o, out, err);
  mt_Str answer = MT_STR_INIT, notice = MT_STR_INIT;
  mt_str_addf(&notice, "%s: making the code…", k->msl->name);
  mt_Question q = {.bytes = o, .size = sizeof *o, .seconds = most_seconds()};
  if (!mt_order_is_watched(o)) q.notice = mt_str_text(&notice); /* waiting.h */
  mt_Status status = mt_aside_ask(k->shop, &q, &answer, err);
  *lost = status != MT_OK && status != MT_CANCELLED;
  if (status == MT_OK)
    status = read_answer(&answer, out, err);
  else
    mt_workshop_leave(k);
  mt_str_free(&answer);
  mt_str_free(&notice);
  return status;
}

mt_Status mt_workshop_make(Kernel *k, const mt_Order *o, mt_Built *out,
                           mt_Error *err) {
  bool lost;
  mt_Error how = {{0}};
  mt_Status status = ask(k, o, out, &lost, &how);
  if (lost) {
    mt_Order again = *o;
    again.alone = true;
    again.plain = !mt_order_is_watched(o);
    mt_built_free(out);
    status = ask(k, &again, out, &lost, err);
    if (status == MT_OK)
      mt_error(&out->why, MT_OK, "LLVM failed over its vectors: %s", how.text);
    if (!lost) return status;
    return mt_error(err, MT_FAIL,
                    "LLVM failed over kernel '%s', as vectors and thread by "
                    "thread: %s; try a simpler kernel, and please report this "
                    "one", k->msl->name, how.text);
  }
  if (status != MT_OK && err) *err = how;
  return status;
}
