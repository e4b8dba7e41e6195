/*
** foundation.h - the few classes of Foundation that metal-cpp's callers use.
*/
#ifndef MT_STANDIN_FOUNDATION_H
#define MT_STANDIN_FOUNDATION_H

#include "tests/metal/runtime.h"

typedef struct Range { /* NSRange */
  uint64_t location, length;
} Range;

typedef struct StringObject {
  Object head;
  char *text;
} StringObject;

typedef struct ArrayObject {
  Object head;
  Object **items; /* owned */
  uint64_t count;
} ArrayObject;

typedef struct DictionaryObject {
  Object head;
  ArrayObject *keys, *values; /* owned; keys are strings */
} DictionaryObject;

typedef struct ErrorObject {
  Object head;
  StringObject *text; /* owned */
  DictionaryObject *more; /* owned; or NULL: the user info */
  int64_t code;
} ErrorObject;

extern const ClassOf standin_NSString, standin_NSArray, standin_NSDictionary,
    standin_NSError, standin_NSEnumerator, standin_NSAutoreleasePool;

StringObject *standin_string(const char *text);           /* one owner */
ArrayObject *standin_array(void);                         /* one owner, empty */
/* takes the item over */
void standin_array_add(ArrayObject *a, void *item);
DictionaryObject *standin_dictionary(void);               /* one owner, empty */
/* takes over */
void standin_dictionary_set(DictionaryObject *d, const char *key, void *value);
ErrorObject *standin_error(const char *text, int64_t code); /* autoreleased */

#endif
