"""JupyterLab in a browser: a person opens a notebook and runs its cells.

Needs jupyterlab and playwright (PyPI) and a Chromium of the system.
"""
import os
import shutil
import socket
import subprocess
import sys
import time
import unittest
import urllib.request
import zlib

import nbformat
from playwright.sync_api import sync_playwright

ADD = ("%%msl add\n"
       "kernel void add(device float *a,"
       " uint i [[thread_position_in_grid]]) { a[i] += 1; }")
CELLS = [ADD,
         "a = gpu.buffer(100):iota()\nadd{a, grid = 100}\na[99]",
         "plot(a)",
         "print 'begun' while true do end"]
THEMED = [ADD, "plot{1, 4, 9, title = 'squares'}",
          "draw{add, gpu.buffer(64), grid = 64}",
          "record{add, gpu.buffer(64), grid = 64}"]
WAVES = """%%msl waves
#include <metal_stdlib>
using namespace metal;
kernel void waves(texture2d<float, access::write> out [[texture(0)]],
                  constant float &time [[buffer(0)]],
                  uint2 p [[thread_position_in_grid]]) {
  float v = 0.5f + 0.5f * sin(0.1f * p.x + 5.0f * time);
  out.write(float4(v, 0.2f, 1 - v, 1), p);
}"""
# waits on the first step until a second has passed, which makes it visible
BAKING = """p = require 'lua.session.progress'.new('baking', 3)
local start = os.time()
p:step 'first'
while os.difftime(os.time(), start) < 2 do p:part(0.5) end
p:step 'second'
io.read()
p:done()
print 'eaten'"""
MOVING = [WAVES, "play{waves, size = {160, 90}}", BAKING, WAVES]
PATIENCE = 600  # seconds: only what hangs waits so long


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def write_book(name, cells):
    nbformat.write(nbformat.v4.new_notebook(
        metadata={"kernelspec": {"name": "mettle", "language": "lua",
                                 "display_name": "Mettle"}},
        cells=[nbformat.v4.new_code_cell(c) for c in cells]), name)


def first_pixel(png):
    """Of a PNG of 8 bits a channel: no filter changes it."""
    data, at = b"", 8
    while at < len(png):
        size = int.from_bytes(png[at:at + 4], "big")
        if png[at + 4:at + 8] == b"IDAT":
            data += png[at + 8:at + 8 + size]
        at += size + 12
    return tuple(zlib.decompress(data)[1:4])


