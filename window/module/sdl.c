/*
** sdl.c - the module window.so: window.h by SDL 2.
**
** The picture is a streaming texture that is drawn again, with the text, each
** time it is shown. Characters come from SDL's text input, so that '[' is the
** key that has it on this keyboard; only keys without a character come from key
** events. The state of the mouse's buttons is kept from events, too.
*/
#include <stdlib.h>
#include <string.h>

#include "base/thread.h"
#include "window/module/dock.h"
#include "window/module/inside.h"
#include "window/window.h"

enum { MADE_UP = 16 }; /* events that wait; one of ours is four of SDL's */

struct mt_Window {
  SDL_Window *window;
  SDL_Renderer *renderer;
  SDL_Texture *picture;   /* NULL until the first is shown */
  int width, height;      /* of the picture */
  SDL_Rect place;         /* of the picture, in the renderer's pixels */
  char *top, *bottom;     /* text over it; NULL: none */
  unsigned buttons;       /* that are down, as in mt_WindowEvent */
  float x, y;             /* of the mouse, in the picture's pixels */
  SDL_Event made_up[MADE_UP]; /* by 'pretend', the oldest first */
  unsigned waiting;           /* of these */
};

/* ----------------------------------------------------------------- opening */

static mt_Status complain(mt_Error *err, const char *what) {
  return mt_error(err, MT_FAIL, "%s: %s", what, SDL_GetError());
}

/* Where no screen answers, SDL's last resort draws into memory: only where
** that was asked for. */
static bool is_unseen(void) {
  const char *driver = SDL_GetCurrentVideoDriver();
  return driver && SDL_GetHint(SDL_HINT_VIDEODRIVER) == NULL &&
         (strcmp(driver, "offscreen") == 0 || strcmp(driver, "dummy") == 0);
}

/* Ctrl-C is the console's; SDL also starts threads, which get no signals. */
static mt_Status start(mt_Error *err) {
  sigset_t before;
  SDL_SetHint(SDL_HINT_NO_SIGNAL_HANDLERS, "1");
  SDL_SetHint(SDL_HINT_VIDEO_ALLOW_SCREENSAVER, "1");
  SDL_SetHint(SDL_HINT_VIDEO_X11_NET_WM_BYPASS_COMPOSITOR, "0");
  SDL_SetMainReady();
  mt_signals_block(&before);
  int status = SDL_InitSubSystem(SDL_INIT_VIDEO);
  mt_signals_restore(&before);
  if (status != 0) return complain(err, "no window can be opened");
  if (!is_unseen()) {
    mt_window_dock(true);
    return MT_OK;
  }
  SDL_QuitSubSystem(SDL_INIT_VIDEO);
  return mt_error(err, MT_FAIL,
                  "no window can be opened: no screen answers where DISPLAY or "
                  "WAYLAND_DISPLAY leads");
}

static void close_window(mt_Window *w) {
  if (w == NULL) return;
  if (w->picture) SDL_DestroyTexture(w->picture);
  if (w->renderer) SDL_DestroyRenderer(w->renderer);
  if (w->window) SDL_DestroyWindow(w->window);
  SDL_PumpEvents(); /* on a Mac it leaves the screen with the next event */
  mt_window_dock(false);
  SDL_QuitSubSystem(SDL_INIT_VIDEO);
  free(w->top);
  free(w->bottom);
  free(w);
}

/* Small pictures are enlarged by a whole factor, large ones made to fit. */
static void first_size(unsigned width, unsigned height, int *w, int *h) {
  SDL_Rect screen = {0, 0, 1024, 768};
  SDL_GetDisplayUsableBounds(0, &screen);
  unsigned larger = width > height ? width : height;
  unsigned factor = larger < 512 && larger > 0 ? 512 / larger : 1;
  double x = (double)width * factor, y = (double)height * factor, fit = 1;
  if (x > screen.w * 0.9) fit = screen.w * 0.9 / x;
  if (y * fit > screen.h * 0.9) fit = screen.h * 0.9 / y;
  *w = x * fit < 64 ? 64 : (int)(x * fit);
  *h = y * fit < 64 ? 64 : (int)(y * fit);
}

