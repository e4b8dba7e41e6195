/*
** jupyter.c - mettle jupyter: installs Mettle as a kernel of Jupyter's,
** and is that kernel.
**
** Jupyter finds kernels by their kernelspec, a folder with kernel.json: how to
** start them. It lies in the folder of data of the user, of a prefix, or of a
** Python environment.
*/
#include <cJSON.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/files/confine.h"
#include "base/files/file.h"
#include "base/files/folders.h"
#include "base/files/user_file.h"
#include "base/status.h"
#include "jupyter/transport.h"
#include "repl/commands/commands.h"
#include "repl/lua/run.h"
#include "repl/notebook/notebook.h"

static const char usage[] =
    "usage: mettle jupyter install [--user | --prefix FOLDER | --sys-prefix]\n"
    "                              [--sandbox [--time-limit SECONDS]]\n"
    "       mettle jupyter uninstall [the same]\n"
    "       mettle jupyter --connection FILE [--sandbox ...]\n"
    "  install            make Mettle one of Jupyter's kernels: then choose it "
    "in\n"
    "                     JupyterLab, or run jupyter console --kernel mettle\n"
    "  --user             for you (the default)\n"
    "  --prefix FOLDER    in FOLDER/share/jupyter\n"
    "  --sys-prefix       in the Python environment that is active\n"
    "  --sandbox          a second kernel, for notebooks of strangers: their "
    "cells\n"
    "                     reach no program and no other file\n"
    "  --time-limit S     and each has S seconds; 60\n"
    "  --connection FILE  be that kernel; Jupyter calls this\n";

/* What --sandbox and --time-limit say. */
typedef struct Walls {
  bool sandbox;
  double seconds;
} Walls;

enum { ROOM = PATH_MAX + 64 }; /* for a file in a folder of Jupyter's */

static int complain(const char *message) {
  fprintf(stderr, "mettle: %s\n", message);
  return MT_EXIT_ERROR;
}

/* The same of a command line that is wrong. */
static int refuse(const char *message) {
  complain(message);
  return MT_EXIT_USAGE;
}

/* ------------------------------------------------------------------ folders */

static bool set(const char *value) { return value && *value; }

/* Jupyter's folder of data for the user. (MT_DARWIN is the Makefile's: a Mac
** that is only played, tests/macos/play, has it in the same place.) */
static bool user_folder(mt_Str *out) {
  const char *own = getenv("JUPYTER_DATA_DIR"), *home = getenv("HOME");
  if (set(own)) {
    mt_str_add(out, own);
    return true;
  }
#ifdef MT_DARWIN
  if (set(home)) mt_str_addf(out, "%s/Library/Jupyter", home);
#else
  const char *data = getenv("XDG_DATA_HOME");
  if (set(data))
    mt_str_addf(out, "%s/jupyter", data);
  else if (set(home))
    mt_str_addf(out, "%s/.local/share/jupyter", home);
#endif
  return out->length > 0;
}

/* Jupyter's folder of data for these options; false with a sentence. */
static bool data_folder(int argc, char **argv, mt_Str *out, mt_Error *err) {
  const char *prefix = NULL;
  for (int i = 0; i < argc; i++) {
    if (strcmp(argv[i], "--user") == 0) continue;
    if (strcmp(argv[i], "--prefix") == 0 && i + 1 < argc) {
      prefix = argv[++i];
    } else if (strncmp(argv[i], "--prefix=", 9) == 0) {
      prefix = argv[i] + 9;
    } else if (strcmp(argv[i], "--sys-prefix") == 0) {
      prefix = getenv("VIRTUAL_ENV");
      if (!set(prefix)) prefix = getenv("CONDA_PREFIX");
      if (!set(prefix)) {
        mt_error(err, MT_BADARG,
                 "no Python environment is active (neither "
                 "VIRTUAL_ENV nor CONDA_PREFIX is set): use --prefix FOLDER");
        return false;
      }
    } else {
      mt_error(err, MT_BADARG,
               "'%s' is not known; mettle jupyter --help says "
               "what is",
               argv[i]);
      return false;
    }
  }
  if (prefix)
    mt_str_addf(out, "%s/share/jupyter", prefix);
  else if (!user_folder(out)) {
    mt_error(err, MT_FAIL, "there is no home folder: use --prefix FOLDER");
    return false;
  }
  return true;
}

