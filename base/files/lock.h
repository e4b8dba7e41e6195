/*
** lock.h - a lock among all processes of this machine.
*/
#ifndef MT_LOCK_H
#define MT_LOCK_H

#include "base/status.h"

/*
** Lock the file 'path', which is made if missing; wait for at most 'seconds'
** while another process holds it. The lock ends with the process, however that
** ends. On a file system without locks this succeeds without one. Pass '*lock'
** to mt_lock_drop.
*/
mt_Status mt_lock_take(const char *path, double seconds, int *lock,
                       mt_Error *err);
void mt_lock_drop(int lock);

#endif
