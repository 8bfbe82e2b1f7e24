# Reads what t/io/hdf5.c has written, by h5py ("h5py") or by the program t/io/hdf5_read.c ("program"),
# and says "equal" or what is not.
import subprocess
import sys

from read import ACTIVE, ALL, u, v


def program(path, *what):
    done = subprocess.run(['./hdf5_read', path, *what], stdout=subprocess.PIPE, check=True)
    return done.stdout.decode().split('\n')[:-1]


def numbers(lines):
    """(shape, flat values)"""
    return tuple(int(n) for n in lines[0].split()), [float(x) for x in lines[1:]]


class ByProgram:
    def __init__(self, path):
        self.path = path

    def values(self, name):
        return numbers(program(self.path, name))

    def text(self, name, attribute):
        return program(self.path, name, attribute)[0]

    def attribute(self, name, attribute):
        return numbers(program(self.path, name, attribute))[1]


class ByH5py:
    def __init__(self, path):
        import h5py
        self.file = h5py.File(path, 'r')

    def values(self, name):
        a = self.file[name][()]
        return a.shape, a.ravel().tolist()

    def text(self, name, attribute):
        t = self.file[name].attrs[attribute]
        return t.decode() if isinstance(t, bytes) else t

    def attribute(self, name, attribute):
        import numpy
        return numpy.ravel(self.file[name].attrs[attribute]).tolist()


def flat(vectors):
    return [x for one in vectors for x in one]


INSIDE = [(i, j, k) for i in range(3, 7) for j in range(8, 12) for k in range(2, 7)]
IN_C = [(i, j, k) for i in range(16) for j in range(16) for k in range(8)]


def kind(i, j, k):
    return 100 - (u(i, j, k) - 10) if u(i, j, k) != 0.5 else 0


def check_box(open_file):
    f = open_file('grid.h5')
    assert f.values('fields/u') == ((16, 16, 8), [u(*c) for c in IN_C])
    assert f.values('fields/kind') == ((16, 16, 8), [kind(*c) for c in IN_C])
    assert f.values('fields/v') == ((16, 16, 8, 3), flat(v(*c) for c in IN_C))
    assert f.text('/', 'tree') == 'grid' and f.text('/', 'indices') == 'i j k'
    assert f.attribute('/', 'origin') == [-1.5, 0, 0]
    assert f.attribute('/', 'spacing') == [1, 0.25, 1]
    assert f.attribute('/', 'lo') == [0, 0, 0] and f.attribute('/', 'hi') == [16, 16, 8]
    assert f.text('/', 'length_units') == 'mm'
    assert f.text('fields/u', 'units') == 'K' and f.text('fields/v', 'units') == 'm/s'
    assert f.attribute('fields/u', 'default') == [0.5]
    assert f.attribute('fields/v', 'default') == [0, 0, 0]
    f = open_file('box.h5')
    assert f.values('fields/u') == ((4, 4, 5), [u(*c) for c in INSIDE])
    assert f.attribute('/', 'lo') == [3, 8, 2] and f.attribute('/', 'hi') == [7, 12, 7]


def check_active(open_file):
    for path in 'active.h5', 'all.h5':
        f = open_file(path)
        assert f.values('index') == ((len(ACTIVE), 3), flat(ACTIVE))
        assert f.values('fields/u') == ((len(ACTIVE),), [u(*c) for c in ACTIVE])
        assert f.values('fields/v') == ((len(ACTIVE), 3), flat(v(*c) for c in ACTIVE))
    f = open_file('active.h5')
    assert f.values('fields/kind')[1] == [kind(*c) for c in ACTIVE]
    assert f.text('fields/v', 'units') == 'm/s'
    inside = [c for c in ACTIVE if c in INSIDE]
    f = open_file('box_active.h5')
    assert inside and f.values('index')[1] == flat(inside)
    assert f.values('fields/u')[1] == [u(*c) for c in inside]
    f = open_file('nothing.h5')
    assert f.values('index') == ((0, 3), []) and f.values('fields/v') == ((0, 3), [])


def check_types(open_file):
    f = open_file('plane.h5')
    cells = [(i, j) for i in range(6) for j in range(5)]
    assert f.values('fields/wide') == ((6, 5), [5 * i + j for i, j in cells])
    assert f.values('fields/half') == ((6, 5), [i + 0.5 * j for i, j in cells])
    f = open_file('pages.h5')
    set_to = {(-5, 3): 7, (6, -1): 9}
    assert f.attribute('/', 'lo') == [-8, -4] and f.attribute('/', 'hi') == [8, 4]
    assert f.values('fields/page_value') == \
        ((16, 8), [set_to.get((i, j), 0) for i in range(-8, 8) for j in range(-4, 4)])
    f = open_file('line.h5')
    assert f.values('index') == ((3, 1), [1, 5, 9])
    assert f.values('fields/on') == ((3,), [0, 1, 1])
    assert f.values('fields/p.at') == ((3, 3), [1, 2, 3, 5, 2, 3, 9, 2, 3])
    f = open_file('broad.h5')
    assert f.values('fields/height') == \
        ((600, 512), [i + j / 1000 if j % 100 == 0 else 0 for i in range(600) for j in range(512)])


def check_of_h5py(open_file):
    """Types and layout, as a user of h5py meets them."""
    import numpy
    f = open_file('plane.h5').file
    assert f['fields/half'].dtype == numpy.float16 and f['fields/wide'].dtype == numpy.float64
    f = open_file('line.h5').file
    assert f['fields/on'].dtype == numpy.bool_ and f['index'].dtype == numpy.int64
    f = open_file('grid.h5').file
    assert f['fields/kind'].dtype == numpy.int16 and 'units' not in f['fields/kind'].attrs
    assert f['fields/u'].compression == 'gzip'
    f = open_file('broad.h5').file
    assert f['fields/height'].chunks == (150, 512)
    f = open_file('box.h5').file
    assert f['fields/u'].compression is None and 'length_units' not in f.attrs


way = {'h5py': ByH5py, 'program': ByProgram}[sys.argv[1]]
check_box(way)
check_active(way)
check_types(way)
if way is ByH5py:
    check_of_h5py(way)
print('equal')
