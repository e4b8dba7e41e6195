/*
** mentions.h - what a source declares that comes to mention a name, itself or by
** what it uses.
**
** Answers "which kernels log?" without a compiler: one that does always mentions
** os_log, or what mentions it, in its own text. The other way round a mention
** need not be a use: what is told is never too little, and sometimes too much.
*/
#ifndef MT_MENTIONS_H
#define MT_MENTIONS_H

#include "msl/lex.h"

typedef struct mt_Mentions mt_Mentions;

/*
** All that comes to mention a name that begins with 'start', or MT_DOUBT, in a
** text whose macros are expanded (macros.h). 'lex' must outlive the answer.
** NULL: nothing mentions one, or out of memory, which '*failed' tells.
*/
mt_Mentions *mt_mentions_read(const mt_Lex *lex, const char *start, bool *failed);
void mt_mentions_free(mt_Mentions *m); /* NULL ok */

/* Does a declaration of 'name' (without namespaces) come to mention it? */
bool mt_mentions_in(const mt_Mentions *m, const char *name);

#endif
