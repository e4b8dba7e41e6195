/*
** file_check.h - what a text must and must not contain, as the comments of a
** test's source say it, in the manner of LLVM's FileCheck.
**
**   ; CHECK: text         it is there, after the text before it
**   ; CHECK-NEXT: text    and in the line after that
**   ; CHECK-NOT: text     it is nowhere
**   ; CHECK-COUNT: 3 text it is there so many times
**
** What follows a text "define …" lies in that function, up to a text about the
** module: "define …", "declare …", "attributes …", "@…" or "!…".
**
** 'mark' is what comments begin with, ";" or "//"; a name other than CHECK
** ("AVX2") chooses among the lines for several runs. Text is taken as it is,
** between the blank after the colon and the end of the line.
*/
#ifndef FILE_CHECK_H
#define FILE_CHECK_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK_LENGTH 240 /* of a text that is looked for */

/* The text of each comment "MARK NAME: …", one after the other; NULL: no
** more. */
static inline const char *check_directive(const char **at, const char *mark,
                                          const char *name, char *out,
                                          size_t size) {
  char head[128];
  snprintf(head, sizeof head, "%s %s: ", mark, name);
  const char *found = strstr(*at, head);
  if (!found) return NULL;
  found += strlen(head);
  size_t n = strcspn(found, "\n");
  snprintf(out, size, "%.*s", (int)n, found);
  *at = found + n;
  return out;
}

/* No text that the comments NAME + 'kind' want absent is in 'text', which may
** be NULL: then all are missed. */
static inline bool check_absent(const char *source, const char *mark,
                                const char *name, const char *kind,
                                const char *text) {
  char want[CHECK_LENGTH], not[64];
  snprintf(not, sizeof not, "%s%s", name, kind);
  while (check_directive(&source, mark, not, want, sizeof want))
    if (!text || strstr(text, want)) {
      fprintf(stderr, "%s: \"%s\" is there\n", not, want);
      return false;
    }
  return true;
}

/* The next comment of NAME or of NAME-NEXT, whichever is first. */
static inline bool check_next(const char **at, const char *mark,
                              const char *name, char *want, bool *line) {
  char next[64], other[CHECK_LENGTH];
  const char *plain = *at, *after = *at;
  snprintf(next, sizeof next, "%s-NEXT", name);
  const char *a = check_directive(&plain, mark, name, want, CHECK_LENGTH);
  const char *b = check_directive(&after, mark, next, other, CHECK_LENGTH);
  *line = b && (!a || after < plain);
  if (*line) memcpy(want, other, CHECK_LENGTH);
  if (a || b) *at = *line ? after : plain;
  return a || b;
}

/* Is a text about the module, not about a function that was named? */
static inline bool check_of_module(const char *want) {
  static const char *const heads[] = {"define ", "declare ", "attributes ", "@",
                                      "!"};
  for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
    if (strncmp(want, heads[i], strlen(heads[i])) == 0) return true;
  return false;
}

/* The end of the function whose head was found at 'head'; NULL: of none. */
static inline const char *check_end(const char *want, const char *head) {
  return strncmp(want, "define ", 7) == 0 ? strstr(head, "\n}") : NULL;
}

/* The texts of NAME are in 'text', in their order. */
static inline bool check_present(const char *source, const char *mark,
                                 const char *name, const char *text) {
  char want[CHECK_LENGTH];
  const char *from = text, *end = NULL; /* of the function */
  bool line;
  while (check_next(&source, mark, name, want, &line)) {
    const char *begin = line ? from + strcspn(from, "\n") : from;
    if (line && *begin) begin++;
    const char *found = strstr(begin, want);
    bool far = line && found && found > begin + strcspn(begin, "\n");
    if (check_of_module(want)) end = found ? check_end(want, found) : NULL;
    bool behind = end && found && found > end;
    if (!found || far || behind) {
      fprintf(stderr, "%s: \"%s\" is missing%s\n", name, want,
              far                  ? " in the next line"
              : behind             ? " in its function"
              : strstr(text, want) ? " here, but comes earlier" : "");
      return false;
    }
    from = found + strlen(want);
  }
  return true;
}

/* Each text of NAME-COUNT is there as often as its number says. */
static inline bool check_counts(const char *source, const char *mark,
                                const char *name, const char *text) {
  char want[CHECK_LENGTH], count[64], *what;
  snprintf(count, sizeof count, "%s-COUNT", name);
  while (check_directive(&source, mark, count, want, sizeof want)) {
    long n = strtol(want, &what, 10), seen = 0;
    what += *what == ' ';
    for (const char *p = strstr(text, what); *what && p;
         p = strstr(p + 1, what))
      seen++;
    if (seen != n) {
      fprintf(stderr, "%s: \"%s\" is there %ld times, not %ld\n", count, what,
              seen, n);
      return false;
    }
  }
  return true;
}

/* Does 'text' have all that NAME wants of it? Else what it has not was said. */
static inline bool file_check(const char *source, const char *mark,
                              const char *name, const char *text) {
  return check_present(source, mark, name, text) &&
         check_counts(source, mark, name, text) &&
         check_absent(source, mark, name, "-NOT", text);
}

#endif
