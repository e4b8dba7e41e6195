/*
** channels.c - connection files, messages from and to frames.
*/
#include "jupyter/channels.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>

#include "base/files/file.h"
#include "jupyter/seen.h"

#define DELIMITER "<IDS|MSG>"
enum { CONNECTION_MAX = 1 << 16, ID = 16 };

struct mt_Jupyter {
  const mt_JupyterModule *module;
  mt_JupyterSockets *sockets;
  mt_Seen *seen;         /* signatures of messages that came */
  pthread_mutex_t iopub; /* one sender at a time */
  char session[2 * ID + 1];
};

/* --------------------------------------------------------------------- JSON */

const char *mt_json_text(const cJSON *object, const char *name) {
  const char *text =
      cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, name));
  return text ? text : "";
}

bool mt_json_flag(const cJSON *object, const char *name, bool otherwise) {
  const cJSON *v = cJSON_GetObjectItemCaseSensitive(object, name);
  return cJSON_IsBool(v) ? cJSON_IsTrue(v) : otherwise;
}

/* --------------------------------------------------------------- connection */

static const char *const ports[MT_JUPYTER_CHANNELS] = {
    [MT_JUPYTER_SHELL] = "shell_port",  [MT_JUPYTER_CONTROL] = "control_port",
    [MT_JUPYTER_STDIN] = "stdin_port",  [MT_JUPYTER_IOPUB] = "iopub_port",
    [MT_JUPYTER_HEARTBEAT] = "hb_port",
};

static mt_Status read_addresses(const cJSON *file, const char *path,
                                mt_JupyterAddresses *out, mt_Error *err) {
  const char *transport = mt_json_text(file, "transport");
  const char *ip = mt_json_text(file, "ip");
  const char *scheme = mt_json_text(file, "signature_scheme");
  bool ipc = strcmp(transport, "ipc") == 0;
  if (!ipc && transport[0] && strcmp(transport, "tcp") != 0)
    return mt_error(err, MT_BADARG, "%s: the transport '%s' is not known", path,
                    transport);
  if (scheme[0] && strcmp(scheme, "hmac-sha256") != 0)
    return mt_error(err, MT_BADARG,
                    "%s: messages are signed by '%s'; Mettle "
                    "knows hmac-sha256",
                    path, scheme);
  out->key = mt_json_text(file, "key");
  for (int i = 0; i < MT_JUPYTER_CHANNELS; i++) {
    const cJSON *port = cJSON_GetObjectItemCaseSensitive(file, ports[i]);
    if (ip[0] == '\0' || !cJSON_IsNumber(port))
      return mt_error(err, MT_BADARG, "%s is no connection file: it lacks %s",
                      path, ip[0] ? ports[i] : "ip");
    snprintf(out->address[i], sizeof out->address[i],
             ipc ? "ipc://%s-%d" : "tcp://%s:%d", ip, port->valueint);
  }
  return MT_OK;
}

static void random_id(const mt_Jupyter *j, char out[2 * ID + 1]) {
  unsigned char bytes[ID];
  j->module->random(bytes, sizeof bytes);
  for (int i = 0; i < ID; i++) snprintf(out + 2 * i, 3, "%02x", bytes[i]);
}

static mt_Status open_at(const mt_JupyterAddresses *a, mt_Jupyter **out,
                         mt_Error *err) {
  const mt_JupyterModule *module = mt_jupyter_load(err);
  if (module == NULL) return MT_FAIL;
  mt_Jupyter *j = calloc(1, sizeof *j);
  if (j == NULL) return mt_error(err, MT_FAIL, "not enough memory");
  j->module = module;
  j->seen = mt_seen_new();
  mt_Status status = j->seen ? module->open(a, &j->sockets, err)
                             : mt_error(err, MT_FAIL, "not enough memory");
  if (status != MT_OK) {
    mt_seen_free(j->seen);
    free(j);
    return status;
  }
  pthread_mutex_init(&j->iopub, NULL);
  random_id(j, j->session);
  *out = j;
  return MT_OK;
}

mt_Status mt_jupyter_open(const char *connection_file, mt_Jupyter **out,
                          mt_Error *err) {
  mt_Str text = MT_STR_INIT;
  mt_JupyterAddresses addresses;
  *out = NULL;
  mt_Status status = mt_file_read(connection_file, CONNECTION_MAX, &text, err);
  cJSON *file = status == MT_OK ? cJSON_Parse(mt_str_text(&text)) : NULL;
  if (status == MT_OK && !cJSON_IsObject(file))
    status =
        mt_error(err, MT_BADARG, "%s is no connection file: it is not JSON",
                 connection_file);
  if (status == MT_OK)
    status = read_addresses(file, connection_file, &addresses, err);
  if (status == MT_OK) status = open_at(&addresses, out, err);
  cJSON_Delete(file);
  mt_str_free(&text);
  return status;
}

void mt_jupyter_close(mt_Jupyter *j) {
  if (j == NULL) return;
  j->module->close(j->sockets);
  pthread_mutex_destroy(&j->iopub);
  mt_seen_free(j->seen);
  free(j);
}

/* ---------------------------------------------------------------- receiving */

void mt_jupyter_message_free(mt_JupyterMessage *m) {
  mt_jupyter_frames_free(&m->identities);
  cJSON_Delete(m->header);
  cJSON_Delete(m->parent);
  cJSON_Delete(m->metadata);
  cJSON_Delete(m->content);
  *m = (mt_JupyterMessage){.type = ""};
}

/* In a time that does not tell how much of it was right. */
static bool same(const char *a, const char *b) {
  size_t n = strlen(a);
  unsigned differs = 0;
  if (strlen(b) != n) return false;
  for (size_t i = 0; i < n; i++) differs |= (unsigned char)(a[i] ^ b[i]);
  return differs == 0;
}

