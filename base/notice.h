/*
** notice.h - a word to who waits.
**
** Nothing below lua/ prints. What is about to take seconds says so here; the
** program shows it where there is a person to read it.
*/
#ifndef MT_NOTICE_H
#define MT_NOTICE_H

/* 'show' gets one line without its end, or NULL when it is over; it must copy
** what it keeps. NULL: nobody listens, as at the start. Console thread. */
void mt_notice_set(void (*show)(const char *text));

void mt_notice(const char *text); /* any thread, one at a time; NULL: over */

/*
** What may take long or not: begun, the text is shown by the first
** mt_notice_wait that comes a second later, and wiped when it ends. They do not
** nest; waiting without a beginning does nothing. 'text' lives until the end.
*/
void mt_notice_begin(const char *text);
void mt_notice_wait(void);
void mt_notice_end(void);

/* A sentence that stays, said to who works without a terminal, too. */
void mt_warning_set(void (*show)(const char *text));
void mt_warning(const char *text);

#endif
