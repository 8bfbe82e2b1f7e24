# Reads what t/io/write.c has written, and says "equal" or what is not.
import ast
import os
import re
import struct
import sys
import zlib

CODES = {'UInt8': 'B', 'Int8': 'b', 'Int16': 'h', 'UInt16': 'H', 'Int32': 'i', 'UInt32': 'I',
         'Int64': 'q', 'UInt64': 'Q', 'Float32': 'f', 'Float64': 'd'}


def vtk(path):
    """The header as text, and the arrays by name."""
    data = open(path, 'rb').read()
    at = data.index(b'<AppendedData encoding="raw">')
    at = data.index(b'_', at) + 1
    head = data[:at].decode()
    arrays = {}
    for tag in re.findall(r'<DataArray [^>]*>', head):
        a = dict(re.findall(r'(\w+)="([^"]*)"', tag))
        begin = at + int(a['offset'])
        if 'compressor="vtkZLibDataCompressor"' in head:
            count, size, last = struct.unpack_from('<3Q', data, begin)
            lengths = struct.unpack_from('<%dQ' % count, data, begin + 24)
            begin += 24 + 8 * count
            parts = []
            for k, length in enumerate(lengths):
                parts.append(zlib.decompress(data[begin:begin + length]))
                assert len(parts[-1]) == (last if k + 1 == count and last else size)
                begin += length
            raw = b''.join(parts)
        else:
            length, = struct.unpack_from('<Q', data, begin)
            raw = data[begin + 8:begin + 8 + length]
        code = CODES[a['type']]
        values = struct.unpack('<%d%s' % (len(raw) // struct.calcsize(code), code), raw)
        n = int(a['NumberOfComponents'])
        arrays[a['Name']] = values if n == 1 else list(zip(*[iter(values)] * n))
    return head, arrays


def npy(path):
    data = open(path, 'rb').read()
    assert data[:8] == b'\x93NUMPY\x01\x00'
    length, = struct.unpack_from('<H', data, 8)
    assert (10 + length) % 64 == 0
    head = ast.literal_eval(data[10:10 + length].decode())
    code = {'<f4': 'f', '<i8': 'q', '<f2': 'e', '<f8': 'd'}[head['descr']]
    raw = data[10 + length:]
    return head['shape'], struct.unpack('<%d%s' % (len(raw) // struct.calcsize(code), code), raw)


def png(path):
    data = open(path, 'rb').read()
    assert data[:8] == b'\x89PNG\r\n\x1a\n'
    at, chunks = 8, {}
    while at < len(data):
        length, kind = struct.unpack_from('>I4s', data, at)
        body = data[at + 8:at + 8 + length]
        assert zlib.crc32(kind + body) == struct.unpack_from('>I', data, at + 8 + length)[0]
        chunks[kind] = chunks.get(kind, b'') + body
        at += 12 + length
    width, height = struct.unpack_from('>II', chunks[b'IHDR'])
    assert chunks[b'IHDR'][8:] == bytes((8, 0, 0, 0, 0))         # 8 bits of grey
    data = zlib.decompress(chunks[b'IDAT'])
    lines, above = [], [0] * width
    for y in range(height):
        kind, *line = data[y * (width + 1):(y + 1) * (width + 1)]
        for x in range(width):
            a, b, c = (line[x - 1], above[x], above[x - 1]) if x else (0, above[x], 0)
            paeth = min((abs(b - c), 0, a), (abs(a - c), 1, b), (abs(a + b - 2 * c), 2, c))[2]
            line[x] = (line[x] + (0, a, b, (a + b) // 2, paeth)[kind]) % 256
        lines.append(line)
        above = line
    return width, height, lines


SET = {(i, 2 * i % 16, i % 8): i for i in range(0, 16, 5)}
TILES = {(i // 4, j // 4, k // 4) for i, j, k in SET}


def u(i, j, k):
    return 10.0 + SET[i, j, k] if (i, j, k) in SET else 0.5


def v(i, j, k):
    n = SET.get((i, j, k))
    return (0, 0, 0) if n is None else (n, -n, 0.25)


def box(lo, hi):
    """x fastest"""
    return [(i, j, k) for k in range(lo[2], hi[2]) for j in range(lo[1], hi[1])
            for i in range(lo[0], hi[0])]


ALL = box((0, 0, 0), (16, 16, 8))
ACTIVE = sorted(c for c in ALL if (c[0] // 4, c[1] // 4, c[2] // 4) in TILES)


def check_vti():
    for path in 'grid.vti', 'plain.vti':
        head, a = vtk(path)
        assert 'WholeExtent="0 16 0 16 0 8"' in head and 'Origin="-1.5 0 0"' in head
        assert 'Spacing="1 0.25 1"' in head
        assert list(a['u']) == [u(*c) for c in ALL]
        assert list(a['kind']) == [100 - SET[c] if c in SET else 0 for c in ALL]
        assert a['v'] == [v(*c) for c in ALL]


def cells_of(path):
    """The lowest corners, in index space, of each cell."""
    head, a = vtk(path)
    n = a['offsets'][0]
    corners = [a['connectivity'][k * n:(k + 1) * n] for k in range(len(a['offsets']))]
    assert len(set(a['Points'])) == len(a['Points'])
    assert list(a['offsets']) == [n * (k + 1) for k in range(len(corners))]
    for c in corners:
        assert len(set(c)) == n
        assert a['Points'][c[0]] == min(a['Points'][p] for p in c)
    return head, a, [a['Points'][c[0]] for c in corners]


def check_vtu():
    head, a, lowest = cells_of('grid.vtu')
    assert set(a['types']) == {11}
    assert lowest == [(i - 1.5, j * 0.25, k) for i, j, k in ACTIVE]
    assert list(a['u']) == [u(*c) for c in ACTIVE] and a['v'] == [v(*c) for c in ACTIVE]


def check_active():
    inside = [c for c in ACTIVE if 3 <= c[0] < 7 and 8 <= c[1] < 12 and 2 <= c[2] < 7]
    head, a, lowest = cells_of('box.vtu')
    assert inside and list(a['u']) == [u(*c) for c in inside]


def check_box():
    head, a = vtk('box.vti')
    assert 'WholeExtent="3 7 8 12 2 7"' in head
    assert list(a['u']) == [u(*c) for c in box((3, 8, 2), (7, 12, 7))]


def check_two():
    head, a = vtk('plane.vti')
    cells = [(i, j) for j in range(5) for i in range(6)]
    assert 'WholeExtent="0 6 0 5 0 0"' in head
    assert list(a['wide']) == [5 * i + j for i, j in cells]
    assert list(a['half']) == [i + 0.5 * j for i, j in cells]


def check_hash():
    head, a = vtk('pages.vti')
    assert 'WholeExtent="-8 8 -4 4 0 0"' in head
    values = {(-5, 3): 7, (6, -1): 9}
    assert list(a['page_value']) == [values.get((i, j), 0) for j in range(-4, 4)
                                     for i in range(-8, 8)]
    head, a, lowest = cells_of('pages.vtu')
    assert set(a['types']) == {8} and len(lowest) == 32
    assert a['page_value'][lowest.index((6, -1, 0))] == 9


def check_bits():
    head, a, lowest = cells_of('line.vtu')
    assert set(a['types']) == {3} and lowest == [(1, 0, 0), (5, 0, 0), (9, 0, 0)]
    assert a['p.at'] == [(1, 2, 3), (5, 2, 3), (9, 2, 3)] and list(a['on']) == [0, 1, 1]


def check_pvd():
    text = open('all.pvd').read()
    assert re.findall(r'timestep="([^"]*)" part="0" file="([^"]*)"', text) == \
        [('0', 'a&amp;b.vti'), ('0.5', 'grid.vtu')]


def check_npy():
    shape, values = npy('u.npy')
    assert shape == (16, 16, 8)
    assert list(values) == [u(i, j, k) for i in range(16) for j in range(16) for k in range(8)]


def check_npy_vector():
    shape, values = npy('v.npy')
    assert shape == (4, 4, 5, 3)
    assert list(values) == [x for i in range(3, 7) for j in range(8, 12) for k in range(2, 7)
                            for x in v(i, j, k)]


def check_npy_half():
    shape, values = npy('half.npy')
    assert shape == (6, 5) and list(values) == [i + 0.5 * j for i in range(6) for j in range(5)]


def check_npy_active():
    shape, index = npy('index.npy')
    assert shape == (len(ACTIVE), 3) and list(index) == [x for c in ACTIVE for x in c]
    shape, values = npy('value.npy')
    assert shape == (len(ACTIVE), 3) and list(values) == [x for c in ACTIVE for x in v(*c)]


def check_png():
    width, height, lines = png('plane.png')
    assert (width, height) == (5, 6)
    assert lines == [[int(255 * (5 * i + j) / 29 + 0.5) for j in range(5)] for i in range(6)]


def check_png_slice():
    width, height, lines = png('slice.png')
    assert (width, height) == (8, 16)
    assert lines[10][5] == int(255 * 14.5 / 15 + 0.5) and sum(map(sum, lines)) == lines[10][5]


def check_numpy():
    import numpy
    a = numpy.load('u.npy')
    assert a.shape == (16, 16, 8) and a.dtype == numpy.float32 and a[5, 10, 5] == 15
    assert numpy.load('half.npy').dtype == numpy.float16
    assert numpy.load('v.npy').shape == (4, 4, 5, 3)
    index, value = numpy.load('index.npy'), numpy.load('value.npy')
    assert index.dtype == numpy.int64 and len(index) == len(value) == len(ACTIVE)


def check_vtk():
    from vtkmodules.vtkIOImage import vtkPNGReader
    from vtkmodules.vtkIOXML import vtkXMLImageDataReader, vtkXMLUnstructuredGridReader
    for path in 'grid.vti', 'plain.vti':
        r = vtkXMLImageDataReader()
        r.SetFileName(path)
        r.Update()
        image = r.GetOutput()
        assert image.GetExtent() == (0, 16, 0, 16, 0, 8) and image.GetSpacing() == (1, 0.25, 1)
        a = image.GetCellData().GetArray('u')
        assert [a.GetValue(k) for k in range(a.GetNumberOfTuples())] == [u(*c) for c in ALL]
        a = image.GetCellData().GetArray('v')
        assert [a.GetTuple(k) for k in range(a.GetNumberOfTuples())] == [v(*c) for c in ALL]
    for path, count in ('grid.vtu', len(ACTIVE)), ('pages.vtu', 32), ('line.vtu', 3):
        r = vtkXMLUnstructuredGridReader()
        r.SetFileName(path)
        r.Update()
        grid = r.GetOutput()
        assert grid.GetNumberOfCells() == count
        if path == 'grid.vtu':
            a = grid.GetCellData().GetArray('u')
            assert [a.GetValue(k) for k in range(count)] == [u(*c) for c in ACTIVE]
            assert [grid.GetCell(k).GetBounds()[::2] for k in range(count)] == \
                [(i - 1.5, j * 0.25, k) for i, j, k in ACTIVE]
    if not os.path.exists('plane.png'):
        return
    r = vtkPNGReader()
    r.SetFileName('plane.png')
    r.Update()
    assert r.GetOutput().GetDimensions() == (5, 6, 1)


if __name__ == '__main__':
    globals()['check_' + sys.argv[1]]()
    print('equal')
