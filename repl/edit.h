/*
** edit.h - one line from the person at the terminal, edited with linenoise.
**
** linenoise keeps the line and paints it; keys, pastes, history and completion
** are handled here, so that both versions of linenoise that scripts/deps may
** find behave alike, no line is too long, and UTF-8 stays whole. Only for a
** terminal that understands escape sequences (mt_term_clever). The terminal is
** raw when mt_edit_line returns: call mt_term_cooked before running anything.
*/
#ifndef MT_EDIT_H
#define MT_EDIT_H

#include "base/str.h"

typedef enum mt_EditEnd {
  MT_EDIT_LINE,      /* Enter: the line, perhaps a recalled one of several */
  MT_EDIT_PASTE,     /* pasted lines, the last one complete, ended by '\n' */
  MT_EDIT_INTERRUPT, /* Ctrl-C: what was typed is gone */
  MT_EDIT_EOF        /* Ctrl-D on an empty line, or the terminal is gone */
} mt_EditEnd;

/* What could stand at the end of the text before the cursor. */
typedef struct mt_Choices {
  size_t typed;   /* bytes at the end of the text that each choice replaces */
  char **choices; /* sorted, without doubles */
  size_t count;
  bool indent; /* nothing to complete here: Tab indents */
} mt_Choices;

typedef struct mt_EditHooks {
  void *context;
  /* Fill 'out', which is empty; the editor frees it. NULL ok. */
  void (*complete)(void *context, const char *before, mt_Choices *out);
  /* Append what to show in grey behind the line, which has 'text'. NULL ok. */
  void (*hint)(void *context, const char *text, mt_Str *out);
  /* Nothing was typed for a moment; once for each line. NULL ok. */
  void (*idle)(void *context);
} mt_EditHooks;

void mt_choices_add(mt_Choices *c, const char *text, size_t n);
void mt_choices_sort(mt_Choices *c); /* and remove doubles */
void mt_choices_free(mt_Choices *c);

/*
** Ask with 'prompt' (ASCII) and replace 'out' by what was entered. 'colour'
** paints the prompt and the hint. Pasted text behind the last newline waits in
** the next line asked for.
*/
mt_EditEnd mt_edit_line(const char *prompt, bool colour,
                        const mt_EditHooks *hooks, mt_Str *out);

/* Forget text that waits for the next line. */
void mt_edit_forget(void);

#endif
