/*
** test_host_cache.c - compiled code is kept on disk and used again, for another
** machine too, and what is damaged there is compiled again.
**
** Guards: devices/compiler/service/disk_cache.c, base/files/cache_limit.c: kept
** code, damaged files, one limit for all of the cache on disk, code that is
** given up in memory and loaded again, code for another machine (METTLE_ALSO);
** devices/compiler/service/kernel_key.c, devices/host/native/code_cache.c
*/
#include <dirent.h>
#include <inttypes.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <utime.h>

#include "base/files/file.h"
#include "base/files/folders.h"
#include "base/str.h"
#include "devices/compiler/service/disk_cache.h"
#include "devices/host/native/code_cache.h"
#include "devices/host/native/native.h"
#include "tests/c/host_case.h"

static char folder[4096];

static int count_files(char *last, size_t size) {
  int n = 0;
  DIR *d = opendir(folder);
  for (struct dirent *e; d && (e = readdir(d)) != NULL;)
    if (e->d_name[0] != '.') {
      n++;
      if (last) snprintf(last, size, "%s/%s", folder, e->d_name);
    }
  if (d) closedir(d);
  return n;
}

static mt_CodeFacts some_key(uint64_t n) {
  mt_CodeFacts made = {.key = MT_KEY_INIT,
                       .spill_bytes = 12 + n,
                       .threadgroup_bytes = 34,
                       .simd = n % 2,
                       .fallback = "a reason"};
  mt_key_add(&made.key, &n, sizeof n);
  return made;
}

static void test_disk(void **state) {
  (void)state;
  mt_CodeFacts a = some_key(1), b = some_key(2), got;
  mt_Str object = MT_STR_INIT, read = MT_STR_INIT;
  mt_str_add(&object, "not really an object file");
  assert_false(mt_disk_cache_read(&a.key, &got, &read));
  mt_disk_cache_write(&a, &object);
  assert_true(mt_disk_cache_read(&a.key, &got, &read));
  assert_int_equal(got.spill_bytes, 13);
  assert_int_equal(got.threadgroup_bytes, 34);
  assert_true(got.simd);
  assert_string_equal(got.fallback, "a reason");
  assert_string_equal(read.text, object.text);
  assert_false(mt_disk_cache_read(&b.key, &got, &read));
  mt_str_free(&object);
  mt_str_free(&read);
}

static void test_damage(void **state) {
  (void)state;
  mt_CodeFacts a = some_key(3), got;
  mt_Str object = MT_STR_INIT, file = MT_STR_INIT, read = MT_STR_INIT;
  char symbol[40], path[4200];
  mt_key_symbol(&a.key, symbol);
  snprintf(path, sizeof path, "%s/%s.o", folder, symbol);
  mt_str_add(&object, "some bytes that matter");
  mt_disk_cache_write(&a, &object);
  assert_int_equal(mt_file_read(path, 0, &file, &error), MT_OK);
  for (size_t at = 0; at < file.length; at++) { /* any byte */
    file.text[at] ^= 0x40;
    mt_file_write(path, file.text, file.length, 0600, &error);
    file.text[at] ^= 0x40;
    assert_false(mt_disk_cache_read(&a.key, &got, &read));
  }
  for (size_t n = 0; n < file.length; n += 7) { /* any length */
    mt_file_write(path, file.text, n, 0600, &error);
    assert_false(mt_disk_cache_read(&a.key, &got, &read));
  }
  mt_str_free(&object);
  mt_str_free(&file);
  mt_str_free(&read);
}

/* A kernel leaves a word that it is in order and, when launched, its code; the
** next launch needs no other. */
static void test_kernel(void **state) {
  (void)state;
  static const char source[] = MSL(
kernel void triple(device uint *out [[buffer(0)]],
                   uint i [[thread_position_in_grid]]) { out[i] = i * 3; });
  mt_Buffer *out = host_buffer(400);
  int before = count_files(NULL, 0);
  mt_Kernel *k = host_kernel(source, "triple");
  host_must_run(k, (mt_Size){100, 1, 1}, (mt_Size){50, 1, 1}, &out);
  assert_int_equal(count_files(NULL, 0), before + 2);
  host_must_run(k, (mt_Size){100, 1, 1}, (mt_Size){50, 1, 1}, &out);
  assert_int_equal(count_files(NULL, 0), before + 2);
  mt_kernel_free(k);
  for (uint32_t i = 0; i < 100; i++)
    assert_int_equal(((uint32_t *)mt_buffer_contents(out))[i], i * 3);
  mt_buffer_free(out);
}

