"""Metal compute kernels on NumPy arrays, on whatever device there is.

    import mettle, numpy

    saxpy = mettle.kernel('''
      kernel void saxpy(device const float *x, device float *y,
                        constant float &a,
                        uint i [[thread_position_in_grid]]) {
        y[i] += a * x[i];
      }''')
    x = numpy.arange(1000, dtype=numpy.float32)
    y = numpy.ones(1000, dtype=numpy.float32)
    saxpy(x, y, 2, grid=1000)
    print(saxpy.check(x, y, 2, grid=1001))
    print(saxpy.profile(x, y, 2, grid=1000))

Arrays are used in place, without copies, where kernels run on the processor or
on a GPU that shares its memory. docs/python.md has the rest.
"""
import ctypes
import json
import os
import sys

import numpy

from . import _library as c
from ._arguments import (BUFFER, SAMPLER, TEXTURE, THREADGROUP, Buffer, Memory,
                         Constant, Parameter, check_array, constant_bytes,
                         value_bytes, wrap)
from ._library import CompileError, Error, LaunchTimeout

__version__ = c.version().decode()
__all__ = ["kernel", "library", "device", "devices", "empty", "zeros",
           "texture", "sampler", "sequence", "cancel", "Error",
           "CompileError", "LaunchTimeout"]

_WORDS = ("grid", "group", "groups", "threadgroup", "repeats", "limit",
          "guard", "measure")

# ------------------------------------------------------------------ devices


class Device:
    """An open device: .name, .title, .is_gpu, .unified_memory, …"""

    def __init__(self, name=None):
        out = ctypes.c_void_p()
        c.call(c.device_open, name.encode() if name else None,
               ctypes.byref(out))
        self.handle = _Device(out.value)
        info = c.DeviceInfo()
        c.device_info(out, ctypes.byref(info))
        for key, kind in c.DeviceInfo._fields_:
            value = getattr(info, key)
            if kind is ctypes.c_char_p:
                value = value.decode()
            if key != "reserved":
                setattr(self, key, value)

    def __repr__(self):
        return "<mettle device %s: %s>" % (self.name, self.title)

    def messages(self):
        """What kernels have logged (os_log) since the last call."""
        out = ctypes.c_void_p()
        c.call(c.device_messages, self.handle.value, ctypes.byref(out))
        return c.take_text(out)


class _Device(c.handle("device_close")):
    pass


_open = {}


def device(name=None):
    """The device of that name; without one the best there is."""
    if isinstance(name, Device):
        return name
    if name not in _open:
        _open[name] = Device(name)
    return _open[name]


def devices():
    """The names of the devices that this Mettle knows, best first."""
    names = []
    while c.device_name(len(names), None):
        names.append(c.device_name(len(names), None).decode())
    return names


def cancel():
    """Stop what Mettle does at this moment, from another thread."""
    c._lib.mettle_cancel()


# ------------------------------------------------------------------- memory


def empty(shape, dtype=numpy.float32, device=None):
    """An array of zeros in memory of the device's own, which on the processor
    lies between guard regions: a kernel's wrong index is an error, not damage.
    """
    dev, dtype = globals()["device"](device), numpy.dtype(dtype)
    shape = (shape,) if numpy.ndim(shape) == 0 else tuple(shape)
    size = int(numpy.prod(shape, dtype=numpy.int64)) * dtype.itemsize
    if not dev.unified_memory or size == 0:
        return numpy.zeros(shape, dtype)
    out, at = ctypes.c_void_p(), ctypes.c_void_p()
    c.call(c.buffer_new, dev.handle.value, size, ctypes.byref(out))
    buffer = Buffer(out.value)
    buffer.device = dev
    c.call(c.buffer_open, buffer.value, 3, ctypes.byref(at))
    memory = numpy.asarray(Memory(buffer, at.value, size))
    return memory.view(dtype).reshape(shape)


zeros = empty  # memory of a device is zeroed


class _Texture(c.handle("texture_free")):
    pass


