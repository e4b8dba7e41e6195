"""Structs as NumPy sees them (k.params[0].record), beside the model:
views.py N.metal N.txt, which views.lua has made. Says what is wrong."""
import re
import sys

import numpy

import mettle

wrong, structs, leaves = 0, 0, 0


def see(good, *what):
    global wrong
    if not good:
        wrong += 1
        print("#", *what)


def place(view, path):
    """Where a leaf lies: something to index, and the index."""
    steps = [int(step) if step.isdigit() else step
             for step in re.findall(r"\w+", path)]
    for step in steps[:-1]:
        view = view[step]
    return view, steps[-1]


def value_of(scalar, number):
    if scalar == "bfloat":  # its bits
        return numpy.float32(number).view(numpy.uint32) >> 16
    return number


def compare(library, name, size, align, packed, rows, image):
    global structs, leaves
    structs, leaves = structs + 1, leaves + len(rows)
    write, copy = library["write_" + name], library["copy_" + name]
    p = write.params[0]
    see(p.record.itemsize == p.size == size, name, "its size")
    see(p.align == align or (packed and p.align > align), name,
        "its alignment")
    array = mettle.zeros(1, p.record)
    write(array, grid=1)
    see((array.view(numpy.uint8) == image).all(), name, "a kernel's bytes")
    by_names = mettle.zeros(1, p.record)
    for path, offset, scalar, number in rows:
        view, step = place(array[0], path)
        dtype = numpy.dtype(mettle._arguments.DTYPES[scalar])
        bits = image[offset:offset + dtype.itemsize].view(dtype)
        see(view[step] == bits[0] or view[step] != view[step], name, path,
            "what is read")
        view, step = place(by_names[0], path)
        view[step] = value_of(scalar, number)
    out = numpy.zeros(size, numpy.uint8)
    copy(by_names, out, grid=1)
    see((out == image).all(), name, "what is written by names")


def main(source, said):
    library = mettle.library(source)
    for line in open(said, encoding="ascii"):
        word, *rest = line.split()
        if word == "struct":
            head, rows = (rest[0], *map(int, rest[1:])), []
        elif word == "leaf":
            rows.append((rest[0], int(rest[1]), rest[2], int(rest[3])))
        else:
            image = numpy.array(rest, numpy.uint8)
            compare(library, *head, rows, image)


main(sys.argv[1], sys.argv[2])
print("# %d structs, %d leaves, %d wrong" % (structs, leaves, wrong))
sys.exit(wrong != 0)
