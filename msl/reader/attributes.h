/*
** attributes.h - the attributes of MSL, such as [[buffer(0)]].
*/
#ifndef MT_ATTRIBUTES_H
#define MT_ATTRIBUTES_H

#include <stdbool.h>

/* What a kernel parameter with the attribute is. */
typedef enum mt_AttributeKind {
  MT_ATTR_UNKNOWN,
  MT_ATTR_BUFFER,
  MT_ATTR_TEXTURE,
  MT_ATTR_SAMPLER,
  MT_ATTR_THREADGROUP,
  MT_ATTR_POSITION, /* up to three components: thread_position_in_grid */
  MT_ATTR_SCALAR,   /* one: thread_index_in_simdgroup */
  MT_ATTR_FUNCTION, /* on functions */
  MT_ATTR_OTHER     /* graphics, struct members: of no use to a kernel */
} mt_AttributeKind;

mt_AttributeKind mt_attribute_kind(const char *name);
bool mt_attribute_known(const char *name);        /* MSL's, any kind */
bool mt_attribute_standard(const char *name);     /* C++'s own: maybe_unused */
bool mt_attribute_takes_number(const char *name); /* buffer(0) */
const char *mt_attribute_nearest(const char *name); /* or NULL */

/* The word of 'list' (ends with NULL) that 'name' is most likely a misspelling
** of; or NULL. */
const char *mt_nearest_word(const char *name, const char *const *list);

#endif
