# Reads what t/io/grids.c has written, by ./read_vdb or ./read_nvdb, and says "equal" or what is not.
import subprocess
import sys

from read import ACTIVE, u, v

END = sys.argv[1]
NANO = END == 'nvdb'


def grids(stem):
    """By name: {'type': text, 'centre': numbers .., 'cells': {(i, j, k): values}}"""
    done = subprocess.run(['./read_' + END, stem + '.' + END], stdout=subprocess.PIPE, check=True)
    found = {}
    for line in done.stdout.decode().splitlines():
        word, *rest = line.split()
        if word == 'grid':
            grid = found[rest[0]] = {'type': rest[1].lower(), 'cells': {}}
        elif word in ('tree', 'units', 'length_units'):
            grid[word] = ' '.join(rest)
        elif word in ('centre', 'spacing', 'background', 'off'):
            grid[word] = [float(x) for x in rest]
        else:
            at = int(word), int(rest[0]), int(rest[1])
            assert at not in grid['cells']
            grid['cells'][at] = [int(x) if x.lstrip('-').isdigit() else float(x) for x in rest[2:]]
    return found


def check(grid, kind, background, cells):
    """kind: as OpenVDB calls the type; NanoVDB's differ in vectors and bool."""
    nano = {'vec3s': 'vec3f', 'bool': 'int32'}
    assert grid['type'] == (nano.get(kind, kind) if NANO else kind), grid['type']
    assert grid['background'] == background and grid['off'] == background
    assert grid['cells'] == cells


g = grids('grid')
assert list(sorted(g)) == ['kind', 'u', 'v']
check(g['u'], 'float', [0.5], {c: [u(*c)] for c in ACTIVE})
check(g['v'], 'vec3s', [0, 0, 0], {c: list(v(*c)) for c in ACTIVE})
check(g['kind'], 'int32', [0],
      {c: [110 - u(*c) if u(*c) != 0.5 else 0] for c in ACTIVE})
for one in g.values():
    assert one['centre'] == [-1, 0.125, 0.5] and one['spacing'] == [1, 0.25, 1]
if not NANO:
    assert g['u']['tree'] == 'grid' and g['u']['length_units'] == 'mm'
    assert g['u']['units'] == 'K' and 'units' not in g['kind'] and g['v']['units'] == 'm/s'

inside = {c: [u(*c)] for c in ACTIVE if 3 <= c[0] < 7 and 8 <= c[1] < 12 and 2 <= c[2] < 7}
check(grids('box')['u'], 'float', [0.5], inside)
check(grids('nothing')['u'], 'float', [0.5], {})
g = grids('plane')
cells = [(i, j) for i in range(6) for j in range(5)]
check(g['wide'], 'double', [0], {(i, j, 0): [5 * i + j] for i, j in cells})
check(g['half'], 'float', [0], {(i, j, 0): [i + 0.5 * j] for i, j in cells})
g = grids('pages')
pages = {(i, j, 0): [0] for a, b in ((-8, 0), (4, -4)) for i in range(a, a + 4) for j in range(b, b + 4)}
pages[-5, 3, 0], pages[6, -1, 0] = [7], [9]
check(g['page_value'], 'int32', [0], pages)
g = grids('line')
check(g['on'], 'bool', [0], {(1, 0, 0): [0], (5, 0, 0): [1], (9, 0, 0): [1]})
check(g['p.at'], 'vec3s', [0, 0, 0], {(i, 0, 0): [i, 2, 3] for i in (1, 5, 9)})
check(g['p.mass'], 'double', [0], {(i, 0, 0): [0.5] for i in (1, 5, 9)})
g = grids('counts')
check(g['many'], 'int64', [0], {(i, 0, 0): [2 ** 63 - 1 - i] for i in range(3)})
check(g['some'], 'int64', [0], {(i, 0, 0): [2 ** 32 - 1 - i] for i in range(3)})
check(g['pair'], 'vec3d', [0, 0, 0], {(i, 0, 0): [i, 0.1, 0] for i in range(3)})
check(g['three'], 'vec3d', [0, 0, 0], {(i, 0, 0): [i, 2 ** 31 - 1, -2 ** 31] for i in range(3)})
print('equal')
