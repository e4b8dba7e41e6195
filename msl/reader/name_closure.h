/*
** name_closure.h - the declarations of a source that mention a name, directly
** or through the declarations that they use.
**
** Answers "which kernels log?" without a compiler: a kernel that logs mentions
** os_log, or a declaration that mentions it, in its own text. A mention need
** not be a use, so the answer is conservative: it may contain too many
** declarations, never too few.
*/
#ifndef MT_NAME_CLOSURE_H
#define MT_NAME_CLOSURE_H

#include "msl/reader/lex.h"

typedef struct mt_NameClosure mt_NameClosure;

/*
** The declarations that mention a name that begins with 'start', or MT_DOUBT,
** in a text whose macros are expanded (macros.h). 'lex' must outlive the
** answer. NULL: there is none, or out of memory; '*failed' tells which.
*/
mt_NameClosure *mt_name_closure_read(const mt_Lex *lex, const char *start,
                                     bool *failed);
void mt_name_closure_free(mt_NameClosure *m); /* NULL ok */

/* Is a declaration of 'name' (without namespaces) among them? */
bool mt_name_closure_has(const mt_NameClosure *m, const char *name);

#endif