static mt_Status make(mt_Window *w, const char *title, unsigned width,
                      unsigned height, mt_Error *err) {
  int x, y;
  first_size(width, height, &x, &y);
  w->window =
      SDL_CreateWindow(title, SDL_WINDOWPOS_CENTERED, SDL_WINDOWPOS_CENTERED, x,
                       y, SDL_WINDOW_RESIZABLE | SDL_WINDOW_ALLOW_HIGHDPI);
  if (w->window == NULL) return complain(err, "the window cannot be opened");
  w->renderer = SDL_CreateRenderer(w->window, -1, 0);
  if (w->renderer == NULL)
    w->renderer = SDL_CreateRenderer(w->window, -1, SDL_RENDERER_SOFTWARE);
  if (w->renderer == NULL)
    return complain(err, "nothing can be drawn in a window");
  SDL_StartTextInput();
  return MT_OK;
}

static mt_Status open_window(const char *title, unsigned width, unsigned height,
                             mt_Window **out, mt_Error *err) {
  *out = NULL;
  mt_Status status = start(err);
  if (status != MT_OK) return status;
  mt_Window *w = calloc(1, sizeof *w);
  status = w ? make(w, title, width, height, err)
             : mt_error(err, MT_FAIL, "not enough memory for a window");
  if (status == MT_OK) *out = w;
  else if (w) close_window(w);
  else SDL_QuitSubSystem(SDL_INIT_VIDEO);
  return status;
}

static void set_title(mt_Window *w, const char *title) {
  SDL_SetWindowTitle(w->window, title);
}

/* ----------------------------------------------------------------- drawing */

/* The largest rectangle of the picture's proportions, in the middle. */
static void place(mt_Window *w) {
  int width = 1, height = 1;
  SDL_GetRendererOutputSize(w->renderer, &width, &height);
  double x = (double)width / w->width, y = (double)height / w->height;
  double scale = x < y ? x : y;
  w->place.w = (int)(w->width * scale + 0.5);
  w->place.h = (int)(w->height * scale + 0.5);
  w->place.x = (width - w->place.w) / 2;
  w->place.y = (height - w->place.h) / 2;
  SDL_SetTextureScaleMode(
      w->picture, scale < 1 ? SDL_ScaleModeLinear : SDL_ScaleModeNearest);
}

static void draw(mt_Window *w) {
  int width = 1, height = 1;
  place(w);
  SDL_GetRendererOutputSize(w->renderer, &width, &height);
  if (w->place.w < width || w->place.h < height) {
    SDL_SetRenderDrawColor(w->renderer, 0, 0, 0, 255);
    SDL_RenderClear(w->renderer);
  }
  SDL_RenderCopy(w->renderer, w->picture, NULL, &w->place);
  if (w->top) mt_font_draw(w->renderer, w->top, width, height, 0);
  if (w->bottom) mt_font_draw(w->renderer, w->bottom, width, height, 1);
}

static mt_Status fit_texture(mt_Window *w, int width, int height,
                             mt_Error *err) {
  if (w->picture && w->width == width && w->height == height) return MT_OK;
  if (w->picture) SDL_DestroyTexture(w->picture);
  w->picture = SDL_CreateTexture(w->renderer, SDL_PIXELFORMAT_RGBA32,
                                 SDL_TEXTUREACCESS_STREAMING, width, height);
  if (w->picture == NULL)
    return complain(err, "the picture does not fit in a window");
  SDL_SetTextureBlendMode(w->picture, SDL_BLENDMODE_NONE);
  w->width = width;
  w->height = height;
  return MT_OK;
}

static void keep_text(char **kept, const char *text) {
  if (*kept && strcmp(*kept, text) == 0) return;
  free(*kept);
  *kept = *text ? strdup(text) : NULL;
}

static mt_Status show(mt_Window *w, const uint8_t *rgba, unsigned width,
                      unsigned height, const char *top, const char *bottom,
                      mt_Error *err) {
  mt_Status status = fit_texture(w, (int)width, (int)height, err);
  if (status != MT_OK) return status;
  if (SDL_UpdateTexture(w->picture, NULL, rgba, (int)width * 4) != 0)
    return complain(err, "the picture cannot be shown");
  keep_text(&w->top, top);
  keep_text(&w->bottom, bottom);
  draw(w);
  SDL_RenderPresent(w->renderer);
  return MT_OK;
}

