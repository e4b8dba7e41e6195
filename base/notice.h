/*
** notice.h - progress notices and warnings for the user.
**
** Nothing below lua/ prints. Work that may take seconds announces itself here;
** the program shows the text if there is a terminal.
*/
#ifndef MT_NOTICE_H
#define MT_NOTICE_H

/* 'show' gets one line without a newline, or NULL when the work is over; it
** must copy what it keeps. NULL, the default: no display. Console thread. */
void mt_notice_set(void (*show)(const char *text));

void mt_notice(const char *text); /* any thread, one at a time; NULL: over */

/*
** For work that may or may not take long: after mt_notice_begin, the first
** mt_notice_wait at least a second later shows the text; mt_notice_end removes
** it. They do not nest; mt_notice_wait without a begin does nothing. 'text'
** lives until the end.
*/
void mt_notice_begin(const char *text);
void mt_notice_wait(void);
void mt_notice_end(void);

/* A sentence that stays on the screen, shown without a terminal too. */
void mt_warning_set(void (*show)(const char *text));
void mt_warning(const char *text);

#endif
