"""The Python module of corners.sn, call by call; what it prints is compared by t/67-python.t."""
import gc
import math
import sys

import corners as c

bare = len(sys.argv) > 1        # without NumPy


def fails(error, call, *arguments):
    try:
        call(*arguments)
    except error as e:
        return str(e)
    raise SystemExit("no %s by %r" % (error.__name__, call))


# ---- single values, structs, constants ----

assert (c.BIG, c.E, c.YES) == ((1 << 63) - 1, 0.5, True)
with c.Context(threads=2) as context:
    grid = c.grid(context, 3, m=2)
    grid.u[-4, 2] = 2.5
    assert grid.u[-4, 2] == 2.5 and grid.u[0, 3] == 0
    assert grid.u.shape() == ((-4, 2), (8, 10)) and grid.u.axes == ("i", "j")
    assert grid.hh[0, 0] == 1.5 and grid.b[0, 0] is True and grid.u.type == "f64"
    grid.hh[1, 1] = -0.25
    assert grid.hh[1, 1] == -0.25
    grid.b[1, 1] = False
    assert grid.b[1, 1] is False
    grid.w[2, 2] = (1 << 64) - 1
    assert grid.w[2, 2] == (1 << 64) - 1
    grid.A[7, 1] = ((1, 2, 3), (4, 5, 6))
    assert grid.A[7, 1] == ((1, 2, 3), (4, 5, 6)) and grid.A.axes == ("j", "i")
    grid.q[5, 5] = ((1, 2, 3), True, 0.5)
    mote = grid.q[5, 5]
    assert (tuple(mote.x), mote.on, mote.m) == ((1, 2, 3), True, 0.5)
    mote.m = 7
    grid.q[0, 0] = mote
    assert c.give(grid, grid).m == 7
    grid.u.fill(4)
    assert grid.u[-4, 2] == 4
    grid.A.fill(((0, 1, 0), (0, 0, 0)))
    assert grid.A[0, 0][0] == (0, 1, 0)
    zero = c.zero(context)
    zero.s.set(11)
    assert zero.s.get() == 11
    assert c.truth(context) is True and c.truth(ctx=context) is True

    # ---- SNodes ----
    assert grid.tile.count() == 3 and grid.tile.capacity() == 6 and grid.cell.count() == 48
    grid.tile.activate(2, 0)
    assert grid.tile.is_active(2, 0) and not grid.tile.is_active(2, 1)
    grid.tile.deactivate(2, 0)
    assert not grid.tile.is_active(2, 0)
    parts = c.parts(context)
    c.fill_parts(parts, n=10)
    assert [parts.list_.length(i) for i in range(4)] == [3, 3, 2, 2]
    assert parts.list_.is_active(0, 2) and parts.l.count() == 10
    parts.list_.deactivate(0)
    assert parts.list_.length(0) == 0
    far = c.far(context)
    far.c[-100, 5000] = 200
    assert far.c[-100, 5000] == 200 and far.page.count() == 1
    far.deactivate_all()
    assert far.page.count() == 0
    rows = {row["name"]: row for row in grid.memory()}
    assert rows["tile"]["active"] == 3 and rows["tile"]["bytes"] > 0

    # ---- copies and files ----
    other = c.grid(context, 3, 2)
    other.copy(grid)
    assert other.u[-4, 2] == 4
    other.save("corners.snode")
    other.destroy()
    third = c.grid(context, 3, 2)
    third.load("corners.snode")
    assert third.q[0, 0].m == 7

    # ---- what fails ----
    print(fails(c.Error, lambda: grid.u[100, 2]))
    print(fails(c.Error, c.wrong, grid, 5))
    assert grid.u[-4, 2] == 4 and grid.u[5, 2] == 1         # the context goes on
    print(fails(c.Error, c.grid, context, 0, 2))
    print(fails(c.Error, lambda: c.Context(threads="many")))
    print(fails(TypeError, c.truth, grid))
    print(fails(TypeError, c.wrong, zero, 5))
    print(fails(ValueError, lambda: other.u[0, 3]))
    print(fails(IndexError, lambda: grid.u[0]))
    print(fails(OverflowError, zero.s.set, 1 << 31))
    print(fails(ValueError, grid.A.set, 0, 0, ((1, 2), (3, 4))))
    print(fails(AttributeError, setattr, grid, "u", 5))
    try:
        raise c.Error(4, "")
    except c.Error as e:
        assert e.code == "SN_EBOUNDS" and e.number == 4
    if bare:
        print(fails(ImportError, grid.u.read))
    else:
        import numpy as np

        # ---- boxes ----
        box = grid.u[-4:0, 2:6]
        assert box.shape == (4, 4) and box.dtype == np.float64 and (box == 4).all()
        values = np.arange(12.0).reshape(3, 4)
        grid.u[0:3, 2:6] = values
        assert (grid.u[0:3, 2:6] == values).all() and grid.u[2, 3] == 9
        assert (grid.u[0, 2:6] == values[0]).all() and (grid.u[0:3, 3] == values[:, 1]).all()
        grid.u[0, 2:6] = 5
        assert (grid.u[0, 2:6] == 5).all()
        grid.u[0:3, 3] = [1, 2, 3]
        assert [grid.u[i, 3] for i in range(3)] == [1, 2, 3]
        assert grid.u[:, 2:4].shape == (12, 2) and grid.u.read().shape == (12, 8)
        assert (grid.u[...] == grid.u.read()).all() and (grid.u[..., 3] == grid.u[:, 3]).all()
        # any strides: no copies
        wide = np.zeros((8, 24))
        assert grid.u.read(wide[:, ::2].T, (-4, 2), (8, 10)).base is wide
        assert (wide[:, ::2].T == grid.u.read()).all() and not wide[:, 1::2].any()
        grid.u.write(np.asfortranarray(values), (0, 2))
        assert (grid.u[0:3, 2:6] == values).all()
        # strides that are no whole values, negative ones, other types: by a copy
        packed = np.zeros(4, [("x", "i1"), ("u", "f8")])
        packed["u"] = [8, 7, 6, 5]
        grid.u.write(packed["u"].reshape(1, 4), (0, 2))
        assert list(grid.u[0, 2:6]) == [8, 7, 6, 5]
        grid.u.write(np.arange(4)[::-1].reshape(1, 4), (0, 2))
        assert list(grid.u[0, 2:6]) == [3, 2, 1, 0]
        into = np.zeros((1, 4))
        grid.u.read(into[:, ::-1], (0, 2), (1, 6))
        assert list(into[0]) == [0, 1, 2, 3]
        assert grid.u[2:2, 2:6].shape == (0, 4)
        # other kinds of values
        matrices = grid.A[0:8, 0:2]
        assert matrices.shape == (8, 2, 2, 3) and matrices.dtype == np.float32
        matrices[3, 1] = [[1, 2, 3], [4, 5, 6]]
        grid.A[0:8, 0:2] = matrices
        assert grid.A[3, 1] == ((1, 2, 3), (4, 5, 6))
        assert grid.b[0:2, 0:2].dtype == np.bool_ and grid.hh[0:2, 0:2][1, 1] == np.float16(-0.25)
        motes = grid.q[4:6, 4:6]
        assert motes["m"][1, 1] == 0.5 and motes["x"][1, 1, 2] == 3
        motes["m"] = 3
        grid.q[4:6, 4:6] = motes
        assert grid.q[4, 5].m == 3
        assert zero.s.read() == 11
        zero.s.write(12)
        assert zero.s.get() == 12
        # lists of active cells
        index, value = parts.l.read_active()
        assert index.shape == (7, 2) and sorted(value) == [1, 2, 3, 5, 6, 7, 9]
        parts.l.write_active([[0, 0], [0, 1]], [40, 41])
        assert parts.l[0, 1] == 41 and parts.list_.length(0) == 2
        print(fails(ValueError, parts.l.write_active, [[0]], [1]))
        print(fails(ValueError, grid.u.read, np.zeros((2, 2)), (0, 2), (1, 3)))
        print(fails(TypeError, grid.u.read, np.zeros((1, 1), "f4"), (0, 2), (1, 3)))
        print(fails(IndexError, lambda: grid.u[0:4:2, 2:3]))
        print(fails(c.Error, lambda: far.c.read()))
        far.c[-3:1, 0:2] = 7
        assert far.c[-4:1, 1].tolist() == [0, 7, 7, 7, 7]

        print(fails(TypeError, far.c.write, [[1.5]], (0, 0)))

        # ---- arrays of kernels ----
        assert c.sum_(context, [1, 2, 3.5]) == 6.5 and c.sum_(context, np.arange(5)[::2]) == 6
        a, b = np.arange(6, dtype="i4").reshape(2, 3), np.zeros((3, 2), "i4")
        c.transpose_into(context, a=a, b=b)
        assert (b == a.T).all()
        print(fails(ValueError, c.transpose_into, context, a, np.zeros((2, 2), "i4")))
        print(fails(ValueError, c.transpose_into, context, a, np.zeros((3, 2, 1), "i4")))
        print(fails(TypeError, c.transpose_into, context, a, b.T))
        print(fails(TypeError, c.transpose_into, context, a, b.astype("i8")))
        src, vs = np.zeros((2, 4, 3), "f4"), np.zeros((2, 2), "f4")
        ms = np.zeros(2, np.dtype(c.mote))
        assert c.step(grid, zero, 0.25, src, ms, True, (1, 2, 3), mote, vs, 0.5) == (1, 2)
        assert zero.s.get() == 2 and grid.u[0, 3] == 0.25
        zero.s.fill(9)
        assert math.isclose(zero.s.get(), 9)
assert not context._handle and not grid._handle
print(fails(TypeError, c.truth, context))
context.destroy()

# what is dropped is destroyed
c.grid(c.Context(), 1, 1).u[-4, 2] = 1
gc.collect()
assert "f64" in c.grid.__doc__ and "A mote." in c.mote.__doc__
print("all is well")
