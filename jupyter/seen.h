/*
** seen.h - the signatures of messages that have come, so that one that comes
** once more is known.
**
** A signature proves that who wrote a message had the key, not that they sent
** it now: a listener could send it again, and its cell would run once
** more. Every message has an identity of its own, and so its own signature.
** The last MT_SEEN_MOST are kept; of older ones nothing is known.
*/
#ifndef MT_JUPYTER_SEEN_H
#define MT_JUPYTER_SEEN_H

#include <stdbool.h>

#define MT_SEEN_MOST 65536

typedef struct mt_Seen mt_Seen;

mt_Seen *mt_seen_new(void);     /* NULL: no memory */
void mt_seen_free(mt_Seen *s);  /* NULL ok */

/* Note a signature, in hexadecimal letters; false: it was seen before, or there
** is no memory to note it. Any thread. */
bool mt_seen_add(mt_Seen *s, const char *signature);

#endif
