/*
** module.h - the state of one compilation, shared by the front end's files; for
** msl/ alone. msl.h is the public interface.
*/
#ifndef MT_MSL_MODULE_H
#define MT_MSL_MODULE_H

#include <stdint.h>

#include "base/files/cache_entry.h"
#include "msl/clang/clang.h"
#include "msl/reader/lex.h"
#include "msl/msl.h"

/* Makes room for one item past 'count' in the list at '*list', of items of
** 'item' bytes and capacity '*room'. 'list' is the address of the list's
** pointer. False: out of memory, and the list is unchanged. */
bool mt_grow(void *list, size_t count, size_t *room, size_t item);

/* A source location, as typed. */
typedef struct mt_Place {
  const char *file; /* as messages name it */
  unsigned line, column;
} mt_Place;

typedef struct mt_File { /* a text that locations can refer to */
  const char *name;
  const char *text; /* NULL = cannot be read */
  size_t length;
  bool unread;      /* not loaded yet: 'text' is read on first use */
  struct mt_File *next;
} mt_File;

struct mt_MslModule {
  struct mt_Scrap *scraps; /* memory that lives as long as the module */
  char *bitcode;
  size_t bitcode_size;
  mt_MslKernel *kernels;
  size_t kernel_count, kernel_room;
  mt_Constant *constants;
  size_t constant_count, constant_room;
  mt_Diagnostic *diagnostics;
  size_t diagnostic_count, diagnostic_room;
  mt_Str log;

  /* while compiling */
  const char *name; /* of the main text in messages */
  const char *source;
  size_t length;
  mt_File *files;
  mt_Lex lex;              /* of the reader's text */
  mt_Str preprocessed;     /* the reader's text, unless it is the source */
  mt_Str text;             /* what Clang was given */
  uint32_t *line_starts;   /* of the reader's text */
  const char **line_files; /* where each of its lines came from */
  unsigned *line_numbers;
  size_t line_count;
  const char *shared[64]; /* names of threadgroup variables, as in mt_Reading */
  uint32_t shared_count;
  bool unlinked, safe_math, colour; /* as in mt_MslOptions */
  unsigned version; /* the same, and never 0 */
  double time_limit;
  bool signatures_only; /* see mt_msl_is_signatures_only */
  unsigned lines; /* of 'text': signatures follow; 0: none do */
  bool raw; /* the reader's text is the source */
  const char *const *only; /* the only kernels wanted; */
  size_t only_count;       /* 0: all */
  bool lazy;               /* see mt_reading_lazy */

  /* on disk */
  mt_Key key;
  bool keyed;   /* 'key' is set, and it may be kept */
  bool taken;   /* from a library, whose file has the text */
  mt_Str kept;  /* the file that the module was read from, which has texts */
  bool asleep;  /* there are no lex, text and lines: mt_module_wake */
  bool of_many; /* of one that is: mt_msl_main_of_many */
  struct mt_MslUnpacked *unpacked; /* of one that was read there; or NULL */
  struct mt_Reading *reading; /* of the reader's text; NULL: not yet */
};

/* memory.c */
void *mt_scrap(mt_MslModule *m, size_t size); /* zeroed; NULL = none */
const char *mt_scrap_text(mt_MslModule *m, const char *fmt, ...)
    MT_PRINTF(2, 3);

/* diagnostics/map.c */
bool mt_map_lines(mt_MslModule *m); /* once the reader's text is known */
mt_Place mt_map_offset(mt_MslModule *m, uint32_t offset); /* reader's text */
/* A location in a text that mt_lex_write made from the reader's text. */
mt_Place mt_map_written(mt_MslModule *m, const mt_Lex *lex, const mt_Str *text,
                        unsigned line, unsigned column);
mt_Place mt_map_generated(mt_MslModule *m, unsigned line, unsigned column);
/* The source, or a file that was admitted; NULL for any other file, even if a
** #line directive names it. */
const mt_File *mt_map_file(mt_MslModule *m, const char *name);
void mt_map_admit(mt_MslModule *m, const char *name); /* it was included */

/* Parses the line marker in s..end (# 12 "file" flags): its line and, if it
** names one, its file. False: it is another directive. */
bool mt_map_marker(mt_MslModule *m, const char *s, const char *end,
                   unsigned *line, const char **file);

/* includes.c: checks the files that a source includes. Before Clang starts, for
** pipes that would block it; after it, the files it has read, from its messages
** 'said'; and the files found by __has_include, from the list that it appends
** to the text. False: the reason is among the diagnostics. */
bool mt_includes_before(mt_MslModule *m, const mt_MslOptions *o);
bool mt_includes_after(mt_MslModule *m, const mt_MslOptions *o,
                       const char *said);
bool mt_includes_found(mt_MslModule *m, const mt_MslOptions *o);
/* Appends the source for Clang to preprocess, with __has_include of a file that
** may not be included replaced by 0. */
void mt_includes_add_source(mt_MslModule *m, const mt_MslOptions *o,
                            mt_Str *to);