/* Objects in the folder that are for this machine, as ELF numbers them. */
static int count_objects(uint16_t machine) {
  int n = 0;
  DIR *d = opendir(folder);
  for (struct dirent *e; d && (e = readdir(d)) != NULL;) {
    char path[4400];
    mt_Str file = MT_STR_INIT;
    snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
    if (mt_file_read(path, 1 << 20, &file, &error) == MT_OK)
      for (size_t at = 0; at + 20 < file.length && at < 1024; at++) {
        uint16_t has;
        memcpy(&has, file.text + at + 18, sizeof has);
        if (memcmp(file.text + at, "\177ELF", 4) == 0) n += has == machine;
      }
    mt_str_free(&file);
  }
  if (d) closedir(d);
  return n;
}

/* METTLE_ALSO: code for another machine is kept beside this one's, whose answer
** is as it was. */
static void test_also(void **state) {
  (void)state;
#ifdef __aarch64__
  static const char other[] = "x86_64-linux-gnu,x86-64-v3";
  uint16_t machine = 62;
#else
  static const char other[] = "aarch64-linux-gnu,apple-m1";
  uint16_t machine = 183;
#endif
  static const char source[] = MSL(
kernel void fifths(device uint *out [[buffer(0)]],
                   uint i [[thread_position_in_grid]]) { out[i] = i * 5; });
  mt_Buffer *out = host_buffer(400);
  setenv("METTLE_ALSO", other, 1);
  setenv("METTLE_BUILD", "test", 1);
  for (int way = 0; host_way(way); way++) {
    mt_Kernel *k = host_kernel(source, "fifths");
    for (uint32_t i = 0; i < 100; i++)
      ((uint32_t *)mt_buffer_contents(out))[i] = 0;
    assert_int_equal(count_objects(machine), way);
    host_must_run(k, (mt_Size){100, 1, 1}, (mt_Size){50, 1, 1}, &out);
    assert_int_equal(count_objects(machine), way + 1);
    for (uint32_t i = 0; i < 100; i++)
      assert_int_equal(((uint32_t *)mt_buffer_contents(out))[i], i * 5);
    mt_kernel_free(k);
  }
  unsetenv("METTLE_ALSO");
  unsetenv("METTLE_BUILD");
  setenv("METTLE_ENGINE", "scalar", 1);
  mt_buffer_free(out);
}

static void test_bounded(void **state) {
  (void)state;
  mt_Str object = MT_STR_INIT;
  assert_true(mt_str_reserve(&object, 4u << 20));
  for (int i = 0; i < 4 << 10; i++) {
    char kilobyte[1024] = {(char)i};
    mt_str_add_bytes(&object, kilobyte, sizeof kilobyte);
  }
  for (uint64_t i = 0; i < 65; i++) {
    mt_CodeFacts made = some_key(1000 + i);
    mt_disk_cache_write(&made, &object);
  }
  long long total = 0;
  DIR *d = opendir(folder);
  for (struct dirent *e; d && (e = readdir(d)) != NULL;) {
    char path[4400];
    struct stat st;
    snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
    if (stat(path, &st) == 0 && S_ISREG(st.st_mode)) total += st.st_size;
  }
  if (d) closedir(d);
  assert_true(total < (64ll + 32 * 4) << 20);
  assert_true(count_files(NULL, 0) < 65);
  mt_str_free(&object);
}

/* Writes code of a megabyte, 'n' times. */
static void write_megabytes(uint64_t first, uint64_t n) {
  static const char megabyte[1 << 20];
  mt_Str object = MT_STR_INIT;
  mt_str_add_bytes(&object, megabyte, sizeof megabyte);
  for (uint64_t i = 0; i < n; i++) {
    mt_CodeFacts made = some_key(first + i);
    mt_disk_cache_write(&made, &object);
  }
  mt_str_free(&object);
}