/* A folder or file below Jupyter's folder of data. */
static const char *below(const char *data, const char *name,
                         char out[PATH_MAX]) {
  snprintf(out, PATH_MAX, "%s/%s", data, name);
  return out;
}

static const char *spec_of(const Walls *walls) {
  return walls->sandbox ? "kernels/mettle-sandbox" : "kernels/mettle";
}

/* ------------------------------------------------------------------ install */

static void spec_text(const char *program, const Walls *walls, mt_Str *out) {
  cJSON *spec = cJSON_CreateObject();
  char seconds[32];
  snprintf(seconds, sizeof seconds, "%g", walls->seconds);
  const char *const words[] = {program,        "jupyter",
                               "--connection", "{connection_file}",
                               "--sandbox",    "--time-limit",
                               seconds};
  cJSON_AddItemToObject(spec, "argv",
                        cJSON_CreateStringArray(words, walls->sandbox ? 7 : 4));
  cJSON_AddStringToObject(
      spec, "display_name",
      walls->sandbox ? "Mettle (sandbox)" : "Mettle (Metal kernels)");
  cJSON_AddStringToObject(spec, "language", "lua");
  cJSON_AddStringToObject(spec, "interrupt_mode", "message");
  cJSON *metadata = cJSON_AddObjectToObject(spec, "metadata");
  cJSON_AddFalseToObject(metadata, "debugger");
  char *text = cJSON_Print(spec);
  mt_str_addf(out, "%s\n", text ? text : "");
  cJSON_free(text);
  cJSON_Delete(spec);
}

static mt_Status write_in(const char *folder, const char *name,
                          const mt_Str *text, mt_Error *err) {
  char path[ROOM];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  return mt_user_file_save(path, mt_str_text(text), text->length, 0644, false,
                           err);
}

/* Files of lua/text/pages, and where they belong: the picture that JupyterLab
** shows for the kernel, the extension and the template that colour MSL. */
static const struct {
  const char *from, *folder, *name; /* folder NULL: the kernelspec's */
} copies[] = {
    {"logo-svg.svg", NULL, "logo-svg.svg"},
    {"jupyter/package.json", "labextensions/mettle-msl", "package.json"},
    {"jupyter/msl.js", "labextensions/mettle-msl/static", "msl.js"},
    {"jupyter/conf.json", "nbconvert/templates/mettle", "conf.json"},
    {"jupyter/index.html.j2", "nbconvert/templates/mettle", "index.html.j2"},
};

enum { COPIES = sizeof copies / sizeof *copies };

static mt_Status copy(const char *from, const char *folder, const char *name,
                      mt_Error *err) {
  char path[PATH_MAX];
  mt_Str bytes = MT_STR_INIT;
  snprintf(path, sizeof path, "%s/lua/text/pages/%s", mt_dir_data(), from);
  mt_Status status = mt_dir_make(folder, 0777, err);
  if (status == MT_OK) status = mt_file_read(path, 1 << 20, &bytes, err);
  if (status == MT_OK) status = write_in(folder, name, &bytes, err);
  mt_str_free(&bytes);
  return status;
}

static mt_Status copy_all(const char *data, const char *spec, mt_Error *err) {
  char folder[PATH_MAX];
  mt_Status status = MT_OK;
  for (int i = 0; i < COPIES && status == MT_OK; i++)
    status = copy(copies[i].from,
                  copies[i].folder ? below(data, copies[i].folder, folder)
                                   : spec,
                  copies[i].name, err);
  return status;
}

static int install(const char *data, const Walls *walls) {
  char folder[PATH_MAX];
  mt_Error err;
  below(data, spec_of(walls), folder);
  mt_Str text = MT_STR_INIT;
  const char *program = mt_program_path();
  if (program == NULL) return complain("where the program is cannot be found");
  if (mt_jupyter_load(&err) == NULL) return complain(err.text);
  spec_text(program, walls, &text);
  bool ok = mt_dir_make(folder, 0777, &err) == MT_OK &&
            write_in(folder, "kernel.json", &text, &err) == MT_OK &&
            copy_all(data, folder, &err) == MT_OK;
  mt_str_free(&text);
  if (!ok) return complain(err.text);
  printf(
      "installed: %s\n"
      "Choose %s in JupyterLab, or run: jupyter console --kernel %s\n",
      folder, walls->sandbox ? "Mettle (sandbox)" : "Mettle",
      walls->sandbox ? "mettle-sandbox" : "mettle");
  if (walls->sandbox && mt_confine_weakness())
    printf("Note: %s\n", mt_confine_weakness());
  return MT_EXIT_OK;
}

