"""tinygrad's METAL device, with Mettle in the place of macOS.

tinygrad looks for its devices as modules, tinygrad.runtime.ops_<name>. put()
gives it this one for METAL: tinygrad's own Metal renderer writes the MSL, and
one long-lived Mettle (server.lua) compiles and runs it. Nothing of tinygrad is
changed, so what is tried is what a Mac would be given.
"""
import atexit, itertools, os, subprocess, sys, tempfile
import numpy as np
from tinygrad.device import Compiled, Compiler, CompileError, LRUAllocator, Program

HERE = os.path.dirname(os.path.abspath(__file__))


class Mettle:
  """The process, and one question and answer at a time."""
  def __init__(self):
    program = os.environ.get("METTLE", os.path.join(HERE, "../../build/mettle"))
    self.process = subprocess.Popen([program, os.path.join(HERE, "server.lua")],
                                    stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    self.numbers = itertools.count(1)
    self.folder = tempfile.TemporaryDirectory(
      dir="/dev/shm" if os.path.isdir("/dev/shm") else None)
    self.path = os.path.join(self.folder.name, "bytes.npy")
    atexit.register(self.close)

  def close(self):
    self.process.stdin.close()
    self.process.wait(timeout=10)

  def ask(self, *words, text=b""):
    line = " ".join(str(w) for w in words).encode() + b"\n"
    self.process.stdin.write(line + text)
    self.process.stdin.flush()
    answer = self.process.stdout.readline().decode().split(" ", 1)
    if answer[0] == "ok": return answer[1].strip()
    if answer[0] != "error": raise RuntimeError(f"Mettle ended at: {line!r}")
    raise RuntimeError(self.process.stdout.read(int(answer[1])).decode())

  def new(self): return next(self.numbers)


_mettle: "Mettle|None" = None
def mettle() -> Mettle:
  global _mettle
  if _mettle is None: _mettle = Mettle()
  return _mettle


class MetalCompiler(Compiler):
  """Mettle compiles when a program is made: there the kernel's name is known."""
  def __init__(self): super().__init__(None)
  def compile(self, src:str) -> bytes: return src.encode()


class MetalProgram(Program):
  kept:dict = {}      # one kernel a source, however often tinygrad makes it

  def __init__(self, dev, obj):
    self.dev, self.name, self.lib = dev, obj.name, obj.lib
    self.signature = obj.signature
    key = (obj.name, obj.lib)
    if key not in self.kept: self.kept[key] = self._compile()
    self.id, self.max_threads = self.kept[key]

  def _compile(self):
    number = mettle().new()
    try: limit = mettle().ask("compile", number, self.name, len(self.lib), text=self.lib)
    except RuntimeError as e: raise CompileError(str(e)) from None
    return number, int(limit)

  def __call__(self, *bufs, global_size=(1,1,1), local_size=(1,1,1), vals=(), wait=False, **kw):
    if int(np.prod(local_size)) > self.max_threads:
      raise RuntimeError(f"local size {local_size} bigger than {self.max_threads}")
    args = [f"b:{b.id}:{b.offset}:{b.size}" for b in bufs] + [f"v:{v}" for v in vals]
    return float(mettle().ask("launch", self.id, *global_size, *local_size, *args))


class MetalBuffer:
  def __init__(self, number:int, size:int, offset:int=0):
    self.id, self.size, self.offset = number, size, offset


class MetalAllocator(LRUAllocator):
  def _alloc(self, size:int, options) -> MetalBuffer:
    number = mettle().new()
    mettle().ask("new", number, size)
    return MetalBuffer(number, size)
  def _free(self, opaque:MetalBuffer, options):
    if mettle().process.poll() is None and not mettle().process.stdin.closed:
      mettle().ask("free", opaque.id)
  def _copyin(self, dest:MetalBuffer, src:memoryview):
    if not len(src): return
    np.save(mettle().path, np.frombuffer(src, dtype=np.uint8))
    mettle().ask("in", dest.id, dest.offset, mettle().path)
  def _copyout(self, dest:memoryview, src:MetalBuffer):
    if not len(dest): return
    mettle().ask("out", src.id, src.offset, len(dest), mettle().path)
    dest[:] = np.load(mettle().path).data
  def _offset(self, buf:MetalBuffer, size:int, offset:int):
    return MetalBuffer(buf.id, size, buf.offset + offset)


class MetalDevice(Compiled):
  def __init__(self, device:str):
    from tinygrad.renderer.cstyle import MetalRenderer
    # Apple9 is an M3 or M4: every type and matrix that the renderer has
    super().__init__(device, MetalAllocator(self), [MetalRenderer], MetalProgram, arch="Apple9")


def put():
  sys.modules["tinygrad.runtime.ops_metal"] = sys.modules[__name__]
