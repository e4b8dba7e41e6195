/*
** matrix_access.c - loads and stores of simdgroup matrices.
**
** The one idea: a matrix is one access of a whole SIMD-group, 64 elements in
** eight rows, so one call checks all of it: code for each element would be most
** of the kernel. Usually it is in bounds, in memory that is not written or
** whose words are clean, and no element has to be looked at. If an element is
** bad, the whole matrix is redirected to other memory.
*/
#include <llvm-c/DebugInfo.h>
#include <string.h>

#include "base/str.h"
#include "devices/host/check/check.h"

/* Metal does not say which lane holds which element, and no kernel may depend
** on it. So lane l has element l % 8 of two rows ('half' 1: the lower), but not
** of the rows of s[lane] and s[lane + 32]: a kernel that reads those after a
** store without a barrier then reads another lane's write, a race. */
static int64_t element(unsigned lane, unsigned half, int64_t stride,
                       bool turned) {
  int64_t row = (lane / 8 + 2) % 4 + 4 * half, column = lane % 8;
  return turned ? column * stride + row : row * stride + column;
}

/* Is all of it in bounds and aligned? The stride is compared first, so that the
** size cannot overflow. */
static bool is_inside(const mt_Check *c, const mt_Site *s, const char *base,
                      const char *p, int64_t stride) {
  size_t size = c->root_size[s->root];
  if (size == SIZE_MAX || stride < 0 || stride > (int64_t)size) return false;
  size_t at = (size_t)(p - base), bytes = (size_t)(7 * stride + 8) * s->size;
  return at <= size && bytes <= size - at && at % s->align == 0 &&
         (uintptr_t)p % s->align == 0;
}

/* Clean threadgroup memory: put the reads on the list, four rows at a time. */
static bool is_listed(mt_Check *c, uint32_t sg, uint32_t site, const char *p,
                      int64_t stride, bool turned) {
  int64_t size = c->sites->site[site].size;
  for (unsigned half = 0; half < 2; half++) {
    int32_t plan[1 + 4 * 4] = {4};
    for (unsigned r = 0; r < 4; r++) {
      int32_t *row = plan + 1 + 4 * r;
      row[0] = (int32_t)(8 * r), row[1] = 8;
      row[2] = (int32_t)(turned ? stride * size : size);
      row[3] = (int32_t)(element(8 * r, half, stride, turned) * size);
    }
    if (!mt_check_tile(c, sg, ~0u, site, p - c->group_memory.start, plan))
      return false;
  }
  return true;
}

static bool is_good(mt_Check *c, uint32_t sg, uint32_t site, const char *base,
                    const char *p, int64_t stride, bool turned) {
  const mt_Site *s = &c->sites->site[site];
  if (s->root == MT_ROOT_UNKNOWN || !is_inside(c, s, base, p, stride))
    return false;
  const mt_Region *r = mt_check_region(c, s->root);
  if (!mt_is_shadowed(c, r)) return true;
  return r == &c->group_memory && s->kind == MT_SITE_READ && mt_tile_fits(c) &&
         is_listed(c, sg, site, p, stride, turned);
}

/* One half, as a list of addresses; gives the lanes with a bad element. */
static uint32_t check_half(mt_Check *c, uint32_t sg, uint32_t mask,
                           uint32_t site, char *base, char *const *at) {
  char *to[MT_LANES];
  uint32_t bad = 0;
  memcpy(to, at, sizeof to);
  mt_check_lanes(c, sg, mask, site, base, to, NULL);
  for (uint32_t left = mask; left; left &= left - 1) {
    unsigned lane = (unsigned)__builtin_ctz(left);
    if (to[lane] != at[lane]) bad |= 1u << lane;
  }
  return bad;
}

uint32_t mt_check_matrix_lanes(mt_Check *c, uint32_t sg, uint32_t mask,
                               uint32_t site, char *base, char **p,
                               const int64_t *stride, const uint8_t *turned) {
  int64_t size = c->sites->site[site].size;
  uint32_t bad = 0;
  for (unsigned half = 0; half < 2; half++) {
    char *at[MT_LANES];
    for (unsigned l = 0; l < MT_LANES; l++)
      at[l] = p[l] + element(l, half, stride[l], turned[l] & 1) * size;
    bad |= check_half(c, sg, mask, site, base, at);
  }
  for (unsigned l = 0; bad && l < MT_LANES; l++) p[l] = c->matrix;
  return bad;
}

/* Thread by thread, each call checks one lane's elements: an element out of
** bounds in any lane redirects the matrix in all of them. */
static bool is_bad_for_others(const mt_Check *c, const mt_Site *s,
                              const char *base, const char *p, int64_t stride) {
  return s->root != MT_ROOT_UNKNOWN && c->root_size[s->root] != SIZE_MAX &&
         !is_inside(c, s, base, p, stride);
}

char *mt_check_matrix(mt_Check *c, uint32_t sg, uint32_t mask, uint32_t site,
                      char *base, char *p, int64_t stride, uint8_t turned) {
  const mt_Site *s = &c->sites->site[site];
  bool bad = false;
  if (mask == ~0u && is_good(c, sg, site, base, p, stride, turned & 1))
    return p;
  for (unsigned half = 0; half < 2; half++) {
    char *at[MT_LANES];
    for (unsigned l = 0; l < MT_LANES; l++)
      at[l] = p + element(l, half, stride, turned & 1) * (int64_t)s->size;
    bad |= check_half(c, sg, mask, site, base, at) != 0;
  }
  bool alone = !(mask & (mask - 1));
  if (alone) bad |= is_bad_for_others(c, s, base, p, stride);
  return bad ? c->matrix : p;
}