/* The colours go with the last kernelspec. */
static void remove_copies(const char *data) {
  static const Walls both[] = {{false, 0}, {true, 0}};
  char path[ROOM], folder[PATH_MAX];
  bool used = false;
  for (int i = 0; i < 2; i++)
    used = used || mt_file_exists(below(data, spec_of(&both[i]), path));
  for (int i = 0; i < COPIES; i++) {
    if (used || !copies[i].folder) continue;
    below(data, copies[i].folder, folder);
    snprintf(path, sizeof path, "%s/%s", folder, copies[i].name);
    remove(path);
    remove(folder); /* once it is empty */
  }
  if (!used) remove(below(data, "labextensions/mettle-msl", path));
}

static int uninstall(const char *data, const Walls *walls) {
  static const char *const files[] = {"kernel.json", "logo-svg.svg"};
  char path[ROOM], folder[PATH_MAX];
  below(data, spec_of(walls), folder);
  snprintf(path, sizeof path, "%s/%s", folder, files[0]);
  if (!mt_file_exists(path)) {
    fprintf(stderr, "mettle: there is no kernel at %s\n", folder);
    return MT_EXIT_ERROR;
  }
  for (int i = 0; i < 2; i++) {
    snprintf(path, sizeof path, "%s/%s", folder, files[i]);
    remove(path);
  }
  remove(folder);
  remove_copies(data);
  printf("removed: %s\n", folder);
  return MT_EXIT_OK;
}

/* What is there, and what to do next. */
static int say_state(void) {
  mt_Error err;
  if (mt_jupyter_load(&err) == NULL) return complain(err.text);
  fputs(usage, stdout);
  return MT_EXIT_OK;
}

/* Take the words about the sandbox out of the others; false with a sentence. */
static bool take_walls(int *argc, char **argv, Walls *out, mt_Error *err) {
  int kept = 0;
  bool timed = false;
  *out = (Walls){false, 60};
  for (int i = 0; i < *argc; i++) {
    if (strcmp(argv[i], "--sandbox") == 0) {
      out->sandbox = true;
    } else if (strcmp(argv[i], "--time-limit") == 0) {
      char *end = NULL;
      out->seconds = i + 1 < *argc ? strtod(argv[++i], &end) : 0;
      timed = true;
      if (end == NULL || *end || !(out->seconds > 0)) {
        mt_error(err, MT_BADARG, "--time-limit is a number of seconds");
        return false;
      }
    } else {
      argv[kept++] = argv[i];
    }
  }
  *argc = kept;
  if (timed && !out->sandbox)
    mt_error(err, MT_BADARG, "--time-limit goes with --sandbox");
  return !timed || out->sandbox;
}

int mt_command_jupyter(int argc, char **argv) {
  mt_Error err;
  mt_Str folder = MT_STR_INIT;
  Walls walls;
  int status;
  if (!take_walls(&argc, argv, &walls, &err)) return refuse(err.text);
  const char *word = argc > 1 ? argv[1] : "";
  if (argc < 2) return say_state();
  if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
    fputs(usage, stdout);
    return MT_EXIT_OK;
  }
  if (strcmp(word, "--connection") == 0 && argc == 3)
    return mt_notebook_serve(argv[2], walls.sandbox, walls.seconds);
  bool in = strcmp(word, "install") == 0;
  if (!in && strcmp(word, "uninstall") != 0) {
    fputs(usage, stderr);
    return MT_EXIT_USAGE;
  }
  if (!data_folder(argc - 2, argv + 2, &folder, &err))
    status = refuse(err.text);
  else
    status = in ? install(mt_str_text(&folder), &walls)
                : uninstall(mt_str_text(&folder), &walls);
  mt_str_free(&folder);
  return status;
}
