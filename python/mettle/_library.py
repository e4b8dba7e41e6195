"""libmettle through ctypes: where it is, its functions, its errors.

The one idea: every call goes through call(), which turns a status into an
exception with the library's own sentence. While a call waits, the library asks
_poll on the waiting thread, so that Ctrl-C stops a kernel or a compile.
"""
import ctypes
import os
import sys
import threading
from ctypes import (POINTER, byref, c_char_p, c_double, c_int, c_int64,
                    c_size_t, c_uint, c_uint32, c_uint64, c_void_p)

ABI = 1
OK, BADARG, FAIL, CANCELLED, TIMEOUT = range(5)


class Error(Exception):
    """What Mettle refuses or cannot do, in one sentence."""


class CompileError(Error):
    """A source that does not compile; .log has all errors and warnings."""

    def __init__(self, message, log):
        super().__init__(message)
        self.log = log


class LaunchTimeout(Error, TimeoutError):
    """A launch that did not end within its limit."""


class _Text(ctypes.Structure):
    _fields_ = [("text", ctypes.c_char * 1024)]


class DeviceInfo(ctypes.Structure):
    _fields_ = [
        ("name", c_char_p), ("title", c_char_p), ("how", c_char_p),
        ("is_gpu", c_int), ("unified_memory", c_int), ("units", c_uint),
        ("simd_width", c_uint), ("max_threads", c_uint64),
        ("max_threadgroup_memory", c_uint64), ("max_buffer", c_uint64),
        ("memory", c_uint64), ("reserved", c_uint64 * 8)]


class CompileOptions(ctypes.Structure):
    _fields_ = [
        ("file", c_char_p), ("defines", POINTER(c_char_p)),
        ("include_dirs", POINTER(c_char_p)), ("safe_math", c_int),
        ("std", c_char_p), ("reserved", c_uint64 * 3)]


class Constant(ctypes.Structure):
    _fields_ = [("index", c_uint), ("bytes", c_char_p), ("size", c_size_t)]


class Param(ctypes.Structure):
    _fields_ = [
        ("name", c_char_p), ("kind", c_int), ("is_read", c_int),
        ("is_written", c_int), ("is_value", c_int), ("is_used", c_int),
        ("type", c_char_p), ("size", c_size_t), ("align", c_size_t),
        ("scalar", c_char_p), ("components", c_uint),
        ("reserved", c_uint64 * 4)]


class ConstantInfo(ctypes.Structure):
    _fields_ = [
        ("name", c_char_p), ("index", c_uint), ("type", c_char_p),
        ("size", c_size_t), ("scalar", c_char_p), ("components", c_uint),
        ("reserved", c_uint64 * 2)]


class SamplerOptions(ctypes.Structure):
    _fields_ = [
        ("linear", c_int), ("pixel_coordinates", c_int),
        ("address", c_char_p), ("compare", c_char_p),
        ("reserved", c_uint64 * 4)]


class Field(ctypes.Structure):
    _fields_ = [
        ("type", c_char_p), ("offset", c_size_t), ("size", c_size_t),
        ("scalar", c_char_p), ("components", c_uint), ("columns", c_uint),
        ("count", c_size_t), ("has_fields", c_int),
        ("reserved", c_uint64 * 4)]


class Timing(ctypes.Structure):
    _fields_ = [
        ("device_ns", c_uint64), ("wall_ns", c_uint64),
        ("start_ns", c_uint64), ("quick", c_int), ("first", c_int),
        ("reserved", c_uint64 * 4)]


class CheckOptions(ctypes.Structure):
    _fields_ = [
        ("seed", c_uint64), ("schedules", c_int), ("tolerance", c_double),
        ("findings", c_uint), ("reserved", c_uint64 * 4)]


def _places():
    """Where libmettle may be: variable, package, a build, the system."""
    name = ("libmettle.%d.dylib" if sys.platform == "darwin"
            else "libmettle.so.%d") % ABI
    here = os.path.dirname(os.path.abspath(__file__))
    if os.environ.get("METTLE_LIBRARY"):
        return [os.environ["METTLE_LIBRARY"]]
    beside = [os.path.join(here, "runtime", "lib", name),
              os.path.join(here, "..", "..", "build", name)]
    return [path for path in beside if os.path.exists(path)] + [name]


