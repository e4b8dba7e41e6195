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

import nbformat
from playwright.sync_api import sync_playwright

CELLS = ["%%msl add\n"
         "kernel void add(device float *a,"
         " uint i [[thread_position_in_grid]]) { a[i] += 1; }",
         "a = gpu.buffer(100):iota()\nadd{a, grid = 100}\na[99]",
         "plot(a)",
         "print 'begun' while true do end"]
PATIENCE = 600  # seconds: only what hangs waits so long


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


class Lab(unittest.TestCase):
    def setUp(self):
        book = nbformat.v4.new_notebook(
            metadata={"kernelspec": {"name": "mettle", "language": "lua",
                                     "display_name": "Mettle"}},
            cells=[nbformat.v4.new_code_cell(c) for c in CELLS])
        nbformat.write(book, "lab.ipynb")
        self.port = free_port()
        self.server = subprocess.Popen(
            [sys.executable, "-m", "jupyterlab", "--no-browser",
             "--allow-root", f"--port={self.port}", "--IdentityProvider.token=",
             "--ServerApp.password=", "--LabApp.news_url=",
             "--ServerApp.root_dir=" + os.getcwd()],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for _ in range(PATIENCE):
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{self.port}/api")
                return
            except OSError:
                time.sleep(1)
        self.fail("JupyterLab did not start")

    def tearDown(self):
        self.server.terminate()
        self.server.wait(PATIENCE)

    def test_a_notebook(self):
        with sync_playwright() as play:
            browser = play.chromium.launch(
                executable_path=shutil.which("chromium"),
                args=["--no-sandbox"])
            page = browser.new_page(viewport={"width": 1200, "height": 1400})
            page.set_default_timeout(1000 * PATIENCE)
            page.goto(f"http://127.0.0.1:{self.port}/lab/tree/lab.ipynb")
            cells = page.locator(".jp-Notebook .jp-CodeCell")
            cells.nth(len(CELLS) - 1).wait_for()
            # %%msl is coloured as C++: as Lua [[...]] would be a string
            page.wait_for_function("""() => [...document.querySelectorAll(
              '.jp-CodeCell .cm-line span')].some(e => e.textContent === 'add')
              && ![...document.querySelectorAll('.jp-CodeCell .cm-line span')]
              .some(e => e.textContent.startsWith('[[thread'))""")
            page.get_by_text("Idle").first.wait_for(state="attached")
            cells.nth(0).locator(".cm-content").click()
            for _ in range(3):
                page.keyboard.press("Shift+Enter")
            cells.nth(0).get_by_text("declared as").wait_for()
            cells.nth(1).get_by_text("100.0", exact=True).wait_for()
            cells.nth(2).locator("img[src^='data:image/svg']").wait_for()
            # JupyterLab itself gives pictures no alt text
            self.assertIn("100 points", cells.nth(2).locator(
                ".jp-OutputArea img").get_attribute("alt"))
            # the fourth never ends: I, I interrupts
            page.keyboard.press("Shift+Enter")
            cells.nth(3).get_by_text("begun", exact=True).wait_for()
            page.keyboard.press("Escape")
            page.keyboard.press("i")
            page.keyboard.press("i")
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
            browser.close()


if __name__ == "__main__":
    if not shutil.which("chromium"):
        print("0 passed, 0 failed, 1 skipped: there is no Chromium")
        raise SystemExit(0)
    ended = unittest.main(verbosity=2, exit=False).result
    bad = len(ended.failures) + len(ended.errors)
    print(f"{ended.testsRun - bad} passed, {bad} failed")
    raise SystemExit(bad > 0)
