"""What a kernel is given, from what a person has: arrays and numbers.

The one idea: a kernel's parameter says what it takes, so every mistake is named
before the launch, with the parameter and the way out.
"""
import ctypes

import numpy

from . import _library as c

BUFFER, THREADGROUP, TEXTURE, SAMPLER = range(4)
GUARDED, READ_ONLY = 1, 2

# MSL's scalars as NumPy has them; bfloat has none and is taken as its bits.
DTYPES = {
    "bool": numpy.bool_, "char": numpy.int8, "uchar": numpy.uint8,
    "short": numpy.int16, "ushort": numpy.uint16, "int": numpy.int32,
    "uint": numpy.uint32, "long": numpy.int64, "ulong": numpy.uint64,
    "half": numpy.float16, "float": numpy.float32, "bfloat": numpy.uint16}


def _field(handle, number, path):
    out = c.Field()
    c.call(c.kernel_field, handle.value, number, path.encode(),
           ctypes.byref(out))
    return out


def _dtype(handle, number, path, room=False):
    """What lies at a path of a parameter's struct, as NumPy's dtype; None:
    NumPy has nothing for it. In an array, or as a column, a vector of three
    has room for four."""
    f = _field(handle, number, path)
    if f.count:
        element = _dtype(handle, number, path + "[0]", room=True)
        return element and numpy.dtype((element, (f.count,)))
    if f.has_fields:
        return _record(handle, number, path, f)
    scalar = DTYPES.get(f.scalar.decode() if f.scalar else None)
    if scalar is None:
        return None
    rows = f.components
    if room or f.columns > 1:
        rows = f.size // f.columns // numpy.dtype(scalar).itemsize
    sides = (f.columns,) * (f.columns > 1) + (rows,) * (f.components > 1)
    return numpy.dtype((scalar, sides)) if sides else numpy.dtype(scalar)


def _record(handle, number, path, f):
    """The structured dtype of a struct or union."""
    fields = {}
    while True:
        name = c.kernel_field_name(handle.value, number, path.encode(),
                                   len(fields))
        if not name:
            break
        name = name.decode()
        inner = path + "." + name if path else name
        at = _field(handle, number, inner).offset - f.offset
        fields[name] = (_dtype(handle, number, inner), at)
    known = [name for name in fields if fields[name][0] is not None]
    return numpy.dtype({
        "names": known, "formats": [fields[name][0] for name in known],
        "offsets": [fields[name][1] for name in known], "itemsize": f.size})


class Parameter:
    """A parameter of a kernel: name, kind, type, and what may be given.
    .record is the structured dtype of its struct; None: it has none."""

    def __init__(self, kernel, number, raw, handle):
        self.kernel, self.number, self._handle = kernel, number, handle
        self.name = raw.name.decode()
        self.kind = raw.kind
        self.type = (raw.type or b"?").decode()
        self.size, self.align = raw.size, raw.align
        self.written, self.is_value = bool(raw.is_written), bool(raw.is_value)
        self.used = bool(raw.is_used)
        scalar = raw.scalar.decode() if raw.scalar else None
        dtype = DTYPES.get(scalar)
        self.dtype = numpy.dtype(dtype) if dtype else None
        self.components = raw.components or 1

    @property
    def record(self):
        if self.kind != BUFFER or self.dtype is not None:
            return None
        f = _field(self._handle, self.number, "")
        return _record(self._handle, self.number, "", f) \
            if f.has_fields else None

    def __repr__(self):
        return "<parameter %s: %s>" % (self.name, self.type)

    def refuse(self, why):
        raise c.Error("%s: '%s' (%s) %s" % (
            self.kernel, self.name, self.type, why))


class Memory:
    """A device's own memory, as NumPy's arrays refer to it: as bytes, since
    the interface has no words for every structured dtype."""

    def __init__(self, buffer, address, size):
        self.buffer, self.address = buffer, address
        self.__array_interface__ = {
            "version": 3, "shape": (size,), "typestr": "|u1",
            "data": (address, False)}


def memory_of(array):
    """The Memory that an array or a view of one lies in; None: elsewhere."""
    while isinstance(array, numpy.ndarray):
        array = array.base
    return array if isinstance(array, Memory) else None


def check_fields(p, dtype):
    """Do fields that both have lie where the parameter's struct has them?"""
    record = p.record if dtype.fields else None
    for name in (record and record.names) or ():
        if name not in dtype.fields:
            continue
        (mine, at), (given, there) = record.fields[name], dtype.fields[name][:2]
        if at != there:
            p.refuse("has '%s' at byte %d, and the array's dtype at byte %d: "
                     "use the dtype k.params[%d].record of the kernel"
                     % (name, at, there, p.number))
        if not given.base.fields and given.base.kind not in "VS" \
                and given.base != mine.base:
            p.refuse("has '%s' of %s, and the array's dtype of %s: use the "
                     "dtype k.params[%d].record of the kernel"
                     % (name, mine.base, given.base, p.number))


