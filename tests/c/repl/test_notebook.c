/*
** test_notebook.c - the Jupyter kernel as a notebook sees it: a client of our
** own speaks ZeroMQ to `mettle jupyter --connection`.
**
** Guards: jupyter/{channels, seen, streams, transport}.c,
** jupyter/module/sockets.c, repl/commands/jupyter.c, repl/notebook/{answers,
** cells, notebook, request}.c: the Jupyter kernel as a client sees it, cells in
** a sandbox (tests/lessons/ways.lua); skipped without ZeroMQ
*/
#include <cJSON.h>
#include <errno.h>
#include <limits.h>
#include <setjmp.h>
#include <signal.h>
#include <sodium.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <netinet/in.h>
#include <time.h>
#include <unistd.h>
#include <zmq.h>
/* after setjmp.h and the others */
#include <cmocka.h>

#include "base/files/file.h"
#include "base/files/landlock.h"
#include "base/str.h"
#include "jupyter/seen.h"
#include "tests/c/all_tests.h"
#include "tests/c/skip.h"

#define KEY "a key for the tests"
enum { SHELL, CONTROL, INPUT, IOPUB, HEARTBEAT, CHANNELS, PATIENCE = 60 };

static const char *const ports[CHANNELS] = {
    "shell_port", "control_port", "stdin_port", "iopub_port", "hb_port"};
static const int types[CHANNELS] = {ZMQ_DEALER, ZMQ_DEALER, ZMQ_DEALER, ZMQ_SUB,
                                    ZMQ_REQ};

static struct {
  void *context, *socket[CHANNELS];
  int port[CHANNELS];
  char file[PATH_MAX]; /* not in the tree: it stays if the suite is killed */
  pid_t kernel;
} client;

/* ------------------------------------------------------------------ a client
 */

