/*
** personality.h - which GPU and which macOS the stand-in plays: STANDIN_GPU
** names one of those in lua/reference/families.lua, which is also where its
** features are looked up. An M1 where none is named.
*/
#ifndef MT_STANDIN_PERSONALITY_H
#define MT_STANDIN_PERSONALITY_H

#include <stdbool.h>
#include <stddef.h>

typedef struct Personality {
  char title[64];
  int apple, mac, metal; /* the newest family of each kind; 0: of none */
  bool unified;          /* shares the processor's memory */
  int arguments;         /* tier of its argument buffers */
} Personality;

const Personality *standin_gpu(void);

/* The macOS that is played: STANDIN_MACOS, or 26. */
int standin_macos(void);

/* Whether its compiler does not know what the source says, then with a
** sentence. */
bool standin_too_old(const char *source, char *why, size_t size);

/* Whether this GPU lacks what the kernel uses, then with a sentence in
** 'why'. */
bool standin_lacks(const char *source, const char *kernel, char *why,
                   size_t size);

#endif
