/*
** attributes.c - the attributes of MSL: one table, and spelling suggestions.
*/
#include "msl/reader/attributes.h"

#include <stddef.h>
#include <string.h>

static const struct {
  const char *name;
  mt_AttributeKind kind;
  bool number;
} table[] = {
    {"buffer", MT_ATTR_BUFFER, true},
    {"texture", MT_ATTR_TEXTURE, true},
    {"sampler", MT_ATTR_SAMPLER, true},
    {"threadgroup", MT_ATTR_THREADGROUP, true},
    {"thread_position_in_grid", MT_ATTR_POSITION, false},
    {"thread_position_in_threadgroup", MT_ATTR_POSITION, false},
    {"threadgroup_position_in_grid", MT_ATTR_POSITION, false},
    {"threads_per_grid", MT_ATTR_POSITION, false},
    {"threads_per_threadgroup", MT_ATTR_POSITION, false},
    {"threadgroups_per_grid", MT_ATTR_POSITION, false},
    {"dispatch_threads_per_threadgroup", MT_ATTR_POSITION, false},
    {"grid_origin", MT_ATTR_POSITION, false},
    {"grid_size", MT_ATTR_POSITION, false},
    {"stage_in_grid_origin", MT_ATTR_POSITION, false},
    {"stage_in_grid_size", MT_ATTR_POSITION, false},
    {"thread_index_in_threadgroup", MT_ATTR_SCALAR, false},
    {"thread_index_in_simdgroup", MT_ATTR_SCALAR, false},
    {"thread_index_in_quadgroup", MT_ATTR_SCALAR, false},
    {"simdgroup_index_in_threadgroup", MT_ATTR_SCALAR, false},
    {"quadgroup_index_in_threadgroup", MT_ATTR_SCALAR, false},
    {"simdgroups_per_threadgroup", MT_ATTR_SCALAR, false},
    {"quadgroups_per_threadgroup", MT_ATTR_SCALAR, false},
    {"threads_per_simdgroup", MT_ATTR_SCALAR, false},
    {"threads_per_quadgroup", MT_ATTR_SCALAR, false},
    {"thread_execution_width", MT_ATTR_SCALAR, false},
    {"dispatch_simdgroups_per_threadgroup", MT_ATTR_SCALAR, false},
    {"dispatch_quadgroups_per_threadgroup", MT_ATTR_SCALAR, false},
    {"kernel", MT_ATTR_FUNCTION, false},
    {"host_name", MT_ATTR_FUNCTION, false},
    {"max_total_threads_per_threadgroup", MT_ATTR_FUNCTION, true},
    {"required_threads_per_threadgroup", MT_ATTR_FUNCTION, false},
    {"visible", MT_ATTR_FUNCTION, false},
    {"intersection", MT_ATTR_FUNCTION, false},
    {"stitchable", MT_ATTR_FUNCTION, false},
    {"user_annotation", MT_ATTR_FUNCTION, false},
    {"vertex", MT_ATTR_FUNCTION, false},
    {"fragment", MT_ATTR_FUNCTION, false},
    {"object", MT_ATTR_FUNCTION, false},
    {"mesh", MT_ATTR_FUNCTION, false},
    {"patch", MT_ATTR_FUNCTION, false},
    {"early_fragment_tests", MT_ATTR_FUNCTION, false},
    {"max_total_threadgroups_per_mesh_grid", MT_ATTR_FUNCTION, false},
    {"function_groups", MT_ATTR_OTHER, false},
    {"pixel_position_in_tile", MT_ATTR_OTHER, false},
    {"pixels_per_tile", MT_ATTR_OTHER, false},
    {"tile_index", MT_ATTR_OTHER, false},
    {"alias_implicit_imageblock", MT_ATTR_OTHER, false},
    {"alias_implicit_imageblock_color", MT_ATTR_OTHER, true},
    {"function_constant", MT_ATTR_OTHER, false},
    {"id", MT_ATTR_OTHER, true},
    {"raster_order_group", MT_ATTR_OTHER, true},
    {"position", MT_ATTR_OTHER, false},
    {"point_size", MT_ATTR_OTHER, false},
    {"clip_distance", MT_ATTR_OTHER, false},
    {"attribute", MT_ATTR_OTHER, true},
    {"stage_in", MT_ATTR_OTHER, false},
    {"vertex_id", MT_ATTR_OTHER, false},
    {"instance_id", MT_ATTR_OTHER, false},
    {"base_vertex", MT_ATTR_OTHER, false},
    {"base_instance", MT_ATTR_OTHER, false},
    {"primitive_id", MT_ATTR_OTHER, false},
    {"front_facing", MT_ATTR_OTHER, false},
    {"point_coord", MT_ATTR_OTHER, false},
    {"sample_id", MT_ATTR_OTHER, false},
    {"sample_mask", MT_ATTR_OTHER, false},
    {"post_depth_coverage", MT_ATTR_OTHER, false},
    {"barycentric_coord", MT_ATTR_OTHER, false},
    {"viewport_array_index", MT_ATTR_OTHER, false},
    {"render_target_array_index", MT_ATTR_OTHER, false},
    {"amplification_id", MT_ATTR_OTHER, false},
    {"amplification_count", MT_ATTR_OTHER, false},
    {"patch_id", MT_ATTR_OTHER, false},
    {"position_in_patch", MT_ATTR_OTHER, false},
    {"color", MT_ATTR_OTHER, true},
    {"depth", MT_ATTR_OTHER, false},
    {"stencil", MT_ATTR_OTHER, false},
    {"index", MT_ATTR_OTHER, true},
    {"user", MT_ATTR_OTHER, false},
    {"flat", MT_ATTR_OTHER, false},
    {"center_perspective", MT_ATTR_OTHER, false},
    {"center_no_perspective", MT_ATTR_OTHER, false},
    {"centroid_perspective", MT_ATTR_OTHER, false},
    {"centroid_no_perspective", MT_ATTR_OTHER, false},
    {"sample_perspective", MT_ATTR_OTHER, false},
    {"sample_no_perspective", MT_ATTR_OTHER, false},
    {"shared", MT_ATTR_OTHER, false},
    {"invariant", MT_ATTR_OTHER, false},
    {"imageblock_data", MT_ATTR_OTHER, false},
    {"threadgroup_imageblock", MT_ATTR_OTHER, false},
    {"payload", MT_ATTR_OTHER, false},
    {"world_space_origin", MT_ATTR_OTHER, false},
    {"world_space_direction", MT_ATTR_OTHER, false},
    {"object_to_world_transform", MT_ATTR_OTHER, false},
    {"world_to_object_transform", MT_ATTR_OTHER, false},
    {"user_instance_id", MT_ATTR_OTHER, false},
    {"instance_intersection_function_table_offset", MT_ATTR_OTHER, false},
    {"geometry_intersection_function_table_offset", MT_ATTR_OTHER, false},
    {"primitive_data", MT_ATTR_OTHER, false},
    {"curve_parameter", MT_ATTR_OTHER, false},
    {"time", MT_ATTR_OTHER, false},
    {"motion_start_time", MT_ATTR_OTHER, false},
    {"motion_end_time", MT_ATTR_OTHER, false},
    {"key_frame_count", MT_ATTR_OTHER, false},
    {"origin", MT_ATTR_OTHER, false},
    {"direction", MT_ATTR_OTHER, false},
    {"min_distance", MT_ATTR_OTHER, false},
    {"max_distance", MT_ATTR_OTHER, false},
    {"distance", MT_ATTR_OTHER, false},
    {"accept_intersection", MT_ATTR_OTHER, false},
    {"continue_search", MT_ATTR_OTHER, false},
    {"geometry_id", MT_ATTR_OTHER, false},
    {"opaque_primitive", MT_ATTR_OTHER, false},
};
#define COUNT (sizeof table / sizeof table[0])

