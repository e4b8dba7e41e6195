/*
** lock.h - one at a time, among all processes of this machine.
*/
#ifndef MT_LOCK_H
#define MT_LOCK_H

#include "base/status.h"

/*
** Wait until nobody else holds the lock file 'path', which is made if it is not
** there, and hold it; at most so many seconds. It ends with the process, however
** that ends. On a disk that has no locks all goes on without one. Give '*lock'
** to mt_lock_drop.
*/
mt_Status mt_lock_take(const char *path, double seconds, int *lock, mt_Error *err);
void mt_lock_drop(int lock);

#endif
