/*
** channels.h - Jupyter's messages (protocol 5.3) over the five channels.
**
** A message is a header, the header of the request that it belongs to, metadata
** and content, each a JSON object, with the identities of its sender before
** them. Signatures are checked here: a message with a wrong one is dropped, and
** one that comes a second time (jupyter/seen.h).
*/
#ifndef MT_JUPYTER_CHANNELS_H
#define MT_JUPYTER_CHANNELS_H

#include <cJSON.h>

#include "jupyter/transport.h"

#define MT_JUPYTER_PROTOCOL "5.3"

typedef struct mt_JupyterMessage {
  mt_JupyterFrames identities;
  cJSON *header, *parent, *metadata, *content; /* objects */
  const char *type;                            /* of the header; never NULL */
} mt_JupyterMessage;

void mt_jupyter_message_free(mt_JupyterMessage *m); /* it is empty then */

typedef struct mt_Jupyter mt_Jupyter; /* opaque */

/* Listens where the connection file says. mt_jupyter_close ends it. */
mt_Status mt_jupyter_open(const char *connection_file, mt_Jupyter **out,
                          mt_Error *err);
void mt_jupyter_close(mt_Jupyter *j); /* NULL is fine */

/*
** The next message of the shell, control or stdin channel. False if none came
** in 'milliseconds' (less than 0: for ever), a signal did, or it was dropped.
** 'out' is emptied first.
*/
bool mt_jupyter_receive(mt_Jupyter *j, mt_JupyterChannel channel,
                        int milliseconds, mt_JupyterMessage *out);

/* Send to who sent 'to', on the channel. 'content' is freed; NULL, no memory
** was left for it, sends an empty one. */
void mt_jupyter_send(mt_Jupyter *j, mt_JupyterChannel channel,
                     const mt_JupyterMessage *to, const char *type,
                     cJSON *content);

/*
** Tell all clients, on behalf of the request with the header 'parent' (NULL: of
** none). 'content' as above. Any thread.
*/
void mt_jupyter_publish(mt_Jupyter *j, const cJSON *parent, const char *type,
                        cJSON *content);

/* The text of the member 'name', "" if there is none. */
const char *mt_json_text(const cJSON *object, const char *name);
/* The same of a flag: 'otherwise' if there is none. */
bool mt_json_flag(const cJSON *object, const char *name, bool otherwise);

#endif
