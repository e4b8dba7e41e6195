"""python -m mettle, and the script mettle: the program itself."""
import os
import shutil
import sys

HERE = os.path.dirname(os.path.abspath(__file__))


def find():
    """The program of the package, of a build, or of the system."""
    for path in (os.path.join(HERE, "runtime", "bin", "mettle"),
                 os.path.join(HERE, "..", "..", "build", "mettle")):
        if os.path.exists(path):
            return path
    mine = os.path.realpath(sys.argv[0])  # the script is called mettle, too
    found = shutil.which("mettle")
    return None if found and os.path.realpath(found) == mine else found


def main():
    program = find()
    if program is None:
        sys.exit("mettle: the program was not found")
    os.execv(program, [program] + sys.argv[1:])


if __name__ == "__main__":
    main()
