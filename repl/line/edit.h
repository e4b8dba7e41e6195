/*
** edit.h - reads one line from the terminal, edited with linenoise.
**
** linenoise stores the line and draws it; keys, pastes, history and completion
** are handled here, so that all versions of linenoise that scripts/deps may
** find behave the same, lines may be long, and UTF-8 works. Only for a terminal
** that understands escape sequences (mt_term_clever). The terminal is in raw
** mode when mt_edit_line returns: call mt_term_cooked before running anything.
*/
#ifndef MT_EDIT_H
#define MT_EDIT_H

#include "base/str.h"

typedef enum mt_EditEnd {
  MT_EDIT_LINE,      /* Enter: the line; an entry recalled may have several */
  MT_EDIT_PASTE,     /* pasted lines, the last one complete, ended by '\n' */
  MT_EDIT_INTERRUPT, /* Ctrl-C: the typed text is discarded */
  MT_EDIT_EOF        /* Ctrl-D on an empty line, or the terminal was closed */
} mt_EditEnd;

/* Completions of the text before the cursor. */
typedef struct mt_Choices {
  size_t typed;   /* bytes at the end of the text that each choice replaces */
  char **choices; /* sorted, without duplicates */
  size_t count;
  bool indent; /* nothing to complete here: Tab indents */
} mt_Choices;

typedef struct mt_EditHooks {
  void *context;
  /* Fill 'out', which is empty; the editor frees it. NULL ok. */
  void (*complete)(void *context, const char *before, mt_Choices *out);
  /* Append the grey hint to show after the line 'text'. NULL ok. */
  void (*hint)(void *context, const char *text, mt_Str *out);
  /* Called when nothing was typed for a moment, once for each line; not before
  ** the first key of all, and then at once. NULL ok. */
  void (*idle)(void *context);
} mt_EditHooks;

void mt_choices_add(mt_Choices *c, const char *text, size_t n);
void mt_choices_sort(mt_Choices *c); /* and remove duplicates */
void mt_choices_free(mt_Choices *c);

/*
** Show 'prompt' (UTF-8, each character one column) and replace 'out' by the
** text entered. 'colour' applies to the prompt and the hint. Pasted text after
** the last newline becomes the start of the next line.
*/
mt_EditEnd mt_edit_line(const char *prompt, bool colour,
                        const mt_EditHooks *hooks, mt_Str *out);

/* Discard text that is kept for the next line. */
void mt_edit_forget(void);

#endif