class Lab(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.port = free_port()
        cls.server = subprocess.Popen(
            [sys.executable, "-m", "jupyterlab", "--no-browser",
             "--allow-root", f"--port={cls.port}", "--IdentityProvider.token=",
             "--ServerApp.password=", "--LabApp.news_url=",
             "--ServerApp.root_dir=" + os.getcwd()],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for _ in range(PATIENCE):
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{cls.port}/api")
                break
            except OSError:
                time.sleep(1)
        cls.play = sync_playwright().start()
        cls.browser = cls.play.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"])

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()
        cls.play.stop()
        cls.server.terminate()
        cls.server.wait(PATIENCE)

    def open(self, name, texts):
        """The page of a new notebook with these cells, and the cells."""
        write_book(name, texts)
        # "null": whether it is dark is the page's affair, not the driver's
        page = self.browser.new_page(viewport={"width": 1200, "height": 1400},
                                     color_scheme="null")
        self.addCleanup(page.close)
        page.set_default_timeout(1000 * PATIENCE)
        page.goto(f"http://127.0.0.1:{self.port}/lab/tree/{name}?reset")
        cells = page.locator(".jp-Notebook .jp-CodeCell")
        cells.nth(len(texts) - 1).wait_for()
        return page, cells

    def run_cell(self, page, cell):
        """JupyterLab drops what is run before its session is there."""
        for _ in range(PATIENCE):
            cell.locator(".cm-content").click()
            page.keyboard.press("Shift+Enter")
            for _ in range(20):
                prompt = cell.locator(".jp-InputPrompt").inner_text()
                if prompt.strip() not in ("[ ]:", ""):
                    return
                time.sleep(0.1)
            no_kernel = page.locator(".jp-Dialog").get_by_text("No Kernel")
            if no_kernel.count():  # asks which: it was not there yet
                no_kernel.page.keyboard.press("Enter")
        self.fail("the cell is not run")

    def picture(self, page, name):
        """For a person, where METTLE_PICTURES names a folder."""
        folder = os.environ.get("METTLE_PICTURES")
        if folder:
            page.screenshot(path=f"{folder}/{name}.png")

    def interrupt(self, page):
        page.keyboard.press("Escape")
        page.keyboard.press("i")
        page.keyboard.press("i")

    def test_a_notebook(self):
        page, cells = self.open("lab.ipynb", CELLS)
        # %%msl is coloured as C++: as Lua [[...]] would be a string
        page.wait_for_function("""() => [...document.querySelectorAll(
          '.jp-CodeCell .cm-line span')].some(e => e.textContent === 'add')
          && ![...document.querySelectorAll('.jp-CodeCell .cm-line span')]
          .some(e => e.textContent.startsWith('[[thread'))""")
        for i in range(3):
            self.run_cell(page, cells.nth(i))
        cells.nth(0).get_by_text("declared as").wait_for()
        cells.nth(1).get_by_text("100.0", exact=True).wait_for()
        cells.nth(2).locator("img[src^='data:image/svg']").wait_for()
        # JupyterLab itself gives pictures no alt text
        self.assertIn("100 points", cells.nth(2).locator(
            ".jp-OutputArea img").get_attribute("alt"))
        # the fourth never ends
        self.run_cell(page, cells.nth(3))
        cells.nth(3).get_by_text("begun", exact=True).wait_for()
        self.interrupt(page)
        cells.nth(3).get_by_text("interrupted", exact=True).wait_for()
        # Tab completes
        page.locator(".jp-Notebook .jp-CodeCell").last.locator(
            ".cm-content").click()
        page.keyboard.press("Control+a")
        page.keyboard.type("gpu.buff")
        page.keyboard.press("Tab")
        page.get_by_text("gpu.buffer").first.wait_for()
        page.keyboard.press("Escape")
        # Shift+Tab helps
        page.keyboard.press("Enter")
        page.keyboard.press("Control+a")
        page.keyboard.type("gpu.buffer(")
        page.keyboard.press("Shift+Tab")
        page.locator(".jp-Tooltip").get_by_text(
            "Make a buffer of zeros").first.wait_for()
        self.picture(page, "help")

    def choose_theme(self, page, name):
        page.get_by_role("menuitem", name="Settings", exact=True).click()
        for word in ("Theme", name):
            page.locator(".lm-Menu-itemLabel").get_by_text(
                word, exact=True).click()

    def test_themes(self):
        page, cells = self.open("themes.ipynb", THEMED)
        for i in range(len(THEMED)):
            self.run_cell(page, cells.nth(i))
        plot = cells.nth(1).locator(".jp-OutputArea img")
        plot.wait_for()
        for cell in (2, 3):
            cells.nth(cell).frame_locator("iframe").locator(
                "#theme").wait_for()
        for theme, page_says, ground in (
                ("JupyterLab Dark", "dark", (0x11, 0x11, 0x11)),
                ("JupyterLab Light", "light", (255, 255, 255))):
            self.choose_theme(page, theme)
            page.locator("body[data-jp-theme-light=%s]" % (
                "false" if page_says == "dark" else "true")).wait_for(
                    state="attached")
            for cell in (2, 3):  # Chromium lets frames out of sight sleep
                cells.nth(cell).locator("iframe").scroll_into_view_if_needed()
                cells.nth(cell).frame_locator("iframe").locator(
                    f"html[data-theme={page_says}]").wait_for(state="attached")
            for _ in range(PATIENCE):
                if first_pixel(plot.screenshot()) == ground:
                    break
                time.sleep(1)
            else:
                self.fail(f"the plot is not {page_says}")
            self.picture(page, page_says)

    def test_in_place(self):
        page, cells = self.open("moving.ipynb", MOVING)
        self.run_cell(page, cells.nth(0))
        cells.nth(0).get_by_text("declared as").wait_for()
        # play: one picture, which changes
        self.run_cell(page, cells.nth(1))
        frame = cells.nth(1).locator(".jp-OutputArea img")
        frame.wait_for()
        first = frame.get_attribute("src")
        page.wait_for_function(
            "src => ![src, undefined].includes(document.querySelectorAll("
            "'.jp-CodeCell')[1].querySelector('.jp-OutputArea img')?.src)",
            arg=first)
        self.assertEqual(frame.count(), 1)
        self.picture(page, "play")
        self.interrupt(page)
        cells.nth(1).get_by_text("frames in").wait_for()
        # progress: one line, which is replaced, and goes
        self.run_cell(page, cells.nth(2))
        line = cells.nth(2).get_by_text("baking [")
        cells.nth(2).get_by_text("second").last.wait_for()
        cells.nth(2).locator(".jp-Stdin-input").wait_for()
        self.assertEqual(line.count(), 1)
        self.picture(page, "progress")
        cells.nth(2).locator(".jp-Stdin-input").press("Enter")
        cells.nth(2).get_by_text("eaten", exact=True).wait_for()
        self.assertEqual(line.count(), 0)
        # Tab in %%msl
        cells.nth(3).locator(".cm-content").click()
        page.keyboard.press("Control+End")
        page.keyboard.type("\nsimd_prefix_inclusive_p")
        page.keyboard.press("Tab")
        page.locator(".jp-Completer").get_by_text(
            "simd_prefix_inclusive_product").first.wait_for()
        self.picture(page, "complete")


if __name__ == "__main__":
    if not shutil.which("chromium"):
        print("0 passed, 0 failed, 1 skipped: there is no Chromium")
        raise SystemExit(0)
    ended = unittest.main(verbosity=2, exit=False).result
    bad = len(ended.failures) + len(ended.errors)
    print(f"{ended.testsRun - bad} passed, {bad} failed")
    raise SystemExit(bad > 0)