class Texture:
    """Pixels on a device; .write(array) and .read()."""

    def __init__(self, kind, format, width, height, depth, dtype, shape, dev):
        out = ctypes.c_void_p()
        c.call(c.texture_new, dev.handle.value, kind.encode(), format.encode(),
               width, height, depth, ctypes.byref(out))
        self.handle, self.device = _Texture(out.value), dev
        self.format, self.shape, self.dtype = format, shape, dtype

    def write(self, array):
        array = numpy.ascontiguousarray(array, self.dtype)
        if array.shape != self.shape:
            raise Error("the texture has the shape %s, and the array %s"
                        % (self.shape, array.shape))
        c.call(c.texture_write, self.handle.value, array.ctypes.data,
               array.nbytes)

    def read(self):
        array = numpy.empty(self.shape, self.dtype)
        c.call(c.texture_read, self.handle.value, array.ctypes.data,
               array.nbytes)
        return array


_CHANNELS = {1: "r", 2: "rg", 4: "rgba"}
_FORMATS = {"uint8": "8unorm", "uint16": "16uint", "int16": "16sint",
            "uint32": "32uint", "int32": "32sint", "float16": "16float",
            "float32": "32float"}


def _depth_format(array, kind):
    sides = {"2d": 2, "2d_array": 3}.get(kind)
    known = {"float32": "depth32float", "uint16": "depth16unorm"}
    if array.ndim != sides or str(array.dtype) not in known:
        raise Error("a texture of depths is a 2d or 2d_array, made from an "
                    "array of 2 or 3 sides of float32 or uint16; not a %s "
                    "from %s of %s" % (kind, array.shape, array.dtype))
    return known[str(array.dtype)]


def texture(array, kind="2d", device=None, depth=False):
    """A texture with an array's pixels: height, width and, for 2 or 4
    channels, these; a depth or layers come first. uint8 is unorm. With
    depth=True it is one of depths, as depth2d takes."""
    array = numpy.asarray(array)
    sides = {"1d": 1, "1d_array": 2, "2d": 2, "2d_array": 3, "3d": 3}.get(kind)
    if sides is None:
        raise Error("kind is 1d, 1d_array, 2d, 2d_array or 3d, not %r" % kind)
    channels = array.shape[sides] if array.ndim == sides + 1 else 1
    if array.ndim not in (sides, sides + 1) or channels not in _CHANNELS \
            or str(array.dtype) not in _FORMATS:
        raise Error("a %s texture is made from an array of %d sides, or one "
                    "more with 1, 2 or 4 channels, of %s; not from %s of %s"
                    % (kind, sides, ", ".join(_FORMATS), array.shape,
                       array.dtype))
    size = list(array.shape[:sides][::-1]) + [1, 1]
    if kind == "1d_array":
        size = [size[0], 1, size[1]]
    made = Texture(kind, _depth_format(array, kind) if depth
                   else _CHANNELS[channels] + _FORMATS[str(array.dtype)],
                   size[0], size[1], size[2], array.dtype, array.shape,
                   globals()["device"](device))
    made.write(array)
    return made


class sampler:
    """How a kernel samples a texture, where it takes the sampler. 'compare'
    is the compare function of sample_compare: "less", "greater_equal", …"""

    def __init__(self, linear=False, pixel=False, address="clamp_to_edge",
                 compare=None):
        for name, word in (("address", address),
                           ("compare", compare or "none")):
            if not isinstance(word, str):
                raise Error("a sampler's %s is one of MSL's words, such as "
                            "'%s', not %r" % (name, {
                                "address": "repeat"}.get(name, "less"), word))
        self.linear, self.pixel, self.address = linear, pixel, address
        self.compare = compare

    def _options(self):
        return c.SamplerOptions(
            linear=bool(self.linear), pixel_coordinates=bool(self.pixel),
            address=self.address.encode(),
            compare=self.compare.encode() if self.compare else None)


# ---------------------------------------------------- libraries and kernels


def _strings(items):
    """A list of strings that ends with NULL."""
    encoded = [item.encode() for item in items]
    return (ctypes.c_char_p * (len(encoded) + 1))(*encoded, None)


class _Library(c.handle("library_free")):
    pass