def check_array(p, array):
    """Is this array what the parameter takes? Else one sentence."""
    if array.size == 0:
        p.refuse("is given an array without elements")
    if not array.dtype.isnative:
        p.refuse("is given an array of another byte order: use "
                 "x.astype(x.dtype.newbyteorder('='))")
    if array.dtype.hasobject:
        p.refuse("is given an array of Python objects")
    if p.dtype is not None and array.dtype != p.dtype:
        raw = array.dtype == numpy.uint8 or array.dtype.fields
        if not raw or array.nbytes % p.size:
            p.refuse("is given an array of %s: it takes %s, as in "
                     "x.astype(numpy.%s)" % (array.dtype, p.dtype, p.dtype))
    if p.dtype is None and array.itemsize != p.size \
            and array.dtype != numpy.uint8:
        p.refuse("is given an array of %s with %d bytes an element: the "
                 "type has %d; use a structured dtype, or bytes (uint8)"
                 % (array.dtype, array.itemsize, p.size))
    check_fields(p, array.dtype)
    if not array.flags.c_contiguous:
        p.refuse("is given an array that is not contiguous: use "
                 "numpy.ascontiguousarray(x)")
    if p.written and not array.flags.writeable:
        p.refuse("is written by the kernel, and its array is read-only")
    if array.nbytes < p.size:
        p.refuse("is given %d bytes, fewer than the %d of one element"
                 % (array.nbytes, p.size))
    if array.nbytes % p.size and p.size:
        p.refuse("is given %d bytes, which are not a whole number of "
                 "elements of %d" % (array.nbytes, p.size))
    if p.align and array.ctypes.data % p.align:
        p.refuse("is given an array at an address that is not a multiple of "
                 "%d: use x.copy()" % p.align)


def value_bytes(p, value):
    """The bytes of a number, a few numbers, or a record."""
    if isinstance(value, (bytes, bytearray)):
        return bytes(value)
    if p.dtype is None:
        if isinstance(value, numpy.void):
            check_fields(p, value.dtype)
            return value.tobytes()
        p.refuse("is a struct: give it a record of a structured dtype, or "
                 "bytes")
    try:
        numbers = numpy.asarray(value)
        converted = numbers.astype(p.dtype).ravel()
    except (TypeError, ValueError):
        p.refuse("takes a number, not %s" % type(value).__name__)
    if converted.size != p.components:
        p.refuse("takes %d number%s, not %d" % (
            p.components, "" if p.components == 1 else "s", converted.size))
    if p.dtype.kind in "iu" and not (
            numbers.dtype.kind in "iub"
            and (converted == numbers.ravel()).all()):
        p.refuse("takes whole numbers from %d to %d, not %s" % (
            numpy.iinfo(p.dtype).min, numpy.iinfo(p.dtype).max, value))
    return converted.tobytes().ljust(p.size, b"\0")


class Constant:
    """A function constant: name, index, type."""
    kernel = "function constant"

    def __init__(self, raw):
        self.name, self.index = raw.name.decode(), raw.index
        self.type, self.size = (raw.type or b"?").decode(), raw.size
        dtype = DTYPES.get(raw.scalar.decode() if raw.scalar else None)
        self.dtype = numpy.dtype(dtype) if dtype else None
        self.components = raw.components or 1

    def __repr__(self):
        return "<function constant %s: %s>" % (self.name, self.type)

    def refuse(self, why):
        raise c.Error("function constant '%s' (%s) %s" % (
            self.name, self.type, why))


def constant_bytes(p, value):
    """The bytes of a function constant's value, in its own type."""
    if isinstance(value, (bytes, bytearray)) or p.dtype is None:
        return bytes(value)
    kinds = {"b": "b", "i": "iu", "u": "iu", "f": "fiu"}[p.dtype.kind]
    given = numpy.asarray(value)
    if given.dtype.kind not in kinds:
        p.refuse("takes %s, not %r" % (
            {"b": "True or False", "f": "a number"}.get(
                p.dtype.kind, "a whole number"), value))
    return value_bytes(p, value)


def wrap(device, p, array, guard):
    """A buffer for an array, and the offset in it. It keeps the array."""
    memory = memory_of(array)
    if memory is not None and memory.buffer.device is device:
        return memory.buffer, array.ctypes.data - memory.address
    flags = (GUARDED if guard else 0) | (0 if p.written else READ_ONLY)
    out = ctypes.c_void_p()
    c.call(c.buffer_wrap, device.handle.value, array.ctypes.data,
           array.nbytes, flags, ctypes.byref(out))
    buffer = Buffer(out.value)
    buffer.device, buffer.array = device, array
    return buffer, 0


class Buffer(c.handle("buffer_free")):
    """A buffer; .array is the memory that it wraps, if it does."""
    device = array = None
