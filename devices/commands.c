/*
** commands.c - several launches in one command buffer.
**
** The one idea: a device that gains by having them all at once has an operation
** for it (mt_DeviceOps.commands). For the others they are launches one after
** the other, which is an order that a concurrent command buffer allows, too.
*/
#include <string.h>

#include "devices/device.h"

/* ----------------------------------------------------------------- running */

static mt_Status check(const mt_Commands *c, size_t *failed, mt_Error *err) {
  for (*failed = 0; *failed < c->count; ++*failed) {
    const mt_Launch *l = &c->list[*failed].launch;
    mt_Status status = mt_launch_check(l, err);
    if (status != MT_OK) return status;
    if (l->kernel->device != c->list[0].launch.kernel->device)
      return mt_error(err, MT_BADARG,
                      "%s runs on another device than the launches before it: "
                      "a command buffer belongs to one",
                      l->kernel->info.name);
  }
  return MT_OK;
}

/* What is left of the time limit; 0 is none. */
static double left_of(double limit, uint64_t used_ns) {
  double left = limit - (double)used_ns * 1e-9;
  return limit <= 0 ? 0 : left > 1e-3 ? left : 1e-3;
}

static mt_Status one_by_one(const mt_Commands *c, mt_Timing *whole,
                            mt_Timing *each, size_t *failed, mt_Error *err) {
  for (size_t i = 0; i < c->count; i++) {
    mt_Launch l = c->list[i].launch;
    l.time_limit = left_of(c->time_limit, whole->wall_ns);
    *failed = i;
    mt_Status status = l.kernel->device->ops->launch(&l, &each[i], err);
    if (status != MT_OK) return status;
    each[i].start_ns = whole->device_ns;
    whole->device_ns += each[i].device_ns;
    whole->wall_ns += each[i].wall_ns;
    whole->quick |= each[i].quick;
  }
  return MT_OK;
}

/* Which launch it was stands before what is wrong with it. */
static mt_Status name_launch(const mt_Commands *c, size_t failed,
                             mt_Status status, mt_Error *err) {
  if (failed >= c->count || c->count == 1) return status;
  mt_Error said = *err;
  return mt_error(err, status, "launch %zu of %zu: %s", failed + 1, c->count,
                  said.text);
}

/* Which of them were the first of their kernel; all, if one was. */
static void mark_first(const mt_Commands *c, mt_Timing *whole,
                       mt_Timing *each) {
  for (size_t i = 0; i < c->count; i++) {
    mt_Kernel *k = c->list[i].launch.kernel;
    each[i].first = each[i].first || !k->launched;
    k->launched = true;
    whole->first = whole->first || each[i].first;
  }
}

mt_Status mt_commands_run(const mt_Commands *c, mt_Timing *whole,
                          mt_Timing *each, mt_Error *err) {
  size_t failed = c->count;
  *whole = (mt_Timing){0};
  memset(each, 0, c->count * sizeof *each);
  mt_Status status = check(c, &failed, err);
  if (status == MT_OK) {
    const mt_DeviceOps *ops = c->list[0].launch.kernel->device->ops;
    status = (ops->commands ? ops->commands : one_by_one)(c, whole, each,
                                                          &failed, err);
    mark_first(c, whole, each);
  }
  return status == MT_OK ? MT_OK : name_launch(c, failed, status, err);
}