class Library:
    """Compiled source: .kernels has the names, lib["name"] is a kernel."""

    def __init__(self, source, device=None, defines=None, include=(),
                 math="fast", file=None, std=None):
        if math not in ("fast", "safe"):
            raise Error("math is 'fast' (Metal's default) or 'safe', not %r"
                        % (math,))
        if os.fspath(source).endswith(".metal"):
            file = file or os.fspath(source)
            with open(source, encoding="utf-8") as text:
                source = text.read()
        self.device = globals()["device"](device)
        self.source, self.file = source, file
        self._compile(source.encode(), dict(defines or {}), include, math,
                      std)
        self.kernels = []
        while True:
            name = c.library_kernel(self.handle.value, len(self.kernels))
            if not name:
                break
            self.kernels.append(name.decode())

    def _compile(self, source, defines, include, math, std):
        options = c.CompileOptions(
            file=self.file.encode() if self.file else None,
            defines=_strings("%s=%s" % (name, _define(value))
                             for name, value in defines.items()),
            include_dirs=_strings(map(os.fspath, include)),
            safe_math=math == "safe",
            std=std.encode() if std is not None else None)
        out, log = ctypes.c_void_p(), ctypes.c_void_p()
        try:
            c.call(c.library_new, self.device.handle.value, source,
                   len(source), ctypes.byref(options), ctypes.byref(out),
                   ctypes.byref(log))
        except Error as error:
            log = c.in_python(c.take_text(log))
            raise CompileError(str(error), log) from None
        self.handle = _Library(out.value)
        self.log = c.in_python(c.take_text(log))

    def __getitem__(self, name):
        return Kernel(self, name)

    def constants(self):
        """The function constants of the source: a list of Constant."""
        known, raw = [], c.ConstantInfo()
        while c.library_constant(self.handle.value, len(known),
                                 ctypes.byref(raw)) == 0:
            known.append(Constant(raw))
        return known

    def constant(self, key):
        """The function constant of that name or index; else an Error."""
        known = self.constants()
        for one in known:
            if key == one.name or (key == one.index
                                   and not isinstance(key, (bool, float))):
                return one
        if not known:
            raise Error("the source has no function constants, so %r means "
                        "nothing" % (key,))
        raise Error("there is no function constant %r; the source has: %s" % (
            key, ", ".join("%s (%d)" % (o.name, o.index) for o in known)))


def _define(value):
    return int(value) if isinstance(value, bool) else value


class _Kernel(c.handle("kernel_free")):
    pass


class Kernel:
    """A kernel; calling it with its arguments and a grid launches it."""

    def __init__(self, lib, name=None, constants=None):
        out, values = ctypes.c_void_p(), []
        for key, value in dict(constants or {}).items():
            known = lib.constant(key)
            data = constant_bytes(known, value)
            values.append(c.Constant(known.index, data, len(data)))
        c.call(c.kernel_new, lib.handle.value,
               name.encode() if name else None,
               (c.Constant * (len(values) + 1))(*values), len(values),
               ctypes.byref(out))
        self.handle, self.library, self.device = \
            _Kernel(out.value), lib, lib.device
        self.name = c.kernel_name(out).decode()
        self.params = []
        for i in range(c.kernel_params(out)):
            raw = c.Param()
            c.kernel_param(out, i, ctypes.byref(raw))
            self.params.append(Parameter(self.name, i, raw, self.handle))

    def __repr__(self):
        return "<mettle kernel %s(%s) on %s>" % (
            self.name, ", ".join(p.name for p in self.params),
            self.device.name)

    def bind(self, *arguments, **words):
        """A launch that may be run many times: .run(), .check(), …"""
        return Launch(self, arguments, words)

    def __call__(self, *arguments, **words):
        return Launch(self, arguments, words).run()

    def check(self, *arguments, **words):
        """Run it instrumented on copies; a Report of its mistakes. Options:
        seed, schedules."""
        own = _take_options(self, arguments, words, ("seed", "schedules"))
        return Launch(self, arguments, words).check(**own)

    def profile(self, *arguments, **words):
        """Count what it costs on a model GPU, on copies; a Profile."""
        return Launch(self, arguments, words).profile()


def library(source, **options):
    """Compile a source, or the file 'name.metal', with all its kernels."""
    return Library(source, **options)


def kernel(source, name=None, constants=None, **options):
    """The kernel 'name' of a source (text, or the file 'name.metal').
    Options: device, defines, include, math="safe", std="metal3.1", file."""
    return Kernel(Library(source, **options), name, constants)


# ----------------------------------------------------------------- launches