def _load():
    why = []
    for path in _places():
        try:
            return ctypes.CDLL(path)
        except OSError as error:
            why.append(str(error))
    raise ImportError("libmettle was not found: install Mettle (make install),"
                      " or set METTLE_LIBRARY to its path: " + "; ".join(why))


_lib = _load()
_p = POINTER
_signatures = {  # name: result, arguments; those of an error come last
    "mettle_version": (c_char_p, []),
    "mettle_abi": (c_uint, []),
    "mettle_cancel": (None, []),
    "mettle_poll": (None, [c_void_p, c_void_p]),
    "mettle_text_free": (None, [c_void_p]),
    "mettle_device_name": (c_char_p, [c_uint, _p(c_char_p)]),
    "mettle_device_open": (c_int, [c_char_p, _p(c_void_p), _p(_Text)]),
    "mettle_device_close": (None, [c_void_p]),
    "mettle_device_info": (None, [c_void_p, _p(DeviceInfo)]),
    "mettle_device_messages": (c_int, [c_void_p, _p(c_void_p), _p(_Text)]),
    "mettle_library_new": (c_int, [
        c_void_p, c_char_p, c_size_t, _p(CompileOptions), _p(c_void_p),
        _p(c_void_p), _p(_Text)]),
    "mettle_library_free": (None, [c_void_p]),
    "mettle_library_kernel": (c_char_p, [c_void_p, c_uint]),
    "mettle_library_constant": (c_int, [c_void_p, c_uint,
                                        ctypes.POINTER(ConstantInfo)]),
    "mettle_kernel_new": (c_int, [
        c_void_p, c_char_p, _p(Constant), c_size_t, _p(c_void_p), _p(_Text)]),
    "mettle_kernel_free": (None, [c_void_p]),
    "mettle_kernel_name": (c_char_p, [c_void_p]),
    "mettle_kernel_params": (c_uint, [c_void_p]),
    "mettle_kernel_param": (c_int, [c_void_p, c_uint, _p(Param)]),
    "mettle_kernel_field": (c_int, [
        c_void_p, c_uint, c_char_p, _p(Field), _p(_Text)]),
    "mettle_kernel_field_name": (c_char_p, [
        c_void_p, c_uint, c_char_p, c_uint]),
    "mettle_buffer_new": (c_int, [
        c_void_p, c_size_t, _p(c_void_p), _p(_Text)]),
    "mettle_buffer_wrap": (c_int, [
        c_void_p, c_void_p, c_size_t, c_uint, _p(c_void_p), _p(_Text)]),
    "mettle_buffer_free": (None, [c_void_p]),
    "mettle_buffer_open": (c_int, [
        c_void_p, c_uint, _p(c_void_p), _p(_Text)]),
    "mettle_texture_new": (c_int, [
        c_void_p, c_char_p, c_char_p, c_uint, c_uint, c_uint, _p(c_void_p),
        _p(_Text)]),
    "mettle_texture_free": (None, [c_void_p]),
    "mettle_texture_write": (c_int, [
        c_void_p, c_void_p, c_size_t, _p(_Text)]),
    "mettle_texture_read": (c_int, [c_void_p, c_void_p, c_size_t, _p(_Text)]),
    "mettle_launch_new": (c_int, [c_void_p, _p(c_void_p), _p(_Text)]),
    "mettle_launch_free": (None, [c_void_p]),
    "mettle_launch_buffer": (c_int, [
        c_void_p, c_uint, c_void_p, c_size_t, _p(_Text)]),
    "mettle_launch_value": (c_int, [
        c_void_p, c_uint, c_char_p, c_size_t, _p(_Text)]),
    "mettle_launch_texture": (c_int, [c_void_p, c_uint, c_void_p, _p(_Text)]),
    "mettle_launch_sampler_options": (c_int, [
        c_void_p, c_uint, _p(SamplerOptions), _p(_Text)]),
    "mettle_launch_threadgroup": (c_int, [
        c_void_p, c_uint, c_size_t, _p(_Text)]),
    "mettle_launch_grid": (None, [c_void_p] + [c_uint64] * 3),
    "mettle_launch_groups": (None, [c_void_p] + [c_uint64] * 3),
    "mettle_launch_group": (None, [c_void_p] + [c_uint64] * 3),
    "mettle_launch_repeat": (None, [c_void_p, c_uint]),
    "mettle_launch_limit": (None, [c_void_p, c_double]),
    "mettle_launch_measure": (None, [c_void_p, c_int]),
    "mettle_launch_run": (c_int, [c_void_p, _p(Timing), _p(_Text)]),
    "mettle_launch_sequence": (c_int, [
        _p(c_void_p), c_size_t, _p(Timing), _p(Timing), _p(_Text)]),
    "mettle_check": (c_int, [
        c_void_p, _p(CheckOptions), _p(c_void_p), _p(_Text)]),
    "mettle_profile": (c_int, [c_void_p, _p(c_void_p), _p(_Text)]),
    "mettle_report_free": (None, [c_void_p]),
    "mettle_report_text": (c_char_p, [c_void_p]),
    "mettle_report_json": (c_char_p, [c_void_p]),
    "mettle_report_number": (c_int, [c_void_p, c_char_p, _p(c_double)]),
    "mettle_report_number_name": (c_char_p, [c_void_p, c_size_t]),
    "mettle_report_unordered": (c_char_p, [c_void_p]),
}
for _name, (_result, _arguments) in _signatures.items():
    _function = getattr(_lib, _name)
    _function.restype, _function.argtypes = _result, _arguments
    globals()[_name[len("mettle_"):]] = _function

