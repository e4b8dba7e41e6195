/*
** refuse.c - what Metal drops in silence or aborts on at a dispatch.
**
** Written down from Apple's documentation and the words of its debug layer, and
** apart from devices/launch.c on purpose: a check that is forgotten there must
** not be forgotten here too.
*/
#include <string.h>

#include "tests/metal/device.h"
#include "tests/metal/personality.h"

#define SHARED_LIMIT 32768
#define GRID_LIMIT 0xffffffffu

typedef struct Check {
  Selector selector;
  const mt_Launch *launch;
  const mt_KernelInfo *info;
  bool bad;
} Check;

#define REFUSE(c, ...) (standin_problem(__VA_ARGS__), (c)->bad = true)

static void check_sizes(Check *c) {
  const mt_Launch *l = c->launch;
  const uint64_t grid[] = {l->grid.x, l->grid.y, l->grid.z},
                 group[] = {l->group.x, l->group.y, l->group.z};
  uint64_t threads = 1;
  for (int i = 0; i < 3; i++) {
    uint64_t along = grid[i] * (l->by_groups ? group[i] : 1);
    if (grid[i] == 0 || group[i] == 0)
      REFUSE(c, "%s: a side of the grid or the threadgroup is 0", c->selector);
    if (along > GRID_LIMIT || grid[i] > GRID_LIMIT)
      REFUSE(c, "%s: the grid has more threads than 32 bits count",
             c->selector);
    if (c->info->required_group[i] && c->info->required_group[i] != group[i])
      REFUSE(c, "%s: the kernel demands another threadgroup", c->selector);
    threads *= group[i] < 4096 ? group[i] : 4096;
  }
  unsigned most = standin_most_threads(c->info);
  if (threads > most)
    REFUSE(c,
           "%s: %d threads in a threadgroup, the pipeline takes %u: "
           "dropped in silence",
           c->selector, (int)threads, most);
}

/* Where constant memory may begin: Apple's own GPUs, and others. */
static unsigned constant_align(void) { return standin_gpu()->apple ? 4 : 32; }

static void check_buffer(Check *c, const mt_Param *p, const mt_Arg *a) {
  if (a->link_count && standin_gpu()->arguments < 2)
    REFUSE(c,
           "'%s' holds addresses, and this GPU has argument buffers of "
           "tier 1",
           p->name);
  if (a->kind == MT_ARG_BYTES && p->access != MT_READ)
    REFUSE(c, "'%s' is written by the kernel and bound by setBytes", p->name);
  if (a->size < p->type->size)
    REFUSE(c, "'%s' has space for %d bytes, its type has %d", p->name,
           (int)a->size, (int)p->type->size);
  if (a->kind == MT_ARG_BUFFER && p->constant && a->offset % constant_align())
    REFUSE(c, "'%s' is constant and starts at byte %d", p->name,
           (int)a->offset);
}

/* "texture2d_array<float, …" fits a texture of that kind and format? */
static bool fits(const char *type, const mt_TextureDesc *d) {
  static const char *const kinds[] = {"texture1d<", "texture1d_array<",
                                      "texture2d<", "texture2d_array<",
                                      "texture3d<"};
  const char *element = strchr(type, '<');
  if (strncmp(type, "texture", 7) != 0 || element == NULL) return true;
  bool whole = mt_pixel(d->format)->element != 'f';
  bool wants_whole = strncmp(element + 1, "float", 5) != 0 &&
                     strncmp(element + 1, "half", 4) != 0;
  return strncmp(type, kinds[d->kind], strlen(kinds[d->kind])) == 0 &&
         whole == wants_whole;
}

static void check_arguments(Check *c) {
  size_t shared = c->info->threadgroup_static;
  for (unsigned i = 0; i < c->info->param_count; i++) {
    const mt_Param *p = &c->info->params[i];
    const mt_Arg *a = &c->launch->args[i];
    if (p->kind == MT_PARAM_BUILTIN) continue;
    if (a->kind == MT_ARG_NONE) {
      if (p->used) REFUSE(c, "'%s' is not bound", p->name);
      continue;
    }
    if (p->kind == MT_PARAM_BUFFER) check_buffer(c, p, a);
    if (p->kind == MT_PARAM_THREADGROUP) shared += a->size;
    if (p->kind == MT_PARAM_TEXTURE &&
        !fits(p->type->name, mt_texture_desc(a->texture)))
      REFUSE(c, "'%s' (%s) is given a texture of another type", p->name,
             p->type->name);
  }
  if (shared > SHARED_LIMIT)
    REFUSE(c, "%d bytes of threadgroup memory, the limit is %d", (int)shared,
           SHARED_LIMIT);
}

bool standin_accepts(Selector selector, const mt_Launch *launch) {
  Check c = {selector, launch, mt_kernel_info(launch->kernel), false};
  check_sizes(&c);
  check_arguments(&c);
  return !c.bad;
}