/* Rewrites the file names in a text from Clang, or in its messages ('words'),
** to what they are relative to the current folder. */
void mt_includes_restore(const mt_MslOptions *o, bool words, mt_Str *text);
/* Line 'line' of a text; its length in '*n'. NULL if there is none. */
const char *mt_text_line(const char *text, size_t length, unsigned line,
                         size_t *n);

/* diagnostics/diagnose.c */
void mt_diagnose(mt_MslModule *m, mt_Severity severity, mt_Place place,
                 const char *message, const char *help);
/* Parses Clang's messages into diagnostics. 'generated': their locations are in
** m->text. */
void mt_diagnose_clang(mt_MslModule *m, const char *said, bool generated);
size_t mt_diagnose_errors(const mt_MslModule *m);
void mt_diagnose_log(mt_MslModule *m, bool colour);

/* One of Clang's messages; mt_diagnose_next is false at the end. */
typedef struct mt_Said {
  mt_Severity severity;
  char file[512];
  unsigned line, column;
  const char *message; /* not ended by a NUL */
  size_t length;
} mt_Said;
bool mt_diagnose_next(const char **text, mt_Said *out);
/* Is a message of Clang's about a float that becomes a bfloat by itself? */
bool mt_diagnose_is_bfloat(const char *raw);

/* diagnostics/address_spaces.c: address-space errors */
typedef struct mt_SpaceCheck mt_SpaceCheck;
/* Starts the check, concurrently with the compilation; NULL: not needed. */
mt_SpaceCheck *mt_spaces_start(mt_MslModule *m, const mt_MslOptions *o,
                               bool second);
void mt_spaces_finish(mt_SpaceCheck *c, bool use); /* NULL ok */

/* plain.c: does the source need no preprocessing? Then its directives get what
** Clang is given instead of them. */
bool mt_source_is_plain(mt_Lex *lex, const mt_MslOptions *o);

/* signatures_only.c: large libraries, see mt_msl_is_signatures_only */
struct mt_Reading;
typedef struct mt_SignaturesOnly mt_SignaturesOnly;
bool mt_signatures_only_pays(const mt_MslModule *m, const struct mt_Reading *r);
/* Gives the kernels' signatures (with empty bodies) to 'child', a Clang that
** generates bitcode, and takes ownership of it. NULL: failed. */
mt_SignaturesOnly *mt_signatures_only_start(mt_MslModule *m, mt_Child *child);
/* Frees 's' and stores the bitcode of the signatures in 'bitcode' (NULL: not
** needed). False: there is none. */
bool mt_signatures_only_finish(mt_SignaturesOnly *s, mt_Str *bitcode);

/* module_cache.c: modules on disk, by their keys. A module that was read there
** is complete, but asleep. */
bool mt_module_cache_read(mt_MslModule *m);
void mt_module_cache_write(const mt_MslModule *m);
/* Does the key still hold, after all files were read? */
bool mt_module_is_lasting(const mt_MslModule *m, const mt_MslOptions *o);

/* compile.c: makes of the reader's text again what places in it need, if the
** module is asleep. */
void mt_module_wake(mt_MslModule *m);

/* diagnostics/rewrite_message.c, hints.c: Clang's messages in MSL's terms, and
** help for common mistakes */
const char *mt_message_rewrite(mt_MslModule *m, const char *message);
/* Is the warning about other versions of C++ alone? */
bool mt_message_of_standards(const char *raw);
/* How to call the function of "no matching function for call to 'f'", whose
** call is 'at' this place in the line; or NULL. */
const char *mt_hint_call(mt_MslModule *m, const char *message, const char *at);
/* Help for a slip that 'line' shows 'at' this place; or NULL. */
const char *mt_hint_slip(mt_MslModule *m, const char *message,
                         const char *line, const char *at);
/* for (i in range(10)): is the error on this line about that? Those after it
** follow from it. */
bool mt_hint_is_for_in(const char *message, const char *line);
/* The message with bool vectors where the text 'at' its place compares. */
const char *mt_message_bools(mt_MslModule *m, const char *message,
                             const char *line, const char *at);
/* A sentence of help for Clang's 'message', shown to the user as 'said', 'at'
** this place in 'line'; or NULL. */
const char *mt_hint_find(mt_MslModule *m, const char *message,
                         const char *said, const char *line, const char *at);

/* diagnostics/internal_names.c: keeps internal names of our headers out of
** messages */
/* does it have one? */
bool mt_message_has_internals(mt_MslModule *m, const char *text);
/* Replaces types with internal names by the "aka" type that Clang gives. */
const char *mt_message_known_as(mt_MslModule *m, const char *message);
const char *mt_message_plain(mt_MslModule *m, const char *message);

/* kernels.c: reads the bitcode, fills in the reflection, runs passes/passes.h's
** passes; what they leave becomes m->bitcode if it is to be kept */
mt_Status mt_module_reflect(mt_MslModule *m, const char *bitcode, size_t size,
                            bool keep, mt_Error *err);

#endif
