/*
** advice.h - remedies in the words of the language that the person writes.
**
** The one idea: the same mistake gets the same sentence in Lua, in C and in
** Python, but what to write instead is called otherwise. What finds the mistake
** says what is wrong, and asks here for the remedy's name. The program has
** Lua's names (lua/bind/core/advice.c); libmettle has C's (embed/advice.c),
** which Python's package replaces by its own (python/mettle/_library.py). Where
** none was set, they are those of the headers below lua/.
*/
#ifndef MT_ADVICE_H
#define MT_ADVICE_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Each is a part of a sentence, never NULL. */
typedef struct mt_Advice {
  const char *copy_buffer; /* the buffer is of another device */
  const char *new_texture; /* so is the texture */
  const char *threadgroup; /* how threadgroup memory is given its size */
  const char *new_buffer;
  const char *free_buffer;
  const char *use_host;    /* how another device is taken: the host */
  const char *commands;    /* several launches in one command buffer */
  const char *check, *profile;
  const char *capture;     /* the call, with a file's name */
  const char *validate;    /* how Metal's own validation is switched on */
  const char *include;     /* how a folder of headers is given */
  const char *folders;     /* and what these are the folders of */
  /* What ends a check that ran too long, and a sentence about the buffer "%s",
  ** which is not written all over; both with what goes before, or "". */
  const char *no_schedules, *outputs;
} mt_Advice;

/* 'words' lives as long as the program. Before the first device is opened. */
void mt_advice_set(const mt_Advice *words);
const mt_Advice *mt_advice(void);

/* For tables of sentences: 'text' with the remedy in place of its name, as in
** "{check} finds the line". Returns 'out'. */
const char *mt_advice_in(const char *text, char *out, size_t size);

#ifdef __cplusplus
}
#endif
#endif