/* A file of the cache folder with a time of use; returns whether it was
** there. */
static bool put_file(const char *name, size_t size, time_t used) {
  char path[4400];
  snprintf(path, sizeof path, "%s/%s", mt_dir_cache(), name);
  bool there = access(path, F_OK) == 0;
  FILE *f = fopen(path, "w");
  assert_non_null(f);
  assert_int_equal(ftruncate(fileno(f), (off_t)size), 0);
  fclose(f);
  assert_int_equal(utime(path, &(struct utimbuf){used, used}), 0);
  return there;
}

/* One limit for code and for Clang's output, the oldest out first; nothing else
** in the folder is touched. */
static void test_one_limit(void **state) {
  (void)state;
  time_t now = time(NULL);
  setenv("METTLE_CACHE_MB", "8", 1);
  write_megabytes(2000, 8);
  put_file("made-0000000000000000000000000000000a", 1 << 20, now - 1000);
  put_file("made-0000000000000000000000000000000b", 1 << 20, now + 1000);
  put_file("msl-00000000.pch", 20 << 20, now - 2000);
  put_file("mine.txt", 1 << 20, now - 3000);
  write_megabytes(3000, 8);
  unsetenv("METTLE_CACHE_MB");
  assert_false(put_file("made-0000000000000000000000000000000a", 0, now));
  assert_true(put_file("made-0000000000000000000000000000000b", 0, now));
  assert_true(put_file("msl-00000000.pch", 0, now));
  assert_true(put_file("mine.txt", 0, now));
  int files = count_files(NULL, 0);
  assert_true(files >= 1 && files <= 8);
}

/* One kernel in more geometries than are kept in memory, and each again: the
** code that was given up is loaded again, and what is run is always there. */
static void test_many_geometries(void **state) {
  (void)state;
  static const char source[] = MSL(
    kernel void triple(device uint *out [[buffer(0)]],
                       uint i [[thread_position_in_grid]],
                       uint n [[threads_per_threadgroup]]) {
      out[i] = i * 3 + n; });
  size_t most = mt_code_cache_most;
  mt_Kernel *k = host_kernel(source, "triple");
  mt_Buffer *b = host_buffer(200 * 4);
  mt_code_cache_most = 8;
  setenv("METTLE_ENGINE", "simd", 1); /* whose code is for one geometry */
  for (int round = 0; round < 2; round++)
    for (uint32_t size = 1; size <= 40; size++) {
      memset(mt_buffer_contents(b), 0, 800);
      host_must_run(k, (mt_Size){size * 5, 1, 1}, (mt_Size){size, 1, 1}, &b);
      for (uint32_t i = 0; i < size * 5; i++)
        if (((uint32_t *)mt_buffer_contents(b))[i] != i * 3 + size)
          fail_msg("groups of %u: wrong at %u", size, i);
      if (size > 8 && mt_code_cache_loaded() > 8)
        fail_msg("%zu are in memory", mt_code_cache_loaded());
    }
  mt_code_cache_most = most;
  setenv("METTLE_ENGINE", "scalar", 1);
  mt_buffer_free(b);
  mt_kernel_free(k);
}

static size_t codes_for_rows(const char *source) {
  static const uint32_t widths[] = {64, 90, 33, 96};
  mt_Kernel *k = host_kernel(source, "k");
  mt_Buffer *b = host_buffer(96 * 16 * 4);
  size_t before = mt_code_cache_loaded();
  for (int w = 0; w < 4; w++) {
    memset(mt_buffer_contents(b), 0, b->size);
    host_must_run(k, (mt_Size){widths[w], 16, 1}, (mt_Size){1, 8, 1}, &b);
    for (uint32_t i = 0; i < widths[w] * 16; i++)
      if (((uint32_t *)mt_buffer_contents(b))[i] != i + 5)
        fail_msg("rows of %u: wrong at %u", widths[w], i);
  }
  mt_buffer_free(b);
  mt_kernel_free(k);
  return mt_code_cache_loaded() - before;
}

