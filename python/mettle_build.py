"""Makes the wheel of the package mettle: a build backend without dependencies.

pip calls it for "pip install ." in the tree (pyproject.toml). The wheel has the
package and, as mettle/runtime, what "make install" would put into a prefix; or,
if METTLE_RUNTIME names the folder of a bundle, that bundle ("make wheel").
"""
import base64
import hashlib
import os
import re
import subprocess
import sysconfig
import tempfile
import zipfile

TREE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LEFT_OUT = re.compile(  # of the runtime: what Python has no use for
    r"^(include/|lib/libmettle\.a$|lib/pkgconfig/|install\.sh$"
    r"|lib/mettle/(blas\.so$|lib/(lib|mt_)(openblas|gfortran|quadmath)\.)"
    r"|share/(bash-completion|fish|zsh|man)/)")


def version():
    path = os.path.join(TREE, "base", "version.h")
    with open(path, encoding="utf-8") as text:
        found = re.search(r'^#define MT_VERSION "(.*)"', text.read(), re.M)
    return found.group(1)


def tag(runtime):
    """A bundle says which C library it needs; a build needs this machine."""
    needs = os.path.join(runtime, "share", "doc", "mettle", "needs.txt")
    if os.path.exists(needs):
        with open(needs, encoding="utf-8") as text:
            machine, major, minor = re.match(
                r"Linux, (\S+)\nlibmettle.* glibc (\d+)\.(\d+) or newer",
                text.read()).groups()
        return "py3-none-manylinux_%s_%s_%s" % (major, minor, machine)
    platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    # pip knows macOS 15 as 15.0 alone
    platform = re.sub(r"^(macosx_\d+)_(?!\d)", r"\1_0_", platform)
    return "py3-none-" + platform


def files_below(folder):
    for at, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted(names):
            path = os.path.join(at, name)
            if not os.path.islink(path):
                yield os.path.relpath(path, folder), path


def contents(runtime):
    """Names in the wheel, and the files they come from."""
    for name, path in files_below(os.path.join(TREE, "python", "mettle")):
        if name.endswith(".py"):
            yield "mettle/" + name, path
    for name, path in files_below(runtime):
        if not LEFT_OUT.match(name):
            yield "mettle/runtime/" + name, path


class Wheel:
    """An archive whose bytes depend on its files alone."""

    def __init__(self, path):
        self.zip = zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED,
                                   compresslevel=9)
        self.record = []

    def add(self, name, data, mode=0o644):
        entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
        entry.external_attr = (0o100000 | mode) << 16
        entry.compress_type = zipfile.ZIP_DEFLATED
        self.zip.writestr(entry, data)
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest())
        self.record.append("%s,sha256=%s,%d" % (
            name, digest.rstrip(b"=").decode(), len(data)))

    def close(self, info):
        self.record.append(info + "/RECORD,,")
        self.add(info + "/RECORD", "\n".join(self.record).encode() + b"\n")
        self.zip.close()


def metadata():
    return ("Metadata-Version: 2.1\nName: mettle\nVersion: %s\n"
            "Summary: Metal compute kernels on NumPy arrays, on whatever "
            "device there is\nLicense: MIT\nRequires-Python: >=3.8\n"
            "Requires-Dist: numpy\n" % version()).encode()


def write_wheel(folder, runtime):
    kind = tag(runtime)
    name = "mettle-%s-%s.whl" % (version(), kind)
    info = "mettle-%s.dist-info" % version()
    wheel = Wheel(os.path.join(folder, name))
    for entry, path in contents(runtime):
        with open(path, "rb") as file:
            mode = 0o755 if os.access(path, os.X_OK) else 0o644
            wheel.add(entry, file.read(), mode)
    wheel.add(info + "/METADATA", metadata())
    wheel.add(info + "/WHEEL", ("Wheel-Version: 1.0\nGenerator: mettle_build\n"
                                "Root-Is-Purelib: false\nTag: %s\n"
                                % kind).encode())
    wheel.add(info + "/entry_points.txt",
              b"[console_scripts]\nmettle = mettle.__main__:main\n")
    wheel.close(info)
    return name


# ------------------------------------------------------- what pip calls


def get_requires_for_build_wheel(config_settings=None):
    return []


def build_wheel(wheel_directory, config_settings=None,
                metadata_directory=None):
    runtime = os.environ.get("METTLE_RUNTIME")
    if runtime:
        return write_wheel(wheel_directory, os.path.join(TREE, runtime))
    with tempfile.TemporaryDirectory() as root:
        clean = {name: value for name, value in os.environ.items()
                 if name not in ("MAKEFLAGS", "MAKELEVEL")}
        subprocess.run(["make", "-s", "-j%d" % (os.cpu_count() or 1),
                        "install", "PREFIX=/runtime", "DESTDIR=" + root],
                       cwd=TREE, env=clean, check=True)
        return write_wheel(wheel_directory, os.path.join(root, "runtime"))


if __name__ == "__main__":
    import sys
    print(build_wheel(sys.argv[1]))
