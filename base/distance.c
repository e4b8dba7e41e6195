/*
** distance.c - how far two words are apart.
*/
#include "base/distance.h"

#include <string.h>

size_t mt_distance(const char *a, const char *b) {
  size_t d[MT_DISTANCE_MOST + 1][MT_DISTANCE_MOST + 1];
  size_t n = strlen(a), m = strlen(b);
  if (n > MT_DISTANCE_MOST || m > MT_DISTANCE_MOST) return MT_DISTANCE_MOST;
  for (size_t i = 0; i <= n; i++) d[i][0] = i;
  for (size_t j = 0; j <= m; j++) d[0][j] = j;
  for (size_t i = 1; i <= n; i++)
    for (size_t j = 1; j <= m; j++) {
      size_t best = d[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
      if (d[i - 1][j] + 1 < best) best = d[i - 1][j] + 1;
      if (d[i][j - 1] + 1 < best) best = d[i][j - 1] + 1;
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
          d[i - 2][j - 2] + 1 < best)
        best = d[i - 2][j - 2] + 1;
      d[i][j] = best;
    }
  return d[n][m];
}