static int free_port(void) {
  struct sockaddr_in a = {.sin_family = AF_INET,
                          .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t size = sizeof a;
  int s = socket(AF_INET, SOCK_STREAM, 0);
  assert_int_equal(bind(s, (struct sockaddr *)&a, sizeof a), 0);
  getsockname(s, (struct sockaddr *)&a, &size);
  close(s);
  return ntohs(a.sin_port);
}

static void write_connection_file(void) {
  mt_Str text = MT_STR_INIT;
  mt_Error err;
  const char *folder = getenv("TMPDIR");
  snprintf(client.file, sizeof client.file, "%s/mettle-connection-%d.json",
           folder && *folder ? folder : "/tmp", (int)getpid());
  mt_str_add(&text,
             "{\"transport\": \"tcp\", \"ip\": \"127.0.0.1\", "
             "\"signature_scheme\": \"hmac-sha256\", \"key\": \"" KEY "\"");
  for (int i = 0; i < CHANNELS; i++) {
    client.port[i] = free_port();
    mt_str_addf(&text, ", \"%s\": %d", ports[i], client.port[i]);
  }
  mt_str_add(&text, "}");
  assert_int_equal(
      mt_file_write(client.file, text.text, text.length, 0600, &err), MT_OK);
  mt_str_free(&text);
}

static const char *program(void) {
  const char *path = getenv("METTLE");
  return path ? path : "build/mettle";
}

/* The kernel that is started: for strangers, with how many seconds for a cell,
** in which folder, by which program. */
static bool sandboxed;
static const char *cell_limit = "5", *start_folder, *launcher;

static pid_t start(void) {
  char *whole = realpath(program(), NULL), *file = realpath(client.file, NULL);
  const char *argv[] = {launcher, whole, "jupyter", "--connection", file,
                        sandboxed ? "--sandbox" : NULL, "--time-limit",
                        cell_limit, NULL};
  char *const *words = (char *const *)argv + (launcher == NULL);
  pid_t pid = fork();
  if (pid == 0) {
    if (!start_folder || chdir(start_folder) == 0) execv(words[0], words);
    _exit(127);
  }
  free(whole);
  free(file);
  return pid;
}

static void connect_all(void) {
  int none = 0;
  char address[64], identity[] = "a notebook";
  client.context = zmq_ctx_new();
  for (int i = 0; i < CHANNELS; i++) {
    void *s = client.socket[i] = zmq_socket(client.context, types[i]);
    zmq_setsockopt(s, ZMQ_LINGER, &none, sizeof none);
    if (types[i] == ZMQ_DEALER)
      zmq_setsockopt(s, ZMQ_IDENTITY, identity, sizeof identity - 1);
    if (i == IOPUB) zmq_setsockopt(s, ZMQ_SUBSCRIBE, "", 0);
    snprintf(address, sizeof address, "tcp://127.0.0.1:%d", client.port[i]);
    assert_int_equal(zmq_connect(s, address), 0);
  }
}

static void sign(const char *const parts[4], char out[65]) {
  unsigned char sum[32];
  crypto_auth_hmacsha256_state state;
  crypto_auth_hmacsha256_init(&state, (const unsigned char *)KEY, strlen(KEY));
  for (int i = 0; i < 4; i++)
    crypto_auth_hmacsha256_update(&state, (const unsigned char *)parts[i],
                                  strlen(parts[i]));
  crypto_auth_hmacsha256_final(&state, sum);
  sodium_bin2hex(out, 65, sum, sizeof sum);
}

static unsigned asked;

static void send_parts(int channel, const char *const parts[4],
                       const char *signature) {
  zmq_send(client.socket[channel], "<IDS|MSG>", 9, ZMQ_SNDMORE);
  zmq_send(client.socket[channel], signature, 64, ZMQ_SNDMORE);
  for (int i = 0; i < 4; i++)
    zmq_send(client.socket[channel], parts[i], strlen(parts[i]),
             i < 3 ? ZMQ_SNDMORE : 0);
}

/* Its number is that of the last one: the same message, to the byte. */
static bool again;

static void send_signed(int channel, const char *type, const char *content,
                        bool rightly) {
  char header[256], signature[65];
  snprintf(header, sizeof header,
           "{\"msg_id\": \"m%u\", \"session\": \"s\", \"username\": \"u\", "
           "\"date\": \"2026-01-01T00:00:00Z\", \"msg_type\": \"%s\", "
           "\"version\": \"5.3\"}",
           again ? asked : ++asked, type);
  const char *const parts[4] = {header, "{}", "{}", content};
  sign(parts, signature);
  if (!rightly) signature[5] = signature[5] == '0' ? '1' : '0';
  send_parts(channel, parts, signature);
}

static void say(int channel, const char *type, const char *content) {
  send_signed(channel, type, content, true);
}

typedef struct Message {
  char type[64], parent[32];
  cJSON *content;
} Message;

/* The next message of a channel, its signature checked; false: none came. */
static bool hear(int channel, double seconds, Message *out) {
  zmq_pollitem_t item = {.socket = client.socket[channel],
                         .events = ZMQ_POLLIN};
  char *parts[6];
  int more = 1, at = -1;
  size_t size = sizeof more;
  *out = (Message){0};
  if (zmq_poll(&item, 1, (long)(1000 * seconds)) <= 0) return false;
  while (more) {
    zmq_msg_t m;
    zmq_msg_init(&m);
    zmq_msg_recv(&m, client.socket[channel], 0);
    char *text = calloc(1, zmq_msg_size(&m) + 1);
    memcpy(text, zmq_msg_data(&m), zmq_msg_size(&m));
    zmq_msg_close(&m);
    zmq_getsockopt(client.socket[channel], ZMQ_RCVMORE, &more, &size);
    if (at >= 0 && at < 6) parts[at++] = text;
    if (at < 0 && strcmp(text, "<IDS|MSG>") == 0) at = 0;
    if (at <= 0) free(text);
  }
  assert_int_equal(at, 5);
  char expected[65];
  sign((const char *const *)parts + 1, expected);
  assert_string_equal(parts[0], expected);
  cJSON *header = cJSON_Parse(parts[1]), *parent = cJSON_Parse(parts[2]);
  snprintf(out->type, sizeof out->type, "%s",
           cJSON_GetStringValue(cJSON_GetObjectItem(header, "msg_type")));
  const char *id = cJSON_GetStringValue(cJSON_GetObjectItem(parent, "msg_id"));
  snprintf(out->parent, sizeof out->parent, "%s", id ? id : "");
  out->content = cJSON_Parse(parts[4]);
  assert_non_null(out->content);
  cJSON_Delete(header);
  cJSON_Delete(parent);
  for (int i = 0; i < 5; i++) free(parts[i]);
  return true;
}

static const char *text_at(const cJSON *object, const char *path) {
  char name[128];
  while (*path) { /* "data>text/plain" */
    size_t n = strcspn(path, ">");
    snprintf(name, sizeof name, "%.*s", (int)n, path);
    object = cJSON_GetObjectItemCaseSensitive(object, name);
    path += n + (path[n] == '>');
  }
  const char *text = cJSON_GetStringValue(object);
  return text ? text : "";
}

/* What a request led to. */
static struct {
  cJSON *reply;
  mt_Str events; /* "stdout<…>execute_result<…>", in order */
  char last[16]; /* the stream that they end in */
  int notices;   /* of long work */
} got;

static void forget(void) {
  cJSON_Delete(got.reply);
  got.reply = NULL;
  mt_str_clear(&got.events);
  got.last[0] = '\0';
  got.notices = 0;
}

/* Text of one stream may come in several messages: they read as one. */
static void note_stream(const char *name, const char *text) {
  bool more = strcmp(name, got.last) == 0;
  if (more) got.events.text[--got.events.length] = '\0';
  mt_str_addf(&got.events, "%s%s%s>", more ? "" : name, more ? "" : "<", text);
  snprintf(got.last, sizeof got.last, "%s", name);
}

/* What long work says of itself comes where the machine is slow. */
static bool is_notice(const Message *m) {
  return strncmp(text_at(m->content, "transient>display_id"), "mettle-notice",
                 strlen("mettle-notice")) == 0;
}

static void note(const Message *m) {
  got.notices += is_notice(m);
  if (strcmp(m->type, "status") == 0 ||
      strcmp(m->type, "execute_input") == 0 || is_notice(m))
    return;
  if (strcmp(m->type, "stream") == 0) {
    note_stream(text_at(m->content, "name"), text_at(m->content, "text"));
    return;
  }
  bool error = strcmp(m->type, "error") == 0;
  mt_str_addf(&got.events, "%s<%s>", m->type,
              text_at(m->content, error ? "evalue" : "data>text/plain"));
  got.last[0] = '\0';
}

/* Until the kernel is idle again after the request that was said last. */
static void await(const char *reply) {
  char id[32];
  Message m;
  bool idle = false;
  snprintf(id, sizeof id, "m%u", asked);
  forget();
  while (!idle) {
    assert_true(hear(IOPUB, PATIENCE, &m));
    if (strcmp(m.parent, id) == 0) {
      note(&m);
      idle = strcmp(text_at(m.content, "execution_state"), "idle") == 0;
    }
    cJSON_Delete(m.content);
  }
  while (reply && got.reply == NULL) {
    assert_true(hear(SHELL, PATIENCE, &m));
    if (strcmp(m.type, reply) == 0 && strcmp(m.parent, id) == 0)
      got.reply = m.content;
    else
      cJSON_Delete(m.content);
  }
}

static char *request(const char *code) {
  cJSON *content = cJSON_CreateObject();
  cJSON_AddStringToObject(content, "code", code);
  cJSON_AddTrueToObject(content, "allow_stdin");
  char *text = cJSON_PrintUnformatted(content);
  cJSON_Delete(content);
  return text;
}

static void say_code(const char *code) {
  char *text = request(code);
  say(SHELL, "execute_request", text);
  free(text);
}

static const char *run(const char *code) {
  say_code(code);
  await("execute_reply");
  return mt_str_text(&got.events);
}

static void has(const char *text, const char *part) {
  if (!strstr(text, part)) fail_msg("'%s' is not in: %s", part, text);
}

/* ---------------------------------------------------------------- the suite */

static int begin(void **state) {
  (void)state;
  Message m;
  assert_true(sodium_init() >= 0);
  write_connection_file();
  client.kernel = start();
  connect_all();
  for (int tries = 0;; tries++) { /* until the subscription has arrived, too */
    assert_true(tries <= 100);
    say(SHELL, "kernel_info_request", "{}");
    bool answered = hear(IOPUB, 1, &m);
    cJSON_Delete(m.content);
    if (answered) break;
  }
  await("kernel_info_reply");
  return 0;
}

static bool ended(pid_t pid) {
  for (int i = 0; i < 100 * PATIENCE; i++) {
    if (waitpid(pid, NULL, WNOHANG) != 0) return true;
    usleep(10000);
  }
  return false;
}

static int end(void **state) {
  (void)state;
  forget();
  mt_str_free(&got.events);
  for (int i = 0; i < CHANNELS; i++) zmq_close(client.socket[i]);
  zmq_ctx_term(client.context);
  remove(client.file);
  return 0;
}

static void says_who_it_is(void **state) {
  (void)state;
  assert_string_equal(text_at(got.reply, "implementation"), "mettle");
  assert_string_equal(text_at(got.reply, "language_info>name"), "lua");
  assert_string_equal(text_at(got.reply, "protocol_version"), "5.3");
}

static void runs_cells(void **state) {
  (void)state;
  assert_string_equal(run("1 + 1"), "execute_result<2>");
  assert_string_equal(run("x = 4"), "");
  assert_string_equal(run("local y = x + 1\ny * 2"), "execute_result<10>");
  assert_string_equal(run("z = x; z + 1"), "execute_result<5>");
  assert_string_equal(run("print 'a'\nio.stderr:write 'b'\nx, 'c'"),
                      "stdout<a\n>stderr<b>display_data<4>execute_result<c>");
  /* "return" goes neither into a function nor into a string */
  assert_string_equal(run("function f()\n  g(1)\nend"), "");
  assert_string_equal(run("s = [[\nx\n]]\n#s"), "execute_result<2>");
  assert_string_equal(run("f = x\n-1\nf"), "execute_result<3>");
  assert_string_equal(run("-- a comment only"), "");
  assert_string_equal(run("%%lua\nx"), "execute_result<4>");
}

static void output_is_text(void **state) {
  (void)state;
  run("io.write('\\xe2\\x82') io.stdout:flush() os.execute 'sleep 0.1'\n"
      "io.write('\\xac \\xff')");
  assert_string_equal(mt_str_text(&got.events), "stdout<€ \xef\xbf\xbd>");
  run("for i = 1, 20000 do print(i) end");
  has(mt_str_text(&got.events), "19999\n20000\n>");
  run("os.execute 'echo from a child'");
  has(mt_str_text(&got.events), "stdout<from a child\n>");
}

static void errors_name_their_line(void **state) {
  (void)state;
  run("local a\nprint 'before'\na.b = 1");
  has(mt_str_text(&got.events), "stdout<before\n>error<cell ");
  has(mt_str_text(&got.events), ":3: attempt to index a nil value");
  assert_string_equal(text_at(got.reply, "status"), "error");
  run("x = = 1");
  has(mt_str_text(&got.events), "unexpected symbol near '='");
  run("for i = 1, 2 do");
  has(mt_str_text(&got.events), "'end' expected");
  run("%time x");
  has(mt_str_text(&got.events), "error<'%time' is not known");
}

static void an_error_aborts_what_waits(void **state) {
  (void)state;
  Message m;
  say_code("os.execute 'sleep 0.3' error 'no'");
  say_code("print 'not reached'");
  say(SHELL, "is_complete_request", "{\"code\": \"x\"}");
  await("is_complete_reply"); /* only cells are left out */
  assert_string_equal(text_at(got.reply, "status"), "complete");
  say_code("os.execute 'sleep 0.3' error 'no'");
  say_code("print 'not reached'");
  await("execute_reply");
  assert_string_equal(text_at(got.reply, "status"), "aborted");
  assert_string_equal(mt_str_text(&got.events), "");
  assert_string_equal(run("x"), "execute_result<4>");
  while (hear(SHELL, 0, &m)) cJSON_Delete(m.content);
}

static void a_wrong_signature_is_dropped(void **state) {
  (void)state;
  char *text = request("x = 'stolen'");
  send_signed(SHELL, "execute_request", text, false);
  free(text);
  assert_string_equal(run("x"), "execute_result<4>");
}

static void a_message_runs_once(void **state) {
  (void)state;
  run("heard = 0");
  run("heard = heard + 1");
  again = true; /* on both channels that take requests */
  say_code("heard = heard + 1");
  say(CONTROL, "execute_request", "{}");
  again = false;
  has(run("heard"), "execute_result<1>");
  has(run("heard"), "execute_result<1>"); /* the same words, another message */
}

static void remembers_signatures(void **state) {
  (void)state;
  char text[65];
  mt_Seen *s = mt_seen_new();
  for (unsigned i = 0; i < MT_SEEN_MOST + 1000; i++) {
    snprintf(text, sizeof text, "%064x", i * 2654435761u);
    memmove(text, text + 32, 32); /* the letters that differ come first */
    assert_true(mt_seen_add(s, text));
    assert_false(mt_seen_add(s, text));
  }
  snprintf(text, sizeof text, "%032x", 1000 * 2654435761u);
  assert_false(mt_seen_add(s, text)); /* the oldest that is kept */
  snprintf(text, sizeof text, "%032x", 0);
  assert_true(mt_seen_add(s, text)); /* this one is forgotten */
  mt_seen_free(s);
}

static void completes(void **state) {
  (void)state;
  say(SHELL, "complete_request",
      "{\"code\": \"s = '\\u00fc\\u00fc' gpu.buff\", \"cursor_pos\": 17}");
  await("complete_reply");
  const cJSON *first =
      cJSON_GetArrayItem(cJSON_GetObjectItem(got.reply, "matches"), 0);
  assert_string_equal(cJSON_GetStringValue(first), "buffer");
  assert_int_equal(cJSON_GetObjectItem(got.reply, "cursor_start")->valueint,
                   13);
  assert_int_equal(cJSON_GetObjectItem(got.reply, "cursor_end")->valueint, 17);
}

/* The only completion of 'code', which is JSON without its quotes. */
static const char *completion(const char *code, int cursor) {
  char request[256];
  snprintf(request, sizeof request, "{\"code\": \"%s\", \"cursor_pos\": %d}",
           code, cursor);
  say(SHELL, "complete_request", request);
  await("complete_reply");
  const cJSON *matches = cJSON_GetObjectItem(got.reply, "matches");
  assert_int_equal(cJSON_GetArraySize(matches), 1);
  return cJSON_GetStringValue(cJSON_GetArrayItem(matches, 0));
}

static void completes_after_a_call(void **state) {
  (void)state;
  assert_string_equal(completion("record{k, (a)}:th", 17), "thread");
  assert_string_equal(completion("record{k,\\n  a}:me", 18), "memory");
  assert_string_equal(completion("gpu.commands(f):ti", 18), "timeline");
  assert_string_equal(completion("gpu.kernel(s):as", 16), "asm");
  assert_string_equal(completion("gpu.buffer(3):resh", 18), "reshape");
}

/* Words of MSL, of the source, and attributes between double brackets. */
static void completes_kernels(void **state) {
  (void)state;
  assert_string_equal(completion("%%msl\\nx = simd_pro", 18), "simd_product");
  assert_string_equal(completion("%%msl\\nint weight; wei", 21), "weight");
  assert_string_equal(completion("%%msl\\nint wei; float weight;", 13),
                      "weight");
  assert_string_equal(completion("%%task map\\nuint i [[simdgroup_i", 31),
                      "simdgroup_index_in_threadgroup");
  assert_string_equal(completion("k = gpu.kernel [=[\\nthreadgroup_b", 32),
                      "threadgroup_barrier");
  assert_string_equal(completion("%%lua\\ngpu.buff", 14), "buffer");
}

static void inspects(void **state) {
  (void)state;
  run("p = plot{1, 2, 3}");
  say(SHELL, "inspect_request", "{\"code\": \"p:save\", \"cursor_pos\": 6}");
  await("inspect_reply");
  has(text_at(got.reply, "data>text/plain"), "plot{");
  say(SHELL, "inspect_request",
      "{\"code\": \"gpu.buffer(3, \", "
      "\"cursor_pos\": 14, \"detail_level\": 0}");
  await("inspect_reply");
  assert_true(cJSON_IsTrue(cJSON_GetObjectItem(got.reply, "found")));
  has(text_at(got.reply, "data>text/plain"), "gpu.buffer");
  say(SHELL, "inspect_request", "{\"code\": \"nothing\", \"cursor_pos\": 3}");
  await("inspect_reply");
  assert_true(cJSON_IsFalse(cJSON_GetObjectItem(got.reply, "found")));
}

static void knows_what_is_complete(void **state) {
  (void)state;
  static const char *const cases[][2] = {{"x = 1", "complete"},
                                         {"1 + 1", "complete"},
                                         {"for i = 1, 2 do", "incomplete"},
                                         {"x = [[", "incomplete"},
                                         {"x = = 1", "invalid"},
                                         {"help", "complete"},
                                         {"%%msl k", "complete"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char *text = request(cases[i][0]);
    say(SHELL, "is_complete_request", text);
    free(text);
    await("is_complete_reply");
    assert_string_equal(text_at(got.reply, "status"), cases[i][1]);
  }
}

static void asks_for_input(void **state) {
  (void)state;
  Message m;
  say_code("text = 'hello, ' .. io.read()\ntext");
  assert_true(hear(INPUT, PATIENCE, &m));
  assert_string_equal(m.type, "input_request");
  cJSON_Delete(m.content);
  unsigned cell = asked;
  say(INPUT, "input_reply", "{\"value\": \"Ada\"}");
  asked = cell; /* whose end is awaited */
  await("execute_reply");
  assert_string_equal(mt_str_text(&got.events), "execute_result<hello, Ada>");
  asked = cell + 1;
}

static void remembers(void **state) {
  (void)state;
  run("marked = 17");
  say(SHELL, "history_request",
      "{\"hist_access_type\": \"search\", \"pattern\": \"mark*\", \"n\": 9, "
      "\"output\": false, \"raw\": true}");
  await("history_reply");
  const cJSON *list = cJSON_GetObjectItem(got.reply, "history");
  assert_int_equal(cJSON_GetArraySize(list), 1);
  assert_string_equal(
      cJSON_GetStringValue(cJSON_GetArrayItem(cJSON_GetArrayItem(list, 0), 2)),
      "marked = 17");
}

/* Interrupts the request that was said last, once it printed 'go'. */
static void interrupt_going(const char *reply) {
  Message m;
  bool going = false;
  unsigned cell = asked;
  while (!going) {
    assert_true(hear(IOPUB, PATIENCE, &m));
    going = strstr(text_at(m.content, "text"), "go") != NULL;
    cJSON_Delete(m.content);
  }
  /* the heart beats meanwhile */
  char beat[4] = "";
  zmq_send(client.socket[HEARTBEAT], "ping", 4, 0);
  assert_int_equal(zmq_recv(client.socket[HEARTBEAT], beat, 4, 0), 4);
  say(CONTROL, "interrupt_request", "{}");
  assert_true(hear(CONTROL, PATIENCE, &m));
  assert_string_equal(m.type, "interrupt_reply");
  cJSON_Delete(m.content);
  unsigned last = asked;
  asked = cell;
  await(reply);
  asked = last;
}

static void interrupt(const char *code) {
  say_code(code);
  interrupt_going("execute_reply");
  assert_string_equal(text_at(got.reply, "ename"), "Interrupted");
}

/* Help asks values of the cells, whose functions may never end. */
static void help_can_be_interrupted(void) {
  run("t = setmetatable({}, {__index = function() print 'go'\n"
      "while true do end end})");
  say(SHELL, "inspect_request", "{\"code\": \"t.a\", \"cursor_pos\": 3}");
  interrupt_going("inspect_reply");
  assert_true(cJSON_IsFalse(cJSON_GetObjectItem(got.reply, "found")));
}

static void can_be_interrupted(void **state) {
  (void)state;
  interrupt("print 'go' while true do end");
  interrupt("print 'go' pcall(function() while true do end end)");
  interrupt("print 'go' io.read()");
  interrupt("print 'go' os.execute 'sleep 1000'");
  interrupt("print 'go' io.popen('sleep 1000'):read 'a'");
  run("collectgarbage()"); /* waits for the command's end */
  interrupt("local p = io.popen [[trap '' INT; echo; sleep 1000]] p:read() "
            "print 'go' p:read 'a'");
  run("collectgarbage()"); /* ends it: a shell may lose an interrupt */
  help_can_be_interrupted();
  assert_string_equal(run("x"), "execute_result<4>");
}

static void has_msl_cells(void **state) {
  (void)state;
#ifdef MT_CLANG
  run("%%msl twice\n"
      "kernel void f(device float *a, uint i [[thread_position_in_grid]]) "
      "{ a[i] *= 2; }");
  has(mt_str_text(&got.events), "execute_result<kernel f(");
  assert_string_equal(run("a = gpu.buffer{1, 2}\ntwice{a, grid = 2}\na[1]"),
                      "execute_result<4.0>");
  run("%%msl\nkernel void g(device int *a) {\n  a[0] = nowhere;\n}");
  has(mt_str_text(&got.events), "error<program_source:3:10: error: use of");
  run("%%msl 3x\nkernel void g() {}");
  has(mt_str_text(&got.events), "the name of a variable is expected");
  run("%%msl\nint f() { return 1; }");
  has(mt_str_text(&got.events), "there is no kernel in this cell");
  interrupt(
      "loop = gpu.kernel [=[kernel void l(device int *a, uint i "
      "[[thread_position_in_grid]]) { while (a[i] == 0) {} }]=]\n"
      "print 'go' loop{gpu.buffer('int', 64), grid = 64}");
#else
  skip_because("this build has no LLVM");
#endif
}

static void shuts_down(void **state) {
  (void)state;
  Message m;
  say_code("print 'go' while true do end");
  do {
    assert_true(hear(IOPUB, PATIENCE, &m));
    cJSON_Delete(m.content);
  } while (strcmp(m.type, "stream") != 0);
  say(CONTROL, "shutdown_request", "{\"restart\": false}");
  assert_true(hear(CONTROL, PATIENCE, &m));
  assert_string_equal(m.type, "shutdown_reply");
  cJSON_Delete(m.content);
  assert_true(ended(client.kernel));
}

/* The process that started the kernel is killed: the kernel must not stay. */
static void does_not_outlive_its_parent(void **state) {
  (void)state;
  int pipes[2];
  pid_t kernel = 0;
  assert_int_equal(pipe(pipes), 0);
  pid_t parent = fork();
  if (parent == 0) {
    kernel = start();
    if (write(pipes[1], &kernel, sizeof kernel) < 0) _exit(1);
    for (;;) pause();
  }
  assert_int_equal(read(pipes[0], &kernel, sizeof kernel), sizeof kernel);
  close(pipes[0]);
  close(pipes[1]);
  usleep(500000);
  kill(parent, SIGKILL);
  waitpid(parent, NULL, 0);
  for (int i = 0; i < 100 * PATIENCE && kill(kernel, 0) == 0; i++)
    usleep(10000);
  assert_int_equal(kill(kernel, 0), -1);
}

static void bad_connection_files(void **state) {
  (void)state;
  static const char *const texts[] = {"", "{", "[]", "{}",
                                      "{\"ip\": \"127.0.0.1\"}"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    mt_Error err;
    int status = 0;
    mt_file_write(client.file, texts[i], strlen(texts[i]), 0600, &err);
    pid_t pid = start();
    waitpid(pid, &status, 0);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 1);
  }
}

#ifdef MT_CLANG
/* With a new cache the first kernel says that headers are prepared: not for
** a request that asked for silence. */
static void silence_is_silent(void **state) {
  char folder[] = "/tmp/mettle-cache-XXXXXX", remove_it[64];
  assert_non_null(mkdtemp(folder));
  const char *set = getenv("XDG_CACHE_HOME");
  char *before = set ? strdup(set) : NULL;
  end(state);
  setenv("XDG_CACHE_HOME", folder, 1);
  begin(state);
  say(SHELL, "execute_request",
      "{\"code\": \"gpu.kernel 'kernel void f() {}'\", \"silent\": true}");
  await("execute_reply");
  assert_string_equal(text_at(got.reply, "status"), "ok");
  assert_string_equal(mt_str_text(&got.events), "");
  assert_int_equal(got.notices, 0);
  say(SHELL, "shutdown_request", "{}");
  assert_true(ended(client.kernel));
  if (before)
    setenv("XDG_CACHE_HOME", before, 1);
  else
    unsetenv("XDG_CACHE_HOME");
  free(before);
  snprintf(remove_it, sizeof remove_it, "rm -rf %s", folder);
  assert_int_equal(system(remove_it), 0);
}
#endif

/* ---------------------------------------------------------------- --sandbox */

/* A cell whose text closes every long bracket up to 'most' times '=', says
** Lua, and opens it again. */
static void breaks_quotation(const char *first_line, int most) {
  mt_Str cell = MT_STR_INIT, equals = MT_STR_INIT;
  mt_str_addf(&cell, "%s\n//", first_line);
  for (int level = 0; level <= most; level++) {
    mt_str_addf(&cell, "]%s]..tostring(print(debug ~= nil))..[%s[ ",
                mt_str_text(&equals), mt_str_text(&equals));
    mt_str_add(&equals, "=");
  }
  assert_null(strstr(run(mt_str_text(&cell)), "stdout<true"));
  mt_str_free(&cell);
  mt_str_free(&equals);
}

#ifdef MT_CLANG
/* By Mettle's word, or the kernel's. */
static void is_not_included(void) {
  if (!strstr(mt_str_text(&got.events), "Permission denied"))
    has(mt_str_text(&got.events), "is not included");
}
#endif

/* A task of the course: judged, its progress kept in memory; an answer in Lua
** sees what cells see. */
static void judges_tasks_of_strangers(void) {
  breaks_quotation("%%msl f", 70);
  breaks_quotation("%%task hello-gpu", 70);
  run("%%msl ]] print(debug ~= nil) --\nkernel void f() {}");
  assert_null(strstr(mt_str_text(&got.events), "stdout<true"));
  has(run("%%task hello-gpu\nprint(require, debug, io.popen, answer ~= nil)"),
      "nil\tnil\tnil\ttrue");
  has(run("%%task ../../made\nx"), "there is no lesson");
  has(run("hint()"), "Hint 1 of");
  assert_null(strstr(run("lessons()"), "✓"));
#ifdef MT_CLANG
  run("%%task guards\nkernel void f() { }");
  has(mt_str_text(&got.events), "It does not compile");
  run("%%task guards\n"
      "kernel void scale(device const float *x [[buffer(0)]],\n"
      "                  device float *y [[buffer(1)]],\n"
      "                  constant uint &n [[buffer(2)]],\n"
      "                  uint i [[thread_position_in_grid]]) {\n"
      "  if (i < n) y[i] = 2 * x[i];\n"
      "}");
  has(mt_str_text(&got.events), "is passed");
  has(run("lessons()"), "✓");
#endif
}

/* Cells of a stranger, and what each must come to. */
static void confines_cells(void **state) {
  end(state);
  sandboxed = true;
  begin(state);
  static const char *const cells[][2] = {
      {"os.execute 'touch made'", "field 'execute'"},
      {"io.popen 'touch made'", "field 'popen'"},
      {"os.exit(0)", "field 'exit'"},
      {"require 'mettle.system'", "require has no value"},
      {"package.loadlib('libc.so.6', '*')", "package has no value"},
      {"debug.getregistry()", "debug has no value"},
      {"dofile 'x.lua'", "dofile has no value"},
      {"_G.os.getenv 'HOME'", "field 'getenv'"},
      {"load('\\27Lua')", "attempt to load a binary chunk"},
      {"(''):dump()", "method 'dump'"},
      {"getmetatable('').__index == nil", "true"},
      {"load('return os.execute')() == nil", "true"},
      {"coroutine.wrap(function() return os.execute end)() == nil", "true"},
      {"setmetatable({}, {__index = _G}).require == nil", "true"},
      {"assert(io.open('/etc/passwd'))", "files of its own folder only"},
      {"assert(io.open('made', 'w'))", "files of its own folder only"},
      {"gpu.buffer(4):save 'made.npy'", "out of reach"},
      {"gpu.load '/proc/self/environ'", "out of reach"},
      {"gpu.kernel '/etc/passwd'", "out of reach"},
      {"assert(io.open 'made-link')", "files of its own folder only"},
      {"gpu.load 'made-link'", "out of reach"},
      {"gpu.library 'made-link'", "out of reach"},
      {"for l in io.lines '../../etc/passwd' do end", "own folder only"},
      {"io.open('x\\0/etc/passwd')", "NUL byte"},
      {"load('return 1', 'x', 'b')()", "execute_result<1>"}, /* text only */
      {"getmetatable(plot{1}).__index.save(plot{1}, 'made.svg')",
       "out of reach"},
      {"cards '/etc/passwd'", "own folder only"},
      {"getmetatable(gpu.buffer(1)).__index == nil", "true"},
      {"plot{1, 2}:save 'made.svg'", "out of reach"},
      {"play 'x.lua'", "error<"},
      {"edit()", "edit has no value"},
      {"next()", "Hello, GPU"},
      {"check[[print(require, debug, os.getenv)]]", "nil\tnil\tnil"},
      {"#{1, 2}", "execute_result<2>"},
      {"x = 3", ""},
      {"x + 1", "execute_result<4>"},
      {"_ + 1", "execute_result<5>"},
  };
  assert_int_equal(symlink("/etc/passwd", "made-link"), 0);
  for (size_t i = 0; i < sizeof cells / sizeof *cells; i++)
    has(run(cells[i][0]), cells[i][1]);
#ifdef MT_CLANG
  run("%%msl\n#include \"made-link\"\nkernel void f() {}");
  is_not_included();
#endif
  remove("made-link");
  judges_tasks_of_strangers();
  assert_false(mt_file_exists("made"));
  assert_string_equal(completion("coro", 4), "coroutine");
  has(run("gpu.buffer('uchar', 3 << 30)"), "no memory for a buffer");
  has(run("while true do pcall(function() while true do end end) end"),
      "stopped: a cell has 5 s in this sandbox");
  has(run("coroutine.wrap(function() while true do end end)()"),
      "stopped: a cell has 5 s in this sandbox");
#ifdef MT_CLANG
  run("%%msl twice\n"
      "kernel void f(device float *a, uint i [[thread_position_in_grid]]) "
      "{ a[i] *= 2; }");
  has(run("a = gpu.buffer{1, 2}\ntwice{a, grid = 2}\na[1]"), "<4.0>");
  run("%%msl\n#include \"/etc/passwd\"\nkernel void f() {}");
  is_not_included();
#endif
}

#ifdef MT_CLANG
/* What lessons/ways.lua needs, below 'top'. */
static void make_folders(const char *top) {
  char command[4 * PATH_MAX];
  snprintf(command, sizeof command,
           "cd %s && mkdir out in && cd out && echo '#define SECRET 4711' "
           ">secret.h && echo hunter2 is no C >words.txt && echo -I%s/out "
           "-include %s/out/secret.h >rsp && echo -I%s/out >config && : "
           ">lib.so && cd ../in && ln -s ../out/secret.h link.h && ln -s "
           "../out/words.txt link.txt && ln -s ../out dir && echo '#define "
           "SECRET 7' >own.h",
           top, top, top, top);
  assert_int_equal(system(command), 0);
}

/* A kernel of its own in top/in tries them all, or with 'first' some. */
static void tries_ways(void **state, const char *top, int first) {
  char in[PATH_MAX];
  mt_Str cell = MT_STR_INIT;
  mt_Error err;
  bool all = all_tests();
  snprintf(in, sizeof in, "%s/in", top);
  start_folder = in, cell_limit = "600", sandboxed = true;
  end(state);
  begin(state);
  mt_str_addf(&cell, "local outside, inside, first, step = '%s/out', '%s', %d, "
              "%d\n", top, in, first, all ? 1 : 23);
  assert_int_equal(
      mt_file_read("tests/lessons/ways.lua", 0, &cell, &err), MT_OK);
  const char *said = run(mt_str_text(&cell));
  has(said, " 0 leaks, its own header gives 7");
  /* without Landlock, and only then, the first cell says so */
  assert_true((strstr(said, "does not offer Landlock") != NULL) ==
              (launcher != NULL || !mt_landlock_there()));
  run("%%msl\n#define F \"../out/secret.h\"\n#include F\nkernel void f() {}");
  if (launcher || !mt_landlock_there()) /* Mettle says it, or Clang */
    has(mt_str_text(&got.events), "it is out of reach here");
  else
    has(mt_str_text(&got.events), "Permission denied");
  mt_str_free(&cell);
}

/* With the kernel's help, and without it. */
static void no_way_leads_out(void **state) {
  char top[] = "/tmp/mettle-ways-XXXXXX", command[64];
  char *older = realpath("build/tests/older", NULL);
  assert_non_null(mkdtemp(top));
  make_folders(top);
  tries_ways(state, top, 1);
  launcher = older;
  if (launcher) tries_ways(state, top, 2);
  free(older);
  snprintf(command, sizeof command, "rm -rf %s", top);
  assert_int_equal(system(command), 0);
}
#endif

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(says_who_it_is),
      cmocka_unit_test(runs_cells),
      cmocka_unit_test(output_is_text),
      cmocka_unit_test(errors_name_their_line),
      cmocka_unit_test(an_error_aborts_what_waits),
      cmocka_unit_test(a_wrong_signature_is_dropped),
      cmocka_unit_test(a_message_runs_once),
      cmocka_unit_test(remembers_signatures),
      cmocka_unit_test(completes),
      cmocka_unit_test(completes_after_a_call),
      cmocka_unit_test(completes_kernels),
      cmocka_unit_test(inspects),
      cmocka_unit_test(knows_what_is_complete),
      cmocka_unit_test(asks_for_input),
      cmocka_unit_test(remembers),
      cmocka_unit_test(can_be_interrupted),
      cmocka_unit_test(has_msl_cells),
      cmocka_unit_test(shuts_down),
      cmocka_unit_test(does_not_outlive_its_parent),
      cmocka_unit_test(bad_connection_files),
#ifdef MT_CLANG
      cmocka_unit_test(silence_is_silent), /* and this one */
#endif
      cmocka_unit_test(confines_cells), /* begins with another kernel */
#ifdef MT_CLANG
      cmocka_unit_test(no_way_leads_out), /* and with two more */
#endif
  };
  return cmocka_run_group_tests(tests, begin, end);
}
