/*
** server.h - the state of the driver's process, and its commands.
*/
#ifndef MT_CUDA_DRIVER_SERVER_H
#define MT_CUDA_DRIVER_SERVER_H

#include "devices/cuda/driver/command.h"

/* A module with its one function. */
typedef struct mt_ServerCode {
  uint64_t id;
  mt_CuHandle module, function;
  uint32_t shared; /* what the function may have beyond the usual 48 KB */
} mt_ServerCode;

typedef struct mt_Stage mt_Stage;

typedef struct mt_Server {
  mt_Channel *channel;
  unsigned number; /* of the GPU */
  mt_Cu cu;
  mt_CuDevice device;
  mt_CuHandle context, stream, start, end;
  mt_CuHandle marks[2 * MT_DRIVER_SEQUENCE]; /* events: start and end of each */
  /* in memory that the GPU writes too, and that outlives a fault: how many
  ** launches of the sequence have ended; NULL: there was none */
  volatile uint32_t *ended;
  mt_Stage *stage; /* copy.c; NULL: not made so far */
  uint64_t reserve; /* bytes of the card that stay free */
  mt_ServerCode *code;
  size_t code_count, code_room;
} mt_Server;

/* Each takes its command from the channel and leaves its reply there. */
mt_CuResult mt_server_alloc(mt_Server *s); /* memory.c */
mt_CuResult mt_server_free(mt_Server *s);
mt_CuResult mt_server_copy(mt_Server *s); /* copy.c */
mt_CuResult mt_server_text(mt_Server *s);
mt_CuResult mt_server_load(mt_Server *s); /* code.c */
mt_CuResult mt_server_unload(mt_Server *s);
mt_CuResult mt_server_link(mt_Server *s);
mt_CuResult mt_server_fit(mt_Server *s);
mt_CuResult mt_server_launch(mt_Server *s); /* run.c */
mt_CuResult mt_server_enqueue(mt_Server *s);
mt_CuResult mt_server_finish(mt_Server *s);

mt_ServerCode *mt_server_code(mt_Server *s, uint64_t id); /* NULL: none */

/* Wait for an event: looking first, then asleep. */
mt_CuResult mt_server_wait(mt_Server *s, mt_CuHandle event);

#endif
