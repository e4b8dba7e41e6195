/*
** advice.h - remedies in the words of the language that the person writes.
**
** The same launch is refused with the same sentence in Lua, in C and in Python,
** but what to write instead is called otherwise. A sentence says what is wrong
** and ends with one of these. Lua's are the default; libmettle sets C's, in
** which each function has its whole name: Python's package puts its own there
** (python/mettle/_library.py).
*/
#ifndef MT_ADVICE_H
#define MT_ADVICE_H

typedef struct mt_Advice {
  const char *copy_buffer;  /* the buffer is of another device */
  const char *new_texture;  /* so is the texture */
  const char *threadgroup;  /* how threadgroup memory is given its size */
  const char *free_buffer;
} mt_Advice;

/* 'words' lives as long as the program. Before the first device is opened. */
void mt_advice_set(const mt_Advice *words);
const mt_Advice *mt_advice(void);

#endif
