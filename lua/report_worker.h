/*
** report_worker.h - a process that has the words of reports.
*/
#ifndef MT_LUA_REPORT_WORKER_H
#define MT_LUA_REPORT_WORKER_H

/*
** Serve as the worker process MT_REPORT_WORD (devices/report.h,
** base/process/worker_process.h); returns the exit status. A question is a
** report, an answer begins with an int: 0, then what
** lua/profile/report_words.lua made of it,
**   text, JSON, the number of rows, and of each
**   check: five uint64_t (number, line, column, other line, other column),
**          message, advice, text
**   profile: name, a double
** or 1 and a sentence that says what was wrong.
*/
int mt_report_serve(void);

#endif