static size_t find_delimiter(const mt_JupyterFrames *f) {
  size_t i = 0;
  while (i < f->count && strcmp(mt_str_text(&f->frame[i]), DELIMITER) != 0) i++;
  return i;
}

static cJSON *parse(const mt_Str *frame) {
  cJSON *tree = cJSON_ParseWithLength(mt_str_text(frame), frame->length);
  if (cJSON_IsObject(tree)) return tree;
  cJSON_Delete(tree);
  return NULL;
}

/* False: it is no message, its signature is wrong, or it came before. */
static bool understand(const mt_Jupyter *j, mt_JupyterFrames *f,
                       mt_JupyterMessage *out) {
  char signature[MT_JUPYTER_SIGNATURE + 1];
  size_t at = find_delimiter(f);
  if (at + 6 > f->count) return false;
  j->module->sign(j->sockets, f, at + 2, signature);
  if (!same(signature, mt_str_text(&f->frame[at + 1]))) return false;
  if (signature[0] && !mt_seen_add(j->seen, signature)) return false;
  out->header = parse(&f->frame[at + 2]);
  out->parent = parse(&f->frame[at + 3]);
  out->metadata = parse(&f->frame[at + 4]);
  out->content = parse(&f->frame[at + 5]);
  if (!out->header || !out->parent || !out->metadata || !out->content)
    return false;
  out->type = mt_json_text(out->header, "msg_type");
  for (size_t i = 0; i < at; i++) {
    mt_Str *identity = mt_jupyter_frame_add(&out->identities);
    if (identity == NULL) return false;
    *identity = f->frame[i]; /* moved */
    f->frame[i] = (mt_Str)MT_STR_INIT;
  }
  return true;
}

bool mt_jupyter_receive(mt_Jupyter *j, mt_JupyterChannel channel,
                        int milliseconds, mt_JupyterMessage *out) {
  mt_JupyterFrames frames = {0};
  mt_jupyter_message_free(out);
  bool got = j->module->receive(j->sockets, channel, milliseconds, &frames) &&
             understand(j, &frames, out);
  if (!got) mt_jupyter_message_free(out);
  mt_jupyter_frames_free(&frames);
  return got;
}

/* ------------------------------------------------------------------ sending */

static cJSON *new_header(const mt_Jupyter *j, const char *type) {
  char id[2 * ID + 1], date[64];
  struct timeval now;
  struct tm utc;
  gettimeofday(&now, NULL);
  gmtime_r(&now.tv_sec, &utc);
  size_t n = strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%S", &utc);
  snprintf(date + n, sizeof date - n, ".%06ldZ", (long)now.tv_usec);
  random_id(j, id);
  cJSON *header = cJSON_CreateObject();
  cJSON_AddStringToObject(header, "msg_id", id);
  cJSON_AddStringToObject(header, "session", j->session);
  cJSON_AddStringToObject(header, "username", "mettle");
  cJSON_AddStringToObject(header, "date", date);
  cJSON_AddStringToObject(header, "msg_type", type);
  cJSON_AddStringToObject(header, "version", MT_JUPYTER_PROTOCOL);
  return header;
}

static void add_json(mt_JupyterFrames *f, const cJSON *tree) {
  mt_Str *frame = mt_jupyter_frame_add(f);
  char *text = tree ? cJSON_PrintUnformatted(tree) : NULL;
  if (frame) mt_str_add(frame, text ? text : "{}");
  cJSON_free(text);
}

static void add_text(mt_JupyterFrames *f, const char *bytes, size_t n) {
  mt_Str *frame = mt_jupyter_frame_add(f);
  if (frame) mt_str_add_bytes(frame, bytes, n);
}

/* The frames after the identities. */
static void add_message(const mt_Jupyter *j, mt_JupyterFrames *f,
                        const char *type, const cJSON *parent,
                        const cJSON *content) {
  char signature[MT_JUPYTER_SIGNATURE + 1];
  cJSON *header = new_header(j, type);
  add_text(f, DELIMITER, strlen(DELIMITER));
  size_t at = f->count;
  add_text(f, "", 0);
  add_json(f, header);
  add_json(f, parent);
  add_json(f, NULL); /* metadata */
  add_json(f, content);
  cJSON_Delete(header);
  if (f->failed) return;
  j->module->sign(j->sockets, f, at + 1, signature);
  mt_str_add(&f->frame[at], signature);
}

static void send_and_free(const mt_Jupyter *j, mt_JupyterChannel channel,
                          mt_JupyterFrames *f) {
  if (!f->failed) j->module->send(j->sockets, channel, f);
  mt_jupyter_frames_free(f);
}

void mt_jupyter_send(mt_Jupyter *j, mt_JupyterChannel channel,
                     const mt_JupyterMessage *to, const char *type,
                     cJSON *content) {
  mt_JupyterFrames f = {0};
  for (size_t i = 0; i < to->identities.count; i++)
    add_text(&f, mt_str_text(&to->identities.frame[i]),
             to->identities.frame[i].length);
  add_message(j, &f, type, to->header, content);
  send_and_free(j, channel, &f);
  cJSON_Delete(content);
}

void mt_jupyter_publish(mt_Jupyter *j, const cJSON *parent, const char *type,
                        cJSON *content) {
  mt_JupyterFrames f = {0};
  add_text(&f, type, strlen(type)); /* the topic */
  add_message(j, &f, type, parent, content);
  pthread_mutex_lock(&j->iopub);
  send_and_free(j, MT_JUPYTER_IOPUB, &f);
  pthread_mutex_unlock(&j->iopub);
  cJSON_Delete(content);
}