static const char *const standard[] = {
    "fallthrough", "maybe_unused",      "nodiscard",
    "likely",      "unlikely",          "noreturn",
    "deprecated",  "no_unique_address", "carries_dependency",
    NULL};

mt_AttributeKind mt_attribute_kind(const char *name) {
  for (size_t i = 0; i < COUNT; i++)
    if (strcmp(table[i].name, name) == 0) return table[i].kind;
  return MT_ATTR_UNKNOWN;
}

bool mt_attribute_known(const char *name) {
  return mt_attribute_kind(name) != MT_ATTR_UNKNOWN;
}

bool mt_attribute_standard(const char *name) {
  for (size_t i = 0; standard[i]; i++)
    if (strcmp(standard[i], name) == 0) return true;
  return false;
}

bool mt_attribute_takes_number(const char *name) {
  for (size_t i = 0; i < COUNT; i++)
    if (strcmp(table[i].name, name) == 0) return table[i].number;
  return false;
}

/* The edit distance, at most 'limit' + 1 (Levenshtein, two rows). */
static size_t distance(const char *a, const char *b) {
  size_t n = strlen(a), m = strlen(b), row[64];
  if (n > 60 || m > 60) return 99;
  for (size_t j = 0; j <= m; j++) row[j] = j;
  for (size_t i = 1; i <= n; i++) {
    size_t corner = row[0];
    row[0] = i;
    for (size_t j = 1; j <= m; j++) {
      size_t change = corner + (a[i - 1] != b[j - 1]);
      corner = row[j];
      size_t best = row[j] + 1 < row[j - 1] + 1 ? row[j] + 1 : row[j - 1] + 1;
      row[j] = change < best ? change : best;
    }
  }
  return row[m];
}

const char *mt_nearest_word(const char *name, const char *const *list) {
  const char *best = NULL;
  size_t least = strlen(name) / 3 + 1;
  for (; *list; list++) {
    size_t d = distance(name, *list);
    if (d <= least) least = d - (d > 0), best = *list;
  }
  return best;
}

const char *mt_attribute_nearest(const char *name) {
  const char *words[COUNT + 1];
  for (size_t i = 0; i < COUNT; i++) words[i] = table[i].name;
  words[COUNT] = NULL;
  return mt_nearest_word(name, words);
}
