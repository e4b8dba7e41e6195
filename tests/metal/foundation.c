/*
** foundation.c - strings, arrays, dictionaries and errors of the stand-in.
*/
#include "tests/metal/foundation.h"

#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------- strings */

#define UTF8 4 /* NSUTF8StringEncoding */

StringObject *standin_string(const char *text) {
  StringObject *s = standin_new(&standin_NSString);
  s->text = strdup(text);
  return s;
}

static bool continues(const unsigned char *p, int n) {
  for (int i = 1; i <= n; i++)
    if ((p[i] & 0xc0) != 0x80) return false;
  return true;
}

static bool valid_utf8(const char *text) {
  for (const unsigned char *p = (const unsigned char *)text; *p;) {
    int more = *p < 0x80                 ? 0
               : *p >= 0xc2 && *p < 0xe0 ? 1
               : (*p & 0xf0) == 0xe0     ? 2
               : *p >= 0xf0 && *p < 0xf5 ? 3
                                         : -1;
    if (more < 0 || !continues(p, more)) return false;
    p += more + 1;
  }
  return true;
}

static void *string_with(const ClassOf *class, Selector s, const char *text,
                         uint64_t encoding) {
  (void)class, (void)s;
  if (encoding != UTF8)
    standin_problem("a string in encoding %d, not UTF-8", (int)encoding);
  return text && valid_utf8(text) ? standin_autorelease(standin_string(text))
                                  : NULL;
}

static const char *string_text(StringObject *o, Selector s) {
  (void)s;
  return o->text;
}
static uint64_t string_length(StringObject *o, Selector s) {
  (void)s;
  return strlen(o->text);
}
static void string_destroy(Object *o) { free(((StringObject *)o)->text); }

static const Method string_methods[] = {
    METHOD("+stringWithCString:encoding:", string_with),
    METHOD("UTF8String", string_text),
    METHOD("length", string_length),
    {NULL, NULL}};
const ClassOf standin_NSString = {standin_class_mark, "NSString",
                                  sizeof(StringObject), string_methods,
                                  string_destroy};

/* ----------------------------------------------------------------- arrays */

ArrayObject *standin_array(void) { return standin_new(&standin_NSArray); }

void standin_array_add(ArrayObject *a, void *item) {
  a->items = realloc(a->items, (a->count + 1) * sizeof *a->items);
  a->items[a->count++] = item;
}

static uint64_t array_count(ArrayObject *a, Selector s) {
  (void)s;
  return a->count;
}

static void *array_at(ArrayObject *a, Selector s, uint64_t index) {
  (void)s;
  if (index < a->count) return a->items[index];
  standin_problem("NSRangeException: element %d of %d", (int)index,
                  (int)a->count);
  _Exit(3);
}

static void array_destroy(Object *o) {
  ArrayObject *a = (ArrayObject *)o;
  for (uint64_t i = 0; i < a->count; i++) standin_release(a->items[i]);
  free(a->items);
}

static const Method array_methods[] = {METHOD("count", array_count),
                                       METHOD("objectAtIndex:", array_at),
                                       {NULL, NULL}};
const ClassOf standin_NSArray = {standin_class_mark, "NSArray",
                                 sizeof(ArrayObject), array_methods,
                                 array_destroy};

/* ----------------------------------------------------------- dictionaries */

typedef struct EnumeratorObject {
  Object head;
  ArrayObject *list; /* owned */
  uint64_t next;
} EnumeratorObject;

DictionaryObject *standin_dictionary(void) {
  DictionaryObject *d = standin_new(&standin_NSDictionary);
  d->keys = standin_array();
  d->values = standin_array();
  return d;
}

void standin_dictionary_set(DictionaryObject *d, const char *key, void *value) {
  standin_array_add(d->keys, standin_string(key));
  standin_array_add(d->values, value);
}

static void *dictionary_with(const ClassOf *class, Selector s,
                             Object *const *values, StringObject *const *keys,
                             uint64_t n) {
  (void)class, (void)s;
  DictionaryObject *d = standin_dictionary();
  for (uint64_t i = 0; i < n; i++) {
    if (values[i] == NULL || keys[i] == NULL) {
      standin_problem("NSInvalidArgumentException: nil in a dictionary");
      _Exit(3);
    }
    standin_dictionary_set(d, keys[i]->text, standin_retain(values[i]));
  }
  return standin_autorelease(d);
}

static void *dictionary_get(DictionaryObject *d, Selector s,
                            StringObject *key) {
  (void)s;
  for (uint64_t i = 0; i < d->keys->count; i++)
    if (strcmp(((StringObject *)d->keys->items[i])->text, key->text) == 0)
      return d->values->items[i];
  return NULL;
}

static uint64_t dictionary_count(DictionaryObject *d, Selector s) {
  (void)s;
  return d->keys->count;
}

static void *dictionary_keys(DictionaryObject *d, Selector s) {
  (void)s;
  EnumeratorObject *e = standin_new(&standin_NSEnumerator);
  e->list = standin_retain(d->keys);
  return standin_autorelease(e);
}

static void dictionary_destroy(Object *o) {
  standin_release(((DictionaryObject *)o)->keys);
  standin_release(((DictionaryObject *)o)->values);
}

static void *enumerator_next(EnumeratorObject *e, Selector s) {
  (void)s;
  return e->next < e->list->count ? e->list->items[e->next++] : NULL;
}

static void enumerator_destroy(Object *o) {
  standin_release(((EnumeratorObject *)o)->list);
}

static const Method dictionary_methods[] = {
    METHOD("+dictionaryWithObjects:forKeys:count:", dictionary_with),
    METHOD("objectForKey:", dictionary_get),
    METHOD("keyEnumerator", dictionary_keys),
    METHOD("count", dictionary_count),
    {NULL, NULL}};
const ClassOf standin_NSDictionary = {standin_class_mark, "NSDictionary",
                                      sizeof(DictionaryObject),
                                      dictionary_methods, dictionary_destroy};
static const Method enumerator_methods[] = {
    METHOD("nextObject", enumerator_next), {NULL, NULL}};
const ClassOf standin_NSEnumerator = {standin_class_mark, "NSEnumerator",
                                      sizeof(EnumeratorObject),
                                      enumerator_methods, enumerator_destroy};

/* ----------------------------------------------------------------- errors */

ErrorObject *standin_error(const char *text, int64_t code) {
  ErrorObject *e = standin_new(&standin_NSError);
  e->text = standin_string(text);
  e->code = code;
  return standin_autorelease(e);
}

static int64_t error_code(ErrorObject *e, Selector s) {
  (void)s;
  return e->code;
}
static void *error_text(ErrorObject *e, Selector s) { (void)s; return e->text; }
static void *error_more(ErrorObject *e, Selector s) { (void)s; return e->more; }
static void error_destroy(Object *o) {
  standin_release(((ErrorObject *)o)->text);
  standin_release(((ErrorObject *)o)->more);
}
static const Method error_methods[] = {
    METHOD("code", error_code),
    METHOD("localizedDescription", error_text),
    METHOD("userInfo", error_more),
    {NULL, NULL}};
const ClassOf standin_NSError = {standin_class_mark, "NSError",
                                 sizeof(ErrorObject), error_methods,
                                 error_destroy};