static mt_Status read_back(mt_Window *w, uint8_t **rgba, unsigned *width,
                           unsigned *height, mt_Error *err) {
  int x = 0, y = 0;
  *rgba = NULL;
  if (w->picture == NULL) return mt_error(err, MT_BADARG, "nothing was shown");
  draw(w);
  SDL_GetRendererOutputSize(w->renderer, &x, &y);
  uint8_t *pixels = malloc((size_t)x * (size_t)y * 4);
  if (pixels == NULL) return mt_error(err, MT_FAIL, "not enough memory");
  if (SDL_RenderReadPixels(w->renderer, NULL, SDL_PIXELFORMAT_RGBA32, pixels,
                           x * 4) != 0) {
    free(pixels);
    return complain(err, "the window cannot be read");
  }
  SDL_RenderPresent(w->renderer);
  *rgba = pixels;
  *width = (unsigned)x;
  *height = (unsigned)y;
  return MT_OK;
}

/* ------------------------------------------------------------------ events */

static float within(float v, int size) {
  return v < 0 ? 0 : v > (float)size - 1 ? (float)size - 1 : v;
}

/* From points of the window to pixels of the picture. */
static void move_mouse(mt_Window *w, int x, int y) {
  int points_x = 1, points_y = 1, pixels_x = 1, pixels_y = 1;
  if (w->picture == NULL || w->place.w == 0 || w->place.h == 0) return;
  SDL_GetWindowSize(w->window, &points_x, &points_y);
  SDL_GetRendererOutputSize(w->renderer, &pixels_x, &pixels_y);
  float at_x = (float)x * (float)pixels_x / (float)points_x - (float)w->place.x;
  float at_y = (float)y * (float)pixels_y / (float)points_y - (float)w->place.y;
  w->x = within(at_x * (float)w->width / (float)w->place.w, w->width);
  w->y = within(at_y * (float)w->height / (float)w->place.h, w->height);
}

static unsigned button_bit(int button) {
  return button == SDL_BUTTON_LEFT ? 1 : button == SDL_BUTTON_MIDDLE ? 2
         : button == SDL_BUTTON_RIGHT ? 4 : 0;
}

static bool key_without_character(const SDL_Keysym *k, uint32_t *key) {
  if ((k->mod & KMOD_CTRL) && k->sym == SDLK_c) *key = 3;
  else if (k->sym == SDLK_LEFT) *key = MT_WINDOW_LEFT;
  else if (k->sym == SDLK_RIGHT) *key = MT_WINDOW_RIGHT;
  else if (k->sym == SDLK_UP) *key = MT_WINDOW_UP;
  else if (k->sym == SDLK_DOWN) *key = MT_WINDOW_DOWN;
  else if (k->sym == SDLK_ESCAPE) *key = MT_WINDOW_ESCAPE;
  else if (k->sym == SDLK_RETURN || k->sym == SDLK_KP_ENTER) *key = '\n';
  else return false;
  return true;
}

static void mouse_event(mt_Window *w, mt_WindowEvent *out) {
  *out = (mt_WindowEvent){
      .kind = MT_WINDOW_MOUSE, .x = w->x, .y = w->y, .buttons = w->buttons};
}

static bool take_key(const SDL_Event *e, mt_WindowEvent *out) {
  const char *text = e->text.text;
  if (e->type == SDL_TEXTINPUT) {
    *out = (mt_WindowEvent){.kind = MT_WINDOW_KEY, .key = mt_font_next(&text)};
    return true;
  }
  out->kind = e->type == SDL_KEYDOWN ? MT_WINDOW_KEY : MT_WINDOW_KEY_UP;
  if (key_without_character(&e->key.keysym, &out->key)) return true;
  bool letter = e->key.keysym.sym > 0 && e->key.keysym.sym < 0x110000;
  out->key = letter ? (uint32_t)e->key.keysym.sym : MT_WINDOW_OTHER;
  return e->type == SDL_KEYUP;
}