if _lib.mettle_abi() != ABI:
    raise ImportError("this package is for libmettle's ABI %d, and the library"
                      " found has %d" % (ABI, _lib.mettle_abi()))

# ------------------------------------------------------------------- Ctrl-C

_raised = []  # by a signal's handler in Python, while a call waited


def _watch():
    """Asked while a call waits: 1 if a handler has raised. A generator, since
    Python runs handlers where code begins, which here is inside of the try."""
    answer = 0
    while True:
        try:
            yield answer
            answer = 0
            ctypes.pythonapi.PyErr_CheckSignals()
        except GeneratorExit:
            return
        except BaseException as error:  # KeyboardInterrupt, or another
            _raised.append(error)
            answer = 1


class _Poll(threading.local):
    """Of each thread; Python's signals are for the main thread alone."""
    watch = callback = None

    def renew(self):
        self.watch = _watch()
        next(self.watch)
        self.callback = ctypes.CFUNCTYPE(c_int, c_void_p)(self.watch.send)
        _lib.mettle_poll(ctypes.cast(self.callback, c_void_p), None)


_poll = _Poll()


def _be_interruptible():
    if threading.current_thread() is not threading.main_thread():
        return
    if _poll.watch is None or _poll.watch.gi_frame is None:
        _poll.renew()


# The library names its functions in C where it says what to write instead.
_WORDS = {
    "of that device (mettle_buffer_new)":
        "of that device (mettle.empty, with device=)",
    "of that device (mettle_texture_new)":
        "of that device (mettle.texture, with device=)",
    "mettle_launch_threadgroup": "threadgroup=bytes",
    "mettle_buffer_new": "mettle.empty, or any array of NumPy's",
    "mettle_buffer_free": "del",
    'mettle_device_open("host", …)': 'mettle.device("host")',
    "mettle_launch_sequence": "mettle.sequence",
    "mettle_check": "the kernel's check(…)",
    "mettle_profile": "the kernel's profile(…)",
    "mettle_CompileOptions.include_dirs": "include=[…]",
    "mettle_CheckOptions.schedules = -1": "schedules=-1",
}


def in_python(message):
    """A message of the library in the words of this package."""
    for c_name, word in _WORDS.items():
        message = message.replace(c_name, word)
    return message


def call(function, *arguments):
    """Call a function that ends with an error; raise what it says."""
    error = _Text()
    _be_interruptible()
    status = function(*arguments, byref(error))
    if status == OK:
        return
    if status == CANCELLED and _raised:
        raise _raised.pop()
    message = in_python(error.text.decode("utf-8", "replace"))
    if status == TIMEOUT:
        raise LaunchTimeout(message)
    raise Error(message)


def take_text(pointer):
    """The text at a pointer that the library has given, which is freed."""
    if not pointer.value:
        return ""
    text = ctypes.string_at(pointer.value).decode("utf-8", "replace")
    _lib.mettle_text_free(pointer)
    return text


class Handle:
    """An object of the library, freed with its last user."""

    _free = None

    def __init__(self, value):
        self.value = value

    def __del__(self):
        if self._free and getattr(self, "value", None):
            self._free(self.value)
            self.value = None


def handle(name):
    """The class of handles that mettle_NAME_free frees."""
    free = getattr(_lib, "mettle_%s" % name)
    return type(name, (Handle,), {"_free": staticmethod(free)})