class Time:
    """How long a launch took, in seconds: .wall, and .device by its clock.
    .first: it was the kernel's first launch, and nothing was warm yet."""

    def __init__(self, raw, dev):
        self.wall = raw.wall_ns * 1e-9
        self.device = raw.device_ns * 1e-9 or None
        self.start = raw.start_ns * 1e-9
        self.quick, self.on = bool(raw.quick), dev.name
        self.first = bool(raw.first)

    def __repr__(self):
        return "<%.3g ms on %s%s>" % (
            1e3 * (self.device or self.wall), self.on,
            ", first launch, not warm yet" if self.first else "")


class _Launch(c.handle("launch_free")):
    pass


def _take_options(k, arguments, words, names):
    """Those of 'names' that are among the words. One that is also the name of
    a parameter is the parameter's, unless that is given by its position."""
    places = [p for p in k.params if p.kind != THREADGROUP]
    still = {p.name for p in places[len(arguments):]}
    return {w: words.pop(w) for w in names if w in words and w not in still}


class Launch:
    """A kernel with its arguments and its grid."""

    def __init__(self, k, arguments, words):
        out = ctypes.c_void_p()
        self.kernel = k
        options = _take_options(k, arguments, words, _WORDS)
        c.call(c.launch_new, k.handle.value, ctypes.byref(out))
        self.handle, self._kept = _Launch(out.value), {}
        self._guard = options.pop("guard", False)
        self._bind(list(arguments), words)
        self._shared(options.pop("threadgroup", None))
        self._sizes(options)

    # -- arguments

    def _bind(self, arguments, named):
        places = [p for p in self.kernel.params if p.kind != THREADGROUP]
        if len(arguments) > len(places):
            raise Error("%s takes %d argument%s, not %d" % (
                self.kernel.name, len(places),
                "" if len(places) == 1 else "s", len(arguments)))
        for p, value in zip(places, arguments):
            if p.name in named:
                p.refuse("is given twice")
            self._set(p, value)
        for p in places:
            if p.name in named:
                self._set(p, named.pop(p.name))
        if named:
            raise Error("%s has no parameter '%s'; it has: %s" % (
                self.kernel.name, next(iter(named)),
                ", ".join(p.name for p in places)))

    def _set(self, p, value):
        if value is None and not p.used:
            return
        if p.kind == TEXTURE:
            self._set_texture(p, value)
        elif p.kind == SAMPLER:
            if not isinstance(value, sampler):
                p.refuse("takes a mettle.sampler")
            c.call(c.launch_sampler_options, self.handle.value, p.number,
                   ctypes.byref(value._options()))
        elif isinstance(value, numpy.ndarray):
            self._set_array(p, value)
        elif p.is_value:
            data = value_bytes(p, value)
            c.call(c.launch_value, self.handle.value, p.number, data,
                   len(data))
        else:
            p.refuse("takes a NumPy array, not %s" % type(value).__name__)

    def _set_texture(self, p, value):
        if not isinstance(value, Texture):
            p.refuse("takes a mettle.texture, not %s" % type(value).__name__)
        c.call(c.launch_texture, self.handle.value, p.number,
               value.handle.value)

    def _set_array(self, p, array):
        check_array(p, array)
        key = (array.ctypes.data, array.nbytes)
        known = self._kept.get(key)
        if known is None or (p.written and not known[0]):
            buffer, offset = wrap(self.kernel.device, p, array, self._guard)
            self._kept[key] = known = (p.written, buffer, offset)
        c.call(c.launch_buffer, self.handle.value, p.number, known[1].value,
               known[2])

    def _shared(self, sizes):
        places = [p for p in self.kernel.params if p.kind == THREADGROUP]
        sizes = [] if sizes is None else numpy.atleast_1d(sizes).tolist()
        if len(sizes) != len(places):
            raise Error("%s has %d threadgroup parameter%s to size, got %d "
                        "sizes: threadgroup = bytes" % (
                            self.kernel.name, len(places),
                            "" if len(places) == 1 else "s", len(sizes)))
        for p, size in zip(places, sizes):
            c.call(c.launch_threadgroup, self.handle.value, p.number,
                   _whole("threadgroup", size))

    # -- sizes

    def _sizes(self, options):
        given = [w for w in ("grid", "groups") if options.get(w) is not None]
        if len(given) != 1:
            taken = [p.name for p in self.kernel.params
                     if p.name in ("grid", "groups")]
            raise Error("%s: how many threads? give grid=threads, as in "
                        "grid=1000 or grid=(64, 32), or groups=threadgroups%s"
                        % (self.kernel.name, "; '%s' is a parameter of the "
                           "kernel, too: give that one by its position"
                           % taken[0] if taken else ""))
        set_size = c.launch_grid if given == ["grid"] else c.launch_groups
        set_size(self.handle.value, *_sides(given[0], options[given[0]]))
        if options.get("group") is not None:
            c.launch_group(self.handle.value,
                           *_sides("group", options["group"]))
        c.launch_repeat(self.handle.value,
                        _whole("repeats", options.get("repeats", 1)))
        c.launch_limit(self.handle.value, float(options.get("limit") or 0))
        c.launch_measure(self.handle.value, bool(options.get("measure")))

    # -- running

    def run(self):
        """Launch it, wait, and say how long it took."""
        raw = c.Timing()
        c.call(c.launch_run, self.handle.value, ctypes.byref(raw))
        self._say()
        return Time(raw, self.kernel.device)

    def _say(self):
        logged = self.kernel.device.messages()
        if logged:
            sys.stderr.write(logged)

    def check(self, seed=0, schedules=0):
        out = ctypes.c_void_p()
        options = c.CheckOptions(seed=seed, schedules=schedules)
        c.call(c.check, self.handle.value, ctypes.byref(options),
               ctypes.byref(out))
        return Report(_Report(out.value))

    def profile(self):
        out = ctypes.c_void_p()
        c.call(c.profile, self.handle.value, ctypes.byref(out))
        return Profile(_Report(out.value))