/* How long the rows of a grid are matters to kernels that may run along them;
** others have one code for all rows. */
static void test_rows(void **state) {
  (void)state;
#define INDEX uint i = at.y * size.x + at.x
#define WHERE \
  uint2 at [[thread_position_in_grid]], uint2 size [[threads_per_grid]]
#define TEXT(...) MSL(__VA_ARGS__)
  size_t most = mt_code_cache_most;
  mt_code_cache_most = 100;
  setenv("METTLE_ENGINE", "simd", 1);
  assert_int_equal(codes_for_rows(TEXT(
    kernel void k(device uint *out, WHERE) { INDEX; out[i] = i + 5; })), 3);
  assert_int_equal(codes_for_rows(TEXT(
    kernel void k(device uint *out, WHERE) {
      INDEX;
      uint n = i + 1;
      while (n > 1) n = n % 2 ? 3 * n + 1 : n / 2;
      out[i] = i + n + 4; })), 1);
  assert_int_equal(codes_for_rows(TEXT(
    kernel void k(device uint *out, WHERE,
                  uint l [[thread_index_in_threadgroup]]) {
      INDEX;
      threadgroup uint t[8];
      t[7 - l] = l;
      threadgroup_barrier(mem_flags::mem_threadgroup);
      out[i] = i + t[l] + l - 2; })), 1);
  mt_code_cache_most = most;
  setenv("METTLE_ENGINE", "scalar", 1);
}

static mt_LoadedCode *load(const mt_CodeFacts *made, const mt_Str *object) {
  mt_LoadedCode *s = NULL;
  if (mt_code_cache_add(made, object, &s, &error) != MT_OK)
    fail_msg("%s", error.text);
  return s;
}

/* A real object file, from the folder, and what is known of it. */
static bool find_object(mt_CodeFacts *made, mt_Str *object) {
  DIR *d = opendir(folder);
  bool found = false;
  for (struct dirent *e; d && !found && (e = readdir(d)) != NULL;) {
    mt_Key key;
    if (sscanf(e->d_name, "mt_k%16" SCNx64 "%16" SCNx64, &key.word[0],
               &key.word[1]) != 2)
      continue;
    mt_str_clear(object);
    found = mt_disk_cache_read(&key, made, object) && object->length > 200;
    mt_LoadedCode *loaded = found ? mt_code_cache_find(&key) : NULL;
    /* not there yet */
    if (loaded) mt_code_cache_release(loaded), found = false;
  }
  if (d) closedir(d);
  return found;
}

/* Code that is held stays, however much there is; given back, it may go. */
static void test_held_code(void **state) {
  (void)state;
  size_t most = mt_code_cache_most;
  mt_CodeFacts a, b;
  mt_Str object = MT_STR_INIT;
  mt_code_cache_most = 1;
  assert_true(find_object(&a, &object));
  mt_LoadedCode *first = load(&a, &object);
  assert_true(find_object(&b, &object));
  mt_LoadedCode *second = load(&b, &object);
  assert_ptr_equal(mt_code_cache_find(&a.key), first); /* not given up */
  assert_int_equal(mt_code_cache_loaded(), 2);
  mt_code_cache_release(first);
  mt_code_cache_release(first);
  mt_code_cache_release(second);
  assert_true(find_object(&b, &object));
  mt_code_cache_release(load(&b, &object));
  assert_null(mt_code_cache_find(&a.key));
  assert_int_equal(mt_code_cache_loaded(), 1);
  mt_code_cache_most = most;
  mt_str_free(&object);
}

int main(void) {
  char home[] = "/tmp/mettle-cache-XXXXXX", command[200];
  if (!mkdtemp(home)) return 1;
  setenv("XDG_CACHE_HOME", home, 1);
  setenv("METTLE_ENGINE", "scalar", 1);
  unsetenv("METTLE_ALSO");
  unsetenv("METTLE_CACHE_MB");
  snprintf(folder, sizeof folder, "%s/mettle/host", home);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_disk),
      cmocka_unit_test(test_damage),
      cmocka_unit_test(test_kernel),
      cmocka_unit_test(test_also),
      cmocka_unit_test(test_many_geometries),
      cmocka_unit_test(test_rows),
      cmocka_unit_test(test_held_code),
      cmocka_unit_test(test_bounded),
      cmocka_unit_test(test_one_limit),
  };
  int status = cmocka_run_group_tests(tests, open_host, close_host);
  snprintf(command, sizeof command, "rm -rf %s", home);
  return system(command) == 0 ? status : 1;
}
