"""The Jupyter kernel, by Jupyter's own suite, client and converter.

Speaks TAP's last line for people: N passed, N failed.
"""
import glob
import os
import subprocess
import time
import unittest

import jupyter_kernel_test
import nbclient
import nbformat
from jupyter_client.manager import start_new_kernel

ADD = """%%msl add
kernel void add(device float *a, uint i [[thread_position_in_grid]]) {
  a[i] += 1;
}"""

PATIENCE = 600  # seconds: only what hangs waits so long
jupyter_kernel_test.TIMEOUT = PATIENCE

ENDLESS = """e = gpu.kernel [=[
kernel void e(device float *a, uint i [[thread_position_in_grid]]) {
  while (a[i] == 0) {}
}]=]
print 'begun'
e{gpu.buffer(1024), grid = 1024}"""


class Protocol(jupyter_kernel_test.KernelTests):
    kernel_name = "mettle"
    language_name = "lua"
    file_extension = ".lua"
    code_hello_world = "print('hello, world')"
    code_stderr = "io.stderr:write('oops')"
    completion_samples = [{"text": "gpu.buf", "matches": {"buffer"}}]
    complete_code_samples = ["x = 1", "1 + 1", "for i = 1, 2 do print(i) end"]
    incomplete_code_samples = ["for i = 1, 2 do", "print('a',"]
    invalid_code_samples = ["x = = 1"]
    code_generate_error = "error 'no'"
    code_execute_result = [
        {"code": "1 + 2 + 3", "result": "6"},
        {"code": "x = 4\nx * 2", "result": "8"},
    ]
    code_display_data = [{"code": "image{{0,1},{1,0}}", "mime": "image/png"}]
    code_history_pattern = "1 + 2*"
    supported_history_operations = ("tail", "search", "range")
    code_inspect_sample = "gpu.buffer"


class Sessions(unittest.TestCase):
    def setUp(self):
        self.manager, self.client = start_new_kernel(
            kernel_name="mettle", startup_timeout=PATIENCE)

    def tearDown(self):
        self.client.stop_channels()
        self.manager.shutdown_kernel(now=True)

    def run_cell(self, code, hook=lambda message: None):
        reply = self.client.execute_interactive(
            code, timeout=PATIENCE, allow_stdin=False, output_hook=hook)
        return reply["content"]

    def test_interrupts(self):
        def once_begun(message):
            if "begun" in message["content"].get("text", ""):
                self.manager.interrupt_kernel()
        for code in ("print 'begun' while true do end", ENDLESS):
            content = self.run_cell(code, once_begun)
            self.assertEqual(content["status"], "error")
            self.assertEqual(content["ename"], "Interrupted")
        self.assertEqual(self.run_cell("1 + 1")["status"], "ok")

    def test_restart_is_clean(self):
        self.run_cell("x = 1")
        self.manager.restart_kernel(now=False)
        self.client.wait_for_ready(timeout=PATIENCE)
        content = self.run_cell("assert(x == nil)")
        self.assertEqual(content["status"], "ok")

    def test_two_kernels_share_caches(self):
        other, client = start_new_kernel(
            kernel_name="mettle", startup_timeout=PATIENCE)
        try:
            for each in (self.client, client):
                reply = each.execute_interactive(
                    ADD, timeout=PATIENCE, output_hook=lambda m: None)
                self.assertEqual(reply["content"]["status"], "ok")
        finally:
            client.stop_channels()
            other.shutdown_kernel(now=True)

    def test_nothing_stays(self):
        self.run_cell(ADD)
        pid = self.manager.provisioner.process.pid
        children = subprocess.run(
            ["ps", "-o", "pid=", "--ppid", str(pid)],
            capture_output=True, text=True).stdout.split()
        self.manager.shutdown_kernel()
        for each in [str(pid)] + children:
            for _ in range(PATIENCE):
                state = subprocess.run(["ps", "-o", "stat=", "-p", each],
                                       capture_output=True, text=True).stdout
                if state.strip()[:1] in ("", "Z"):
                    break
                time.sleep(1)
            else:
                self.fail("process %s is still there" % each)


class Notebooks(unittest.TestCase):
    def test_nbconvert(self):
        cells = [ADD, "a = gpu.buffer(1000):iota()", "add{a, grid = #a}",
                 "a", "assert(a[999] == 1000)", "plot(a)",
                 "compare{'add', n = 100000}", "image{{0, 1}, {1, 0}}"]
        book = nbformat.v4.new_notebook(
            metadata={"kernelspec": {"name": "mettle", "language": "lua",
                                     "display_name": "Mettle"}},
            cells=[nbformat.v4.new_code_cell(c) for c in cells])
        nbformat.write(book, "book.ipynb")
        subprocess.run(["jupyter-nbconvert", "--to", "html", "--execute",
                        "book.ipynb"], check=True, capture_output=True)
        with open("book.html") as f:
            page = f.read()
        self.assertTrue("image/svg+xml;base64" in page)
        self.assertTrue("image/png;base64" in page)
        self.assertTrue("buffer of" in page)

    def test_lessons(self):
        subprocess.run([os.environ["METTLE"], "lesson", "notebook", "all"],
                       check=True, capture_output=True)
        books = sorted(glob.glob("[0-9][0-9]-*.ipynb"))
        self.assertGreater(len(books), 25)
        for name in books:
            with self.subTest(name):
                book = nbformat.read(name, as_version=4)
                nbformat.validate(book)
                nbclient.NotebookClient(book, timeout=PATIENCE).execute()

    def test_a_task_is_judged(self):
        subprocess.run([os.environ["METTLE"], "lesson", "notebook", "guards"],
                       check=True, capture_output=True)
        book = nbformat.read("06-guards.ipynb", as_version=4)
        os.rename("06-guards.ipynb", "first.ipynb")
        task = [c for c in book.cells if c.source.startswith("%%task")][0]
        right = task.source.replace("  y[i]", "  if (i < n) y[i]")
        book.cells = [nbformat.v4.new_code_cell(s)
                      for s in (task.source, right, "lessons()")]
        nbclient.NotebookClient(book, timeout=PATIENCE).execute()
        said = ["".join(o.get("text", "") for o in c.outputs)
                for c in book.cells]
        self.assertIn("out-of-bounds", said[0])
        self.assertIn("is passed", said[1])
        self.assertRegex(said[2], "✓ +[0-9]+ +Guards")


if __name__ == "__main__":
    ended = unittest.main(verbosity=2, exit=False).result
    bad = len(ended.failures) + len(ended.errors)
    skipped = len(ended.skipped)
    print(f"{ended.testsRun - bad - skipped} passed, {bad} failed, "
          f"{skipped} skipped")
    raise SystemExit(bad > 0)