/* Is the SDL event one of ours? */
static bool take(mt_Window *w, const SDL_Event *e, mt_WindowEvent *out) {
  *out = (mt_WindowEvent){0};
  switch (e->type) {
    case SDL_QUIT: return out->kind = MT_WINDOW_CLOSE, true;
    case SDL_WINDOWEVENT:
      return out->kind = MT_WINDOW_CLOSE,
             e->window.event == SDL_WINDOWEVENT_CLOSE;
    case SDL_TEXTINPUT:
    case SDL_KEYDOWN:
    case SDL_KEYUP:
      return take_key(e, out);
    case SDL_MOUSEMOTION:
      move_mouse(w, e->motion.x, e->motion.y);
      return mouse_event(w, out), true;
    case SDL_MOUSEBUTTONDOWN: case SDL_MOUSEBUTTONUP:
      move_mouse(w, e->button.x, e->button.y);
      if (e->type == SDL_MOUSEBUTTONDOWN)
        w->buttons |= button_bit(e->button.button);
      else w->buttons &= ~button_bit(e->button.button);
      return mouse_event(w, out), true;
    case SDL_MOUSEWHEEL:
      mouse_event(w, out);
      out->kind = MT_WINDOW_WHEEL;
      out->turned = (float)e->wheel.y;
      return true;
    default: return false;
  }
}

/* The next event: made up, or SDL's. */
static bool next(mt_Window *w, SDL_Event *e) {
  if (w->waiting == 0) return SDL_PollEvent(e) != 0;
  *e = w->made_up[0];
  memmove(w->made_up, w->made_up + 1, --w->waiting * sizeof *e);
  return true;
}

static bool poll(mt_Window *w, mt_WindowEvent *out) {
  SDL_Event e;
  while (next(w, &e))
    if (take(w, &e, out)) return true;
  return false;
}

/* ------------------------------------------------------------------- tests */

static SDL_Keycode sdl_key(uint32_t key) {
  switch (key) {
    case MT_WINDOW_LEFT: return SDLK_LEFT;
    case MT_WINDOW_RIGHT: return SDLK_RIGHT;
    case MT_WINDOW_UP: return SDLK_UP;
    case MT_WINDOW_DOWN: return SDLK_DOWN;
    case MT_WINDOW_ESCAPE: return SDLK_ESCAPE;
    case '\n': return SDLK_RETURN;
    default: return (SDL_Keycode)key;
  }
}

/* SDL's own queue is no place for these: SDL 2 over SDL 3 (sdl2-compat) takes
** no text by SDL_PushEvent, and ends the program. */
static void make_up(mt_Window *w, const SDL_Event *e) {
  if (w->waiting < MADE_UP) w->made_up[w->waiting++] = *e;
}

static void pretend_key(mt_Window *w, const mt_WindowEvent *event) {
  SDL_Event e = {.type =
                     event->kind == MT_WINDOW_KEY ? SDL_KEYDOWN : SDL_KEYUP};
  e.key.keysym.sym = sdl_key(event->key);
  make_up(w, &e);
  if (event->kind != MT_WINDOW_KEY || event->key < ' ' || event->key > '~')
    return;
  SDL_Event text = {.type = SDL_TEXTINPUT};
  text.text.text[0] = (char)event->key;
  make_up(w, &text);
}

static void pretend_mouse(mt_Window *w, const mt_WindowEvent *event) {
  SDL_Event move = {.type = SDL_MOUSEMOTION};
  move.motion.x = (int)event->x;
  move.motion.y = (int)event->y;
  make_up(w, &move);
  for (int b = 0; b < 3; b++) {
    static const uint8_t button[] = {SDL_BUTTON_LEFT, SDL_BUTTON_MIDDLE,
                                     SDL_BUTTON_RIGHT};
    bool down = event->buttons >> b & 1;
    if (down == (w->buttons >> b & 1)) continue;
    SDL_Event e = {.type = down ? SDL_MOUSEBUTTONDOWN : SDL_MOUSEBUTTONUP};
    e.button.button = button[b];
    e.button.x = (int)event->x;
    e.button.y = (int)event->y;
    make_up(w, &e);
  }
}

static void pretend(mt_Window *w, const mt_WindowEvent *event) {
  SDL_Event e = {.type = SDL_QUIT};
  if (event->kind == MT_WINDOW_CLOSE) make_up(w, &e);
  else if (event->kind == MT_WINDOW_MOUSE) pretend_mouse(w, event);
  else if (event->kind == MT_WINDOW_WHEEL) {
    e.type = SDL_MOUSEWHEEL;
    e.wheel.y = (int)event->turned;
    make_up(w, &e);
  } else pretend_key(w, event);
}

extern const mt_WindowModule mt_window_module;
const mt_WindowModule mt_window_module = {
    open_window, close_window, show, set_title, poll, read_back, pretend};