def _whole(word, value):
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if not isinstance(value, (int, numpy.integer)) or isinstance(value, bool) \
            or value < 0 or value >= 1 << 32:
        raise Error("%s is a whole number, not %r" % (word, value))
    return int(value)


def _sides(word, value):
    sides = [value] if numpy.ndim(value) == 0 else list(value)
    if not 1 <= len(sides) <= 3:
        raise Error("%s has one to three sides, not %d" % (word, len(sides)))
    return [_whole(word, s) for s in sides] + [1] * (3 - len(sides))


def sequence(launches):
    """Run launches of one device in one go, in their order; the Time of all
    and a list with that of each."""
    launches = list(launches)
    count = len(launches)
    handles = (ctypes.c_void_p * (count + 1))(
        *[launch.handle.value for launch in launches])
    whole, each = c.Timing(), (c.Timing * (count + 1))()
    c.call(c.launch_sequence, handles, count, ctypes.byref(whole), each)
    dev = launches[0].kernel.device
    return Time(whole, dev), [Time(t, dev) for t in each[:count]]


# ------------------------------------------------------------------ reports


class _Report(c.handle("report_free")):
    pass


class Report:
    """What check found: .ok, .findings (a list of dicts), str() for people;
    .unordered names lists to which threads append by an atomic counter: their
    order depends on that of the threads, which is no fault."""

    def __init__(self, raw):
        self.text = c.report_text(raw.value).decode("utf-8", "replace")
        self.json = c.report_json(raw.value).decode("utf-8", "replace")
        self.findings = json.loads(self.json)
        lists = c.report_unordered(raw.value)
        self.unordered = lists.decode().split(", ") if lists else []

    @property
    def ok(self):
        return self.text.startswith("clean:")

    def __str__(self):
        return self.text

    __repr__ = __str__


class Profile:
    """What a launch costs: numbers by name (p["coalescing"], p.coalescing),
    .lines by line of the source, str() for people."""

    def __init__(self, raw):
        self.text = c.report_text(raw.value).decode("utf-8", "replace")
        self.json = c.report_json(raw.value).decode("utf-8", "replace")
        self.numbers, value, number = {}, ctypes.c_double(), 0
        while True:
            name = c.report_number_name(raw.value, number)
            if not name:
                break
            c.report_number(raw.value, name, ctypes.byref(value))
            self.numbers[name.decode()] = value.value
            number += 1
        self.lines = {int(line): counts for line, counts
                      in json.loads(self.json)["lines"].items()}

    def __getitem__(self, name):
        return self.numbers[name]

    def __getattr__(self, name):
        if name != "numbers" and name in self.numbers:
            return self.numbers[name]
        raise AttributeError("a profile has no number '%s'" % name)

    def __str__(self):
        return self.text

    __repr__ = __str__
