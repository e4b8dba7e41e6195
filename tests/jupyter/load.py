"""Forty notebooks at once: lesson 6's cells, side by side, each in its kernel.

    tests/jupyter/run BUILD-FOLDER load [NOTEBOOKS]

Says how many failed, the median and the 95th percentile of a notebook's time,
and the memory of an idle and of a busy kernel with all of its processes.
"""
import glob
import os
import statistics
import subprocess
import sys
import threading
import time

import nbclient
import nbformat
from jupyter_client.manager import start_new_kernel

COUNT = int(sys.argv[1]) if len(sys.argv) > 1 else 40


def family(pid):
    """The process and all below it."""
    found = [pid]
    for task in glob.glob(f"/proc/{pid}/task/*/children"):
        try:
            for child in open(task).read().split():
                found += family(int(child))
        except OSError:
            pass
    return found


def megabytes(pid):
    """Proportional memory: what is shared is divided among those who share."""
    total = 0
    for each in family(pid):
        try:
            for line in open(f"/proc/{each}/smaps_rollup"):
                if line.startswith("Pss:"):
                    total += int(line.split()[1])
        except OSError:
            pass
    return total / 1024


def memory():
    manager, client = start_new_kernel(kernel_name="mettle")
    pid = manager.provisioner.process.pid
    time.sleep(1)
    idle = megabytes(pid)
    for code in ("k = gpu.kernel [=[kernel void f(device float *a, uint i "
                 "[[thread_position_in_grid]]) { a[i] += 1; }]=]",
                 "a = gpu.buffer(1000) k{a, grid = 1000}",
                 "check{k, a, grid = 1000}"):
        client.execute_interactive(code, output_hook=lambda m: None)
    busy = megabytes(pid)
    client.stop_channels()
    manager.shutdown_kernel(now=True)
    return idle, busy


def one(book, number, times, failures):
    start = time.time()
    try:
        nbclient.NotebookClient(book, timeout=600,
                                startup_timeout=300).execute()
        times[number] = time.time() - start
    except Exception as why:
        failures.append(str(why)[:200])


def main():
    subprocess.run([os.environ["METTLE"], "lesson", "notebook", "6"],
                   check=True, capture_output=True)
    idle, busy = memory()
    books = [nbformat.read("06-guards.ipynb", as_version=4)
             for _ in range(COUNT)]
    times, failures = [None] * COUNT, []
    threads = [threading.Thread(target=one, args=(b, i, times, failures))
               for i, b in enumerate(books)]
    start = time.time()
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    whole = time.time() - start
    done = sorted(t for t in times if t is not None)
    print(f"{COUNT} notebooks on {os.cpu_count()} cores: {len(failures)} "
          f"failed, all done after {whole:.1f} s")
    if done:
        print(f"a notebook: median {statistics.median(done):.1f} s, "
              f"95 % within {done[int(0.95 * (len(done) - 1))]:.1f} s")
    print(f"memory of a kernel: {idle:.0f} MB idle, {busy:.0f} MB busy")
    for why in failures[:3]:
        print(why)
    raise SystemExit(len(failures) > 0)


main()
