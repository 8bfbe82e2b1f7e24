"""The rows of bench/ in Taichi, tuned as its manual says, speaking contender.h's lines:

    taichi_rows.py ROW SIZE REPEATS

Kernels are compiled in the first round, which is a warm-up; what is timed ends with ti.sync().
Loops that sweep over a block have a serial inner loop on a processor, which is up to seven times
as fast there as ti.ndrange over all axes, and ti.ndrange on a GPU, whose threads are the loop's
turns.  Threads: as many as OpenMP takes (OMP_NUM_THREADS).

TAICHI_ARCH in the environment: cpu unless set; cuda.  BENCH_PARAMS: NAME=VALUE,.. as params of the
row's module (bench/gpu/rows.txt).
"""
import os
import sys
import time

import taichi as ti

THREADS = int(os.environ.get("OMP_NUM_THREADS") or len(os.sched_getaffinity(0)))
CLOCK = time.process_time if os.environ.get("BENCH_CLOCK") == "cpu" else time.perf_counter
ARCH = os.environ.get("TAICHI_ARCH") or "cpu"
GPU = ARCH != "cpu"
PARAMS = dict(p.split("=") for p in os.environ.get("BENCH_PARAMS", "").split(",") if "=" in p)
ROWS = {}


def param(name, value):
    """What the row's module has for the param, whose value is this one unless told."""
    return int(PARAMS.get(name, value))



def row(function):
    """A function of this name sets up a row: gives its before, run and after."""
    ROWS[function.__name__] = function
    return function


def nothing():
    pass


@ti.func
def scramble(q):
    h = ti.cast(q, ti.u32)
    h ^= h >> 16
    h *= ti.u32(0x85EBCA6B)
    h ^= h >> 13
    h *= ti.u32(0xC2B2AE35)
    h ^= h >> 16
    return h


# ---- pointer.dense(8^3): fill, fill_clear, random_read ----


class Grid:
    def __init__(self):
        bits = param("BITS", 8)
        all_bits, last = (1 << 3 * bits) - 1, (1 << bits) - 1
        self.x = ti.field(ti.f32)
        self.leaf = ti.root.pointer(ti.ijk, 1 << bits - 3)
        self.leaf.dense(ti.ijk, 8).place(self.x)
        x = self.x

        @ti.kernel
        def sweep(n: ti.i32):
            if ti.static(GPU):
                for i, j, k in ti.ndrange(n, n, n):
                    x[i, j, k] = i + 2 * j + 3 * k
            else:
                for i, j in ti.ndrange(n, n):
                    for k in range(n):
                        x[i, j, k] = i + 2 * j + 3 * k

        @ti.kernel
        def scatter(n: ti.i32):
            for q in range(n):
                at = ti.cast(scramble(q) & ti.u32(all_bits), ti.i32)
                i = at >> 2 * bits
                j = (at >> bits) & last
                k = at & last
                x[i, j, k] = i + 2 * j + 3 * k

        @ti.kernel
        def far(n: ti.i32) -> ti.f64:
            total = ti.cast(0, ti.f64)
            for q in range(n):
                at = ti.cast(scramble(q) & ti.u32(all_bits), ti.i32)
                total += x[at >> 2 * bits, (at >> bits) & last, at & last]
            return total

        @ti.kernel
        def near(n: ti.i32) -> ti.f64:
            total = ti.cast(0, ti.f64)
            for q in range(n):
                h = ti.cast(scramble(q) & ti.u32(63), ti.i32)
                i = ((q >> 2 * bits) + (h & 1) - ((h >> 1) & 1)) & last
                j = ((q >> bits) + ((h >> 2) & 1) - ((h >> 3) & 1)) & last
                k = (q + ((h >> 4) & 1) - ((h >> 5) & 1)) & last
                total += x[i, j, k]
            return total

        @ti.kernel
        def sum_up() -> ti.f64:
            total = ti.cast(0, ti.f64)
            for i, j, k in x:
                total += x[i, j, k]
            return total

        self.sweep, self.scatter, self.far, self.near = sweep, scatter, far, near
        self.sum_up = sum_up

    def clear(self):
        self.leaf.deactivate_all()


@row
def fill_sweeping(n):
    g = Grid()
    return g.clear, lambda: g.sweep(n), g.sum_up


@row
def fill_random(n):
    g = Grid()
    return g.clear, lambda: g.scatter(n), g.sum_up


@row
def fill_clear(n):
    g = Grid()

    def run():
        for _ in range(20):
            g.clear()
            g.sweep(n)

    return nothing, run, g.sum_up


@row
def read_far(n):
    g = Grid()
    g.sweep(1 << param("BITS", 8))
    return nothing, lambda: g.far(n), None


@row
def read_near(n):
    g = Grid()
    g.sweep(1 << param("BITS", 8))
    return nothing, lambda: g.near(n), None


# ---- saxpy ----


@row
def saxpy(steps):
    side = param("SIDE", 32)
    x, y = ti.field(ti.f32), ti.field(ti.f32)
    ti.root.pointer(ti.ijk, side).dense(ti.ijk, 8).place(x, y)

    @ti.kernel
    def fill():
        for bi, bj, bk in ti.ndrange(side, side, side):
            if scramble((bi * side + bj) * side + bk) & 1 == 0:
                for di, dj, dk in ti.ndrange(8, 8, 8):
                    i, j, k = 8 * bi + di, 8 * bj + dj, 8 * bk + dk
                    x[i, j, k] = i
                    y[i, j, k] = j + k

    @ti.kernel
    def axpy(a: ti.f32):
        for i, j, k in y:
            y[i, j, k] += a * x[i, j, k]

    @ti.kernel
    def sum_up() -> ti.f64:
        total = ti.cast(0, ti.f64)
        for i, j, k in y:
            total += y[i, j, k]
        return total

    def run():
        for _ in range(steps):
            axpy(0.5)

    fill()
    return nothing, run, sum_up


# ---- listgen ----


class Layers:
    STEPS = 10

    def __init__(self, size):
        self.size, self.step, self.total = size, 0, 0
        x = ti.field(ti.f32)
        mid = ti.root.pointer(ti.i, 4096).pointer(ti.i, 512)
        mid.dense(ti.i, 8).place(x)

        @ti.kernel
        def fill(n: ti.i32):
            for b in range(n):
                if scramble(b) & 1 == 0:
                    for k in range(8):
                        x[8 * b + k] = b & 15

        @ti.kernel
        def change(going: ti.i32, coming: ti.i32):
            ti.deactivate(mid, ti.rescale_index(x, mid, [8 * going]))
            x[8 * coming] = 1.0

        @ti.kernel
        def visit() -> ti.f64:
            total = ti.cast(0, ti.f64)
            for i in x:
                total += x[i]
            return total

        self.change, self.visit = change, visit
        fill(size)

    def moving(self, step):
        b = step * 7919 % self.size
        while scramble_host(b) & 1:
            b = (b + 1) % self.size
        return b

    def changed(self):
        self.total = 0
        for _ in range(self.STEPS):
            self.change(self.moving(self.step + 1), self.moving(self.step))
            self.total += self.visit()
            self.step += 1

    def unchanged(self):
        self.total = 0
        for _ in range(self.STEPS):
            self.total += self.visit()

    def result(self):
        return self.total


def scramble_host(h):
    h ^= h >> 16
    h = h * 0x85EBCA6B & 0xFFFFFFFF
    h ^= h >> 13
    h = h * 0xC2B2AE35 & 0xFFFFFFFF
    return h ^ h >> 16


@row
def listgen_changed(size):
    t = Layers(size)
    return nothing, t.changed, t.result


@row
def listgen_unchanged(size):
    t = Layers(size)
    return nothing, t.unchanged, t.result


# ---- gc_churn ----


class Churn:
    def __init__(self, size):
        self.size, self.step, self.total = size, 0, 0
        parts = param("PARTS", 2048)
        self.all = 1024 * parts
        last = self.all - 1
        x = ti.field(ti.f32)
        cell = ti.root.pointer(ti.i, parts).pointer(ti.i, 1024)
        cell.place(x)

        @ti.kernel
        def come(first: ti.i32, n: ti.i32):
            for q in range(n):
                x[(first + q) & last] = q & 255

        @ti.kernel
        def go() -> ti.f64:
            total = ti.cast(0, ti.f64)
            for i in x:
                total += x[i]
                ti.deactivate(cell, [i])
            return total

        self.come, self.go = come, go

    def run(self):
        self.total = 0
        for _ in range(5):
            self.come(self.step * 700001 % self.all, self.size)
            self.total += self.go()
            self.step += 1

    def result(self):
        return self.total


@row
def gc_churn(size):
    t = Churn(size)
    return nothing, t.run, t.result


@row
def activate(size):
    t = Churn(size)
    return t.go, lambda: t.come(0, size), t.go


# ---- deep_hierarchy ----


class Deep:
    def __init__(self, size):
        self.size = size
        x, y = ti.field(ti.f32), ti.field(ti.f32)
        s = ti.root
        for _ in range(5):
            s = s.pointer(ti.i, 8)
        s.dense(ti.i, 64).place(x, y)

        @ti.kernel
        def fill(n: ti.i32):
            for b in range(n // 64):
                if scramble(b) & 3 != 0:
                    for c in range(64):
                        i = 64 * b + c
                        x[i] = i & 255

        @ti.kernel
        def gather(n: ti.i32):
            for i in y:
                if i > 0 and i < n - 1:
                    y[i] += x[i - 1] + x[i + 1]

        @ti.kernel
        def sum_up() -> ti.f64:
            total = ti.cast(0, ti.f64)
            for i in y:
                total += ti.cast(y[i], ti.f64) + x[i]
            return total

        self.fill, self.gather, self.sum_up = fill, gather, sum_up

    def run(self):
        for _ in range(20):
            self.gather(self.size)


@row
def deep_touch(size):
    """A turn is the first of its process: what it takes is compiled on one leaf."""
    t = Deep(size)
    t.fill(64)
    t.sum_up()
    return nothing, lambda: t.fill(size), t.sum_up


@row
def deep_gather(size):
    t = Deep(size)
    t.fill(size)
    return nothing, t.run, t.sum_up


# ---- heat ----

@row
def heat(steps):
    n = param("N", 2048)
    x, y = ti.field(ti.f32, (n, n)), ti.field(ti.f32, (n, n))

    @ti.kernel
    def fill():
        for i, j in x:
            x[i, j] = (i * 5 + j * 3) & 15

    @ti.kernel
    def step():
        if ti.static(GPU):
            for i, j in ti.ndrange((1, n - 1), (1, n - 1)):
                y[i, j] = x[i, j] + 0.125 * (
                    x[i - 1, j] + x[i + 1, j] + x[i, j - 1] + x[i, j + 1] - 4 * x[i, j])
        else:
            for i in range(1, n - 1):
                for j in range(1, n - 1):
                    y[i, j] = x[i, j] + 0.125 * (
                        x[i - 1, j] + x[i + 1, j] + x[i, j - 1] + x[i, j + 1] - 4 * x[i, j])

    @ti.kernel
    def sum_up() -> ti.f64:
        total = ti.cast(0, ti.f64)
        for i, j in y:
            total += ti.cast(y[i, j], ti.f64) * ((i + 2 * j) & 7)
        return total

    def run():
        for _ in range(steps):
            step()

    fill()
    return nothing, run, sum_up


# ---- stencil7 ----


@row
def stencil7(n):
    x, y = ti.field(ti.f32), ti.field(ti.f32)
    leaf = ti.root.pointer(ti.ijk, 64)
    leaf.dense(ti.ijk, 8).place(x)
    leaf.dense(ti.ijk, 8).place(y)

    @ti.kernel
    def fill():
        for bi, bj, bk in ti.ndrange((1, n + 1), (1, n + 1), (1, n + 1)):
            for di, dj, dk in ti.ndrange(8, 8, 8):
                i, j, k = 8 * bi + di, 8 * bj + dj, 8 * bk + dk
                x[i, j, k] = (i * 5 + j * 3 + k) & 15

    @ti.kernel
    def step():
        for i, j, k in y:
            y[i, j, k] = x[i, j, k] + 0.125 * (
                x[i - 1, j, k] + x[i + 1, j, k] + x[i, j - 1, k] + x[i, j + 1, k] +
                x[i, j, k - 1] + x[i, j, k + 1] - 6 * x[i, j, k])

    @ti.kernel
    def sum_up() -> ti.f64:
        total = ti.cast(0, ti.f64)
        for i, j, k in y:
            total += ti.cast(y[i, j, k], ti.f64) * ((i + 2 * j + 3 * k) & 7)
        return total

    def run():
        for _ in range(10):
            step()

    fill()
    return nothing, run, sum_up


for name in ("scale_1e4", "scale_1e5", "scale_1e6", "scale_1e7", "scale_1e8", "scale_threads"):
    ROWS[name] = stencil7


# ---- multires ----


@row
def multires(radius):
    leaves = 64
    a, b, c = (ti.field(ti.f32) for _ in range(3))
    for at, n in ((a, leaves), (b, leaves // 2), (c, leaves // 4)):
        ti.root.pointer(ti.ijk, n).dense(ti.ijk, 8).place(at)

    @ti.kernel
    def fill():
        for bi, bj, bk in ti.ndrange(leaves, leaves, leaves):
            x, y, z = 2 * bi + 1 - leaves, 2 * bj + 1 - leaves, 2 * bk + 1 - leaves
            far = x * x + y * y + z * z
            if (2 * radius - 2) ** 2 <= far and far <= (2 * radius + 2) ** 2:
                for di, dj, dk in ti.ndrange(8, 8, 8):
                    i, j, k = 8 * bi + di, 8 * bj + dj, 8 * bk + dk
                    a[i, j, k] = (i * 5 + j * 3 + k) & 15
                b[4 * bi, 4 * bj, 4 * bk] = 0
                c[2 * bi, 2 * bj, 2 * bk] = 0

    @ti.func
    def average(x: ti.template(), i, j, k):
        return 0.125 * (((x[2 * i, 2 * j, 2 * k] + x[2 * i, 2 * j + 1, 2 * k]) +
                         (x[2 * i + 1, 2 * j, 2 * k] + x[2 * i + 1, 2 * j + 1, 2 * k])) +
                        ((x[2 * i, 2 * j, 2 * k + 1] + x[2 * i, 2 * j + 1, 2 * k + 1]) +
                         (x[2 * i + 1, 2 * j, 2 * k + 1] + x[2 * i + 1, 2 * j + 1, 2 * k + 1])))

    @ti.kernel
    def exchange():
        for i, j, k in b:
            b[i, j, k] = average(a, i, j, k)
        for i, j, k in c:
            c[i, j, k] = average(b, i, j, k)
        for i, j, k in b:
            b[i, j, k] = b[i, j, k] + 0.5 * (c[i // 2, j // 2, k // 2] - b[i, j, k])
        for i, j, k in a:
            a[i, j, k] = a[i, j, k] + 0.25 * (b[i // 2, j // 2, k // 2] - a[i, j, k])

    @ti.kernel
    def sum_up() -> ti.f64:
        total = ti.cast(0, ti.f64)
        for i, j, k in a:
            total += ti.cast(a[i, j, k], ti.f64) * ((i + 2 * j + 3 * k) & 7)
        return total

    def run():
        for _ in range(4):
            exchange()

    return fill, run, sum_up


# ---- conv27 ----

WEIGHTS = [[[1, 2, 1], [2, 5, 3], [1, 3, 2]],
           [[2, 6, 3], [7, -64, 8], [4, 9, 5]],
           [[1, 3, 2], [4, 7, 5], [2, 6, 3]]]


@row
def conv27(n):
    x, y = ti.field(ti.f32), ti.field(ti.f32)
    ti.root.pointer(ti.ijk, 32).dense(ti.ijk, 8).place(x, y)

    @ti.kernel
    def fill():
        for bi, bj, bk in ti.ndrange((1, n + 1), (1, n + 1), (1, n + 1)):
            if scramble((bi * 32 + bj) * 32 + bk) & 1 == 0:
                for di, dj, dk in ti.ndrange(8, 8, 8):
                    i, j, k = 8 * bi + di, 8 * bj + dj, 8 * bk + dk
                    x[i, j, k] = (i * 5 + j * 3 + k) & 15

    @ti.kernel
    def convolve():
        for i, j, k in y:
            total = 0.0
            for a, b, c in ti.static(ti.ndrange(3, 3, 3)):
                total += WEIGHTS[a][b][c] * x[i + a - 1, j + b - 1, k + c - 1]
            y[i, j, k] = total

    @ti.kernel
    def sum_up() -> ti.f64:
        total = ti.cast(0, ti.f64)
        for i, j, k in y:
            total += ti.cast(y[i, j, k], ti.f64) * ((i + 2 * j + 3 * k) & 7)
        return total

    def run():
        for _ in range(10):
            convolve()

    fill()
    return nothing, run, sum_up


# ---- mgpcg: a tree for each level, so that a loop does not come by the others' cells ----


class Multigrid:
    def __init__(self, n):
        levels = n.bit_length() - 3
        r, z = ([ti.field(ti.f32) for _ in range(levels)] for _ in range(2))
        x, p, ap = (ti.field(ti.f32) for _ in range(3))
        for l in range(levels):
            leaf = ti.root.pointer(ti.ijk, (n >> l) // 8)
            for f in (r[l], z[l]):
                leaf.dense(ti.ijk, 8).place(f)
        leaf = ti.root.pointer(ti.ijk, n // 8)
        for f in (x, p, ap):
            leaf.dense(ti.ijk, 8).place(f)

        @ti.func
        def beside(f: ti.template(), i, j, k):
            m = f.shape[0]
            total = 0.0
            if i > 0:
                total += f[i - 1, j, k]
            if i < m - 1:
                total += f[i + 1, j, k]
            if j > 0:
                total += f[i, j - 1, k]
            if j < m - 1:
                total += f[i, j + 1, k]
            if k > 0:
                total += f[i, j, k - 1]
            if k < m - 1:
                total += f[i, j, k + 1]
            return total

        @ti.kernel
        def fill(f: ti.template(), m: ti.i32):
            for i, j, k in ti.ndrange(m, m, m):
                f[i, j, k] = 0

        @ti.kernel
        def begin():
            for i, j, k in x:
                r[0][i, j, k] = (((i >> 2) * 5 + (j >> 3) * 3 + (k >> 2) * 7) & 15) - 8
                x[i, j, k] = 0
                p[i, j, k] = 0

        @ti.kernel
        def clear(f: ti.template()):
            for i, j, k in f:
                f[i, j, k] = 0

        @ti.kernel
        def smooth(z: ti.template(), r: ti.template(), colour: ti.i32):
            for i, j, k in z:
                if (i + j + k + colour) & 1 == 0:
                    z[i, j, k] = (r[i, j, k] + beside(z, i, j, k)) * (1.0 / 6)

        @ti.kernel
        def restrict(coarse: ti.template(), z: ti.template(), r: ti.template()):
            for i, j, k in r:
                coarse[i // 2, j // 2, k // 2] += 0.5 * (
                    r[i, j, k] - (6 * z[i, j, k] - beside(z, i, j, k)))

        @ti.kernel
        def correct(z: ti.template(), coarse: ti.template()):
            for i, j, k in z:
                z[i, j, k] += coarse[i // 2, j // 2, k // 2]

        @ti.kernel
        def r_z() -> ti.f64:
            total = ti.cast(0, ti.f64)
            for i, j, k in x:
                total += ti.cast(r[0][i, j, k] * z[0][i, j, k], ti.f64)
            return total

        @ti.kernel
        def turn(beta: ti.f32):
            for i, j, k in p:
                p[i, j, k] = z[0][i, j, k] + beta * p[i, j, k]

        @ti.kernel
        def multiply() -> ti.f64:
            total = ti.cast(0, ti.f64)
            for i, j, k in ap:
                ap[i, j, k] = 6 * p[i, j, k] - beside(p, i, j, k)
                total += ti.cast(p[i, j, k] * ap[i, j, k], ti.f64)
            return total

        @ti.kernel
        def step(alpha: ti.f32):
            for i, j, k in x:
                x[i, j, k] += alpha * p[i, j, k]
                r[0][i, j, k] -= alpha * ap[i, j, k]

        @ti.kernel
        def sum_up() -> ti.f64:
            total = ti.cast(0, ti.f64)
            for i, j, k in x:
                total += ti.cast(x[i, j, k], ti.f64) * ((i + 2 * j + 3 * k) & 7)
            return total

        def v_cycle():
            for l in range(levels - 1):
                clear(z[l])
                for sweep in range(4):
                    smooth(z[l], r[l], sweep & 1)
                clear(r[l + 1])
                restrict(r[l + 1], z[l], r[l])
            clear(z[-1])
            for sweep in range(60):
                smooth(z[-1], r[-1], sweep & 1)
            for l in reversed(range(levels - 1)):
                correct(z[l], z[l + 1])
                for sweep in range(4):
                    smooth(z[l], r[l], (sweep + 1) & 1)

        def run():
            v_cycle()
            before, self.rz = self.rz, r_z()
            turn(self.rz / before if before > 0 else 0)
            step(self.rz / multiply())

        self.steps, self.rz, self.begin, self.run, self.sum_up = 0, 0, begin, run, sum_up
        for f in (*r, *z, x, p, ap):
            fill(f, f.shape[0])

    def before(self):
        if self.steps % 8 == 0:
            self.rz = 0
            self.begin()
        self.steps += 1


@row
def mgpcg128(n):
    m = Multigrid(n)
    return m.before, m.run, m.sum_up


@row
def mgpcg256(n):
    return mgpcg128(n)


# ---- life ----


@row
def life(n):
    side = param("SIDE", 130)
    now, then = ti.field(ti.u8), ti.field(ti.u8)
    tile = ti.root.pointer(ti.ij, side)
    tile.dense(ti.ij, 16).place(now)
    tile.dense(ti.ij, 16).place(then)

    @ti.kernel
    def fill():
        for bi, bj in ti.ndrange((1, n + 1), (1, n + 1)):
            if scramble(bi * side + bj) & 3 != 0:
                for di, dj in ti.ndrange(16, 16):
                    i, j = 16 * bi + di, 16 * bj + dj
                    now[i, j] = ti.cast(scramble(i * (16 * side) + j) >> 5 & 1, ti.u8)

    @ti.kernel
    def step(a: ti.template(), b: ti.template()):
        for i, j in b:
            beside = (a[i - 1, j - 1] + a[i - 1, j] + a[i - 1, j + 1] + a[i, j - 1] +
                      a[i, j + 1] + a[i + 1, j - 1] + a[i + 1, j] + a[i + 1, j + 1])
            b[i, j] = ti.cast(beside == 3 or (beside == 2 and a[i, j] == 1), ti.u8)

    @ti.kernel
    def sum_up() -> ti.f64:
        total = ti.cast(0, ti.f64)
        for i, j in now:
            total += ti.cast(now[i, j], ti.f64) * ((i + 2 * j) & 7)
        return total

    def run():
        for _ in range(5):
            step(now, then)
            step(then, now)

    fill()
    return nothing, run, sum_up


# ---- wave ----


@row
def wave(n):
    now, before, speed, sponge = (ti.field(ti.f32) for _ in range(4))
    part = ti.root.pointer(ti.ijk, 34)
    part.dense(ti.ijk, 8).place(now)
    part.dense(ti.ijk, 8).place(before)
    part.dense(ti.ijk, 8).place(speed, sponge)

    @ti.kernel
    def fill():
        for bi, bj, bk in ti.ndrange((1, n + 1), (1, n + 1), (1, n + 1)):
            if scramble((bi * 34 + bj) * 34 + bk) & 7 != 0:
                for di, dj, dk in ti.ndrange(8, 8, 8):
                    i, j, k = 8 * bi + di, 8 * bj + dj, 8 * bk + dk
                    low = ti.min(i, j, k) - 8
                    high = 8 * n + 7 - ti.max(i, j, k)
                    depth = ti.max(12 - ti.min(low, high), 0)
                    now[i, j, k] = (i * 5 + j * 3 + k) & 15
                    before[i, j, k] = (i * 5 + j * 3 + k + 1) & 15
                    speed[i, j, k] = 0.16 if k & 16 != 0 else 0.09
                    sponge[i, j, k] = 0.001 * depth * depth

    @ti.kernel
    def step(a: ti.template(), b: ti.template()):
        for i, j, k in b:
            near = (a[i - 1, j, k] + a[i + 1, j, k] + a[i, j - 1, k] + a[i, j + 1, k] +
                    a[i, j, k - 1] + a[i, j, k + 1])
            far = (a[i - 2, j, k] + a[i + 2, j, k] + a[i, j - 2, k] + a[i, j + 2, k] +
                   a[i, j, k - 2] + a[i, j, k + 2])
            bend = 1.3333334 * near - 0.083333336 * far - 7.5 * a[i, j, k]
            s = sponge[i, j, k]
            b[i, j, k] = (2 * a[i, j, k] - (1 - s) * b[i, j, k] + speed[i, j, k] * bend) / (1 + s)

    @ti.kernel
    def sum_up() -> ti.f64:
        total = ti.cast(0, ti.f64)
        for i, j, k in now:
            total += ti.cast(now[i, j, k], ti.f64) * ((i + 2 * j + 3 * k) & 7)
        return total

    def run():
        for _ in range(5):
            step(now, before)
            step(before, now)

    fill()
    return nothing, run, sum_up


# ---- band ----


@ti.func
def slope(s, behind, ahead):
    a, b = ti.max(behind, 0.0), ti.min(ahead, 0.0)
    c, d = ti.min(behind, 0.0), ti.max(ahead, 0.0)
    return ti.max(a * a, b * b) if s > 0 else ti.max(c * c, d * d)


@row
def band(n):
    phi, then, first = ti.field(ti.f32), ti.field(ti.f32), ti.field(ti.f32)
    cell = ti.root.pointer(ti.ijk, 66).bitmasked(ti.ijk, 8)
    cell.place(phi, then, first)

    @ti.kernel
    def fill():
        for bi, bj, bk in ti.ndrange((1, n + 1), (1, n + 1), (1, n + 1)):
            for di, dj, dk in ti.ndrange(8, 8, 8):
                i, j, k = 8 * bi + di, 8 * bj + dj, 8 * bk + dk
                x, y, z = i - (4 * n + 8), j - (4 * n + 8), k - (4 * n + 8)
                r = ti.sqrt(ti.cast(x * x + y * y + z * z, ti.f32)) - 3 * n
                if ti.abs(r) <= 3:
                    phi[i, j, k] = r * (1.5 + 0.03125 * ((i * 5 + j * 3 + k) & 15))
                    first[i, j, k] = phi[i, j, k]

    @ti.kernel
    def step(a: ti.template(), b: ti.template()):
        for i, j, k in cell:
            c = a[i, j, k]
            s = first[i, j, k] / ti.sqrt(first[i, j, k] * first[i, j, k] + 1)
            west = c - a[i - 1, j, k] if ti.is_active(cell, [i - 1, j, k]) else 0.0
            east = a[i + 1, j, k] - c if ti.is_active(cell, [i + 1, j, k]) else 0.0
            south = c - a[i, j - 1, k] if ti.is_active(cell, [i, j - 1, k]) else 0.0
            north = a[i, j + 1, k] - c if ti.is_active(cell, [i, j + 1, k]) else 0.0
            below = c - a[i, j, k - 1] if ti.is_active(cell, [i, j, k - 1]) else 0.0
            above = a[i, j, k + 1] - c if ti.is_active(cell, [i, j, k + 1]) else 0.0
            steep = ti.sqrt(slope(s, west, east) + slope(s, south, north) +
                            slope(s, below, above))
            b[i, j, k] = c - 0.3 * s * (steep - 1)

    @ti.kernel
    def sum_up() -> ti.f64:
        total = ti.cast(0, ti.f64)
        for i, j, k in phi:
            total += ti.cast(phi[i, j, k], ti.f64) * ((i + 2 * j + 3 * k) & 7)
        return total

    def run():
        for _ in range(5):
            step(phi, then)
            step(then, phi)

    fill()
    return nothing, run, sum_up


# ---- lbm ----

TO = [[0, 0, 0], [1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1],
      [1, 1, 0], [-1, -1, 0], [1, -1, 0], [-1, 1, 0], [1, 0, 1], [-1, 0, -1],
      [1, 0, -1], [-1, 0, 1], [0, 1, 1], [0, -1, -1], [0, 1, -1], [0, -1, 1]]
OPPOSITE = [0, 2, 1, 4, 3, 6, 5, 8, 7, 10, 9, 12, 11, 14, 13, 16, 15, 18, 17]
WEIGHT = [1 / 3] + [1 / 18] * 6 + [1 / 36] * 12


@row
def lbm(n):
    omega = 1.2
    f, g, fluid = ti.field(ti.f32), ti.field(ti.f32), ti.field(ti.u8)
    part = ti.root.pointer(ti.ijk, 26)
    part.dense(ti.l, 19).dense(ti.ijk, 8).place(f)
    part.dense(ti.l, 19).dense(ti.ijk, 8).place(g)
    part.dense(ti.ijk, 8).place(fluid)

    @ti.kernel
    def fill():
        for bi, bj, bk in ti.ndrange((1, n + 1), (1, n + 1), (1, n + 1)):
            h = scramble((bi * 26 + bj) * 26 + bk)
            if h & 3 != 0:
                ci, cj, ck = h >> 2 & 7, h >> 5 & 7, h >> 8 & 7
                for di, dj, dk in ti.ndrange(8, 8, 8):
                    i, j, k = 8 * bi + di, 8 * bj + dj, 8 * bk + dk
                    x, y, z = di - ti.cast(ci, ti.i32), dj - ti.cast(cj, ti.i32), dk - ti.cast(ck, ti.i32)
                    fluid[i, j, k] = 1 if x * x + y * y + z * z > 9 else 0
                    rho = 1 + 0.001 * ((i * 5 + j * 3 + k) & 15)
                    for q in ti.static(range(19)):
                        f[i, j, k, q] = ti.cast(WEIGHT[q], ti.f32) * rho

    @ti.kernel
    def step(a: ti.template(), b: ti.template()):
        for i, j, k in fluid:
            if fluid[i, j, k] != 0:
                come = ti.Vector([0.0] * 19)
                rho = 0.0
                flow = ti.Vector([0.0, 0.0, 0.0])
                for q in ti.static(range(19)):
                    x, y, z = i - TO[q][0], j - TO[q][1], k - TO[q][2]
                    come[q] = a[x, y, z, q] if fluid[x, y, z] != 0 else a[i, j, k, OPPOSITE[q]]
                    rho += come[q]
                    flow += come[q] * ti.Vector(TO[q])
                u = flow / rho
                level = 1 - 1.5 * u.dot(u)
                for q in ti.static(range(19)):
                    along = ti.Vector(TO[q]).dot(u)
                    rest = ti.cast(WEIGHT[q], ti.f32) * rho * (level + 3 * along + 4.5 * along * along)
                    b[i, j, k, q] = come[q] + omega * (rest - come[q])

    @ti.kernel
    def sum_up() -> ti.f64:
        total = ti.cast(0, ti.f64)
        for i, j, k in fluid:
            if fluid[i, j, k] != 0:
                for q in ti.static(range(19)):
                    total += ti.cast(f[i, j, k, q], ti.f64) * ((i + 2 * j + 3 * k + q) & 7)
        return total

    def run():
        for _ in range(3):
            step(f, g)
            step(g, f)

    fill()
    return nothing, run, sum_up


# ---- mpm2d: the particles in dense fields, which is faster than a dynamic node ----


@row
def mpm2d(n):
    size, dt = 256, 1e-4
    dx = 1 / size
    x, v = ti.Vector.field(2, ti.f32, n), ti.Vector.field(2, ti.f32, n)
    C, J = ti.Matrix.field(2, 2, ti.f32, n), ti.field(ti.f32, n)
    grid_v, grid_m = ti.Vector.field(2, ti.f32), ti.field(ti.f32)
    tile = ti.root.pointer(ti.ij, size // 16)
    tile.dense(ti.ij, 16).place(grid_v, grid_m)

    @ti.kernel
    def begin():
        for p in x:
            q = scramble(p)
            x[p] = [0.25 + 0.4 / 65536 * (q & ti.u32(0xFFFF)), 0.25 + 0.4 / 65536 * (q >> 16)]
            v[p] = [0, -3]
            C[p] = ti.Matrix.zero(ti.f32, 2, 2)
            J[p] = 1

    @ti.kernel
    def p2g():
        for p in x:
            base = (x[p] / dx - 0.5).cast(int)
            fx = x[p] / dx - base
            w = [0.5 * (1.5 - fx) ** 2, 0.75 - (fx - 1) ** 2, 0.5 * (fx - 0.5) ** 2]
            stress = -dt * 4.0e2 * (J[p] - 1) * 4 / dx ** 2
            A = ti.Matrix([[stress, 0], [0, stress]]) + C[p]
            for i, j in ti.static(ti.ndrange(3, 3)):
                o = ti.Vector([i, j])
                weight = w[i].x * w[j].y
                grid_v[base + o] += weight * (v[p] + A @ ((o - fx) * dx))
                grid_m[base + o] += weight

    @ti.kernel
    def move():
        for i, j in grid_m:
            if grid_m[i, j] > 0:
                u = grid_v[i, j] / grid_m[i, j]
                u.y -= dt * 9.8
                if (i < 3 and u.x < 0) or (i > size - 3 and u.x > 0):
                    u.x = 0
                if (j < 3 and u.y < 0) or (j > size - 3 and u.y > 0):
                    u.y = 0
                grid_v[i, j] = u

    @ti.kernel
    def g2p():
        for p in x:
            base = (x[p] / dx - 0.5).cast(int)
            fx = x[p] / dx - base
            w = [0.5 * (1.5 - fx) ** 2, 0.75 - (fx - 1) ** 2, 0.5 * (fx - 0.5) ** 2]
            u, B = ti.Vector.zero(ti.f32, 2), ti.Matrix.zero(ti.f32, 2, 2)
            for i, j in ti.static(ti.ndrange(3, 3)):
                o = ti.Vector([i, j])
                g = w[i].x * w[j].y * grid_v[base + o]
                u += g
                B += g.outer_product(o - fx) * 4 / dx
            v[p], C[p] = u, B
            J[p] *= 1 + dt * B.trace()
            x[p] += dt * u

    @ti.kernel
    def sum_up() -> ti.f64:
        total = ti.cast(0, ti.f64)
        for p in x:
            total += ti.cast(x[p].x, ti.f64) * (p & 3) + ti.cast(x[p].y, ti.f64) * (p & 1) + J[p]
        return total

    def run():
        for _ in range(5):
            tile.deactivate_all()
            p2g()
            move()
            g2p()

    return begin, run, sum_up


# ---- mpmgrad: the state of each step in dense fields, and dense nodes: under a pointer node Taichi
# 1.7.4 ends with a segmentation fault where it differentiates ----


@row
def mpmgrad(n):
    size, steps, dt = 256, 5, 1e-4
    dx = 1 / size
    x = ti.Vector.field(2, ti.f32, (steps + 1, n), needs_grad=True)
    v = ti.Vector.field(2, ti.f32, (steps + 1, n), needs_grad=True)
    C = ti.Matrix.field(2, 2, ti.f32, (steps + 1, n), needs_grad=True)
    J = ti.field(ti.f32, (steps + 1, n), needs_grad=True)
    momentum = ti.Vector.field(2, ti.f32, (steps, size, size), needs_grad=True)
    mass = ti.field(ti.f32, (steps, size, size), needs_grad=True)
    velocity = ti.Vector.field(2, ti.f32, (steps, size, size), needs_grad=True)

    @ti.kernel
    def begin():
        for p in range(n):
            q = scramble(p)
            x[0, p] = [0.25 + 0.4 / 65536 * (q & ti.u32(0xFFFF)), 0.25 + 0.4 / 65536 * (q >> 16)]
            v[0, p] = [0, -3]
            C[0, p] = ti.Matrix.zero(ti.f32, 2, 2)
            J[0, p] = 1

    @ti.kernel
    def p2g(s: ti.i32):
        for p in range(n):
            base = (x[s, p] / dx - 0.5).cast(int)
            fx = x[s, p] / dx - base
            w = [0.5 * (1.5 - fx) ** 2, 0.75 - (fx - 1) ** 2, 0.5 * (fx - 0.5) ** 2]
            stress = -dt * 4.0e2 * (J[s, p] - 1) * 4 / dx ** 2
            A = ti.Matrix([[stress, 0], [0, stress]]) + C[s, p]
            for i, j in ti.static(ti.ndrange(3, 3)):
                o = ti.Vector([i, j])
                weight = w[i].x * w[j].y
                momentum[s, base.x + i, base.y + j] += weight * (v[s, p] + A @ ((o - fx) * dx))
                mass[s, base.x + i, base.y + j] += weight

    @ti.kernel
    def move(s: ti.i32):
        for i, j in ti.ndrange(size, size):
            if mass[s, i, j] > 0:
                u = momentum[s, i, j] / mass[s, i, j]
                u.y -= dt * 9.8
                if (i < 3 and u.x < 0) or (i > size - 3 and u.x > 0):
                    u.x = 0
                if (j < 3 and u.y < 0) or (j > size - 3 and u.y > 0):
                    u.y = 0
                velocity[s, i, j] = u

    @ti.kernel
    def g2p(s: ti.i32):
        for p in range(n):
            base = (x[s, p] / dx - 0.5).cast(int)
            fx = x[s, p] / dx - base
            w = [0.5 * (1.5 - fx) ** 2, 0.75 - (fx - 1) ** 2, 0.5 * (fx - 0.5) ** 2]
            u, B = ti.Vector.zero(ti.f32, 2), ti.Matrix.zero(ti.f32, 2, 2)
            for i, j in ti.static(ti.ndrange(3, 3)):
                o = ti.Vector([i, j])
                g = w[i].x * w[j].y * velocity[s, base.x + i, base.y + j]
                u += g
                B += g.outer_product(o - fx) * 4 / dx
            v[s + 1, p], C[s + 1, p] = u, B
            J[s + 1, p] = J[s, p] * (1 + dt * B.trace())
            x[s + 1, p] = x[s, p] + dt * u

    @ti.kernel
    def seed():
        for p in range(n):
            x.grad[steps, p] = [p & 3, p & 1]
            J.grad[steps, p] = 1

    @ti.kernel
    def sum_up() -> ti.f64:
        total = ti.cast(0, ti.f64)
        for p in range(n):
            b, c = x.grad[0, p], v.grad[0, p]
            total += ti.cast(b.x, ti.f64) * (p & 3) + ti.cast(b.y, ti.f64) * (p & 1)
            total += 1e-4 * (c.x * (p & 3) + c.y) + 1e-2 * J.grad[0, p] + C.grad[0, p].trace()
        return total

    def forward():
        begin()
        momentum.fill(0)
        mass.fill(0)
        for s in range(steps):
            p2g(s)
            move(s)
            g2p(s)

    def run():
        for field in (x, v, C, J, momentum, mass, velocity):
            field.grad.fill(0)
        seed()
        for s in reversed(range(steps)):
            g2p.grad(s)
            move.grad(s)
            p2g.grad(s)

    return forward, run, sum_up


# ---- mpm3d: without lists, the particles in dense fields ----


@row
def mpm3d(n):
    size, dt = 64, 1e-4
    dx = 1 / size
    x, v = ti.Vector.field(3, ti.f32, n), ti.Vector.field(3, ti.f32, n)
    C, J = ti.Matrix.field(3, 3, ti.f32, n), ti.field(ti.f32, n)
    grid_v, grid_m = ti.Vector.field(3, ti.f32), ti.field(ti.f32)
    tile = ti.root.pointer(ti.ijk, size // 4)
    tile.dense(ti.ijk, 4).place(grid_v, grid_m)

    @ti.kernel
    def begin():
        for p in x:
            q = scramble(p)
            for d in ti.static(range(3)):
                x[p][d] = 0.25 + 0.45 / 1024 * (q >> (10 * d) & ti.u32(1023))
            v[p] = [0, -3, 0]
            C[p] = ti.Matrix.zero(ti.f32, 3, 3)
            J[p] = 1

    @ti.kernel
    def p2g():
        for p in x:
            base = (x[p] / dx - 0.5).cast(int)
            fx = x[p] / dx - base
            w = [0.5 * (1.5 - fx) ** 2, 0.75 - (fx - 1) ** 2, 0.5 * (fx - 0.5) ** 2]
            stress = -dt * 4.0e2 * (J[p] - 1) * 4 / dx ** 2
            A = stress * ti.Matrix.identity(ti.f32, 3) + C[p]
            for i, j, k in ti.static(ti.ndrange(3, 3, 3)):
                o = ti.Vector([i, j, k])
                weight = w[i].x * w[j].y * w[k].z
                grid_v[base + o] += weight * (v[p] + A @ ((o - fx) * dx))
                grid_m[base + o] += weight

    @ti.kernel
    def move():
        for I in ti.grouped(grid_m):
            if grid_m[I] > 0:
                u = grid_v[I] / grid_m[I]
                u.y -= dt * 9.8
                for d in ti.static(range(3)):
                    if (I[d] < 3 and u[d] < 0) or (I[d] > size - 3 and u[d] > 0):
                        u[d] = 0
                grid_v[I] = u

    @ti.kernel
    def g2p():
        for p in x:
            base = (x[p] / dx - 0.5).cast(int)
            fx = x[p] / dx - base
            w = [0.5 * (1.5 - fx) ** 2, 0.75 - (fx - 1) ** 2, 0.5 * (fx - 0.5) ** 2]
            u, B = ti.Vector.zero(ti.f32, 3), ti.Matrix.zero(ti.f32, 3, 3)
            for i, j, k in ti.static(ti.ndrange(3, 3, 3)):
                o = ti.Vector([i, j, k])
                g = w[i].x * w[j].y * w[k].z * grid_v[base + o]
                u += g
                B += g.outer_product(o - fx) * 4 / dx
            v[p], C[p] = u, B
            J[p] *= 1 + dt * B.trace()
            x[p] += dt * u

    @ti.kernel
    def sum_up() -> ti.f64:
        total = ti.cast(0, ti.f64)
        for p in x:
            total += ti.cast(x[p].x, ti.f64) * (p & 3) + ti.cast(x[p].y, ti.f64) * (p & 1) + x[p].z + J[p]
        return total

    def run():
        for _ in range(3):
            tile.deactivate_all()
            p2g()
            move()
            g2p()

    return begin, run, sum_up


# ---- append; chunks of the sizes that were fastest here ----


@row
def append_one(n):
    x = ti.field(ti.i32)
    part = ti.root.dynamic(ti.i, 1 << 24, chunk_size=1 << 22)
    part.place(x)

    @ti.kernel
    def run(n: ti.i32):
        for q in range(n):
            ti.append(part, [], q)

    @ti.kernel
    def sum_up() -> ti.f64:
        total = ti.cast(0, ti.f64)
        for i in x:
            total += x[i]
        return total

    return part.deactivate_all, lambda: run(n), sum_up


class Many:
    def __init__(self):
        y = ti.field(ti.i32)
        part = ti.root.dense(ti.i, 100000).dynamic(ti.j, 1024, chunk_size=128)
        part.place(y)

        @ti.kernel
        def to_many(n: ti.i32):
            for q in range(n):
                ti.append(part, [q % 100000], q)

        @ti.kernel
        def to_scattered(n: ti.i32):
            for q in range(n):
                at = ti.cast(scramble(q) % ti.u32(100000), ti.i32)
                ti.append(part, [at], q)

        @ti.kernel
        def sum_up() -> ti.f64:
            total = ti.cast(0, ti.f64)
            for i, j in y:
                total += y[i, j]
            return total

        self.part, self.to_many, self.to_scattered, self.sum_up = part, to_many, to_scattered, sum_up


@row
def append_many(n):
    t = Many()
    return t.part.deactivate_all, lambda: t.to_many(n), t.sum_up


@row
def append_scattered(n):
    t = Many()
    return t.part.deactivate_all, lambda: t.to_scattered(n), t.sum_up


# ---- call: what launches cost ----


class Calls:
    def __init__(self, leaves=1):
        calls, x = ti.field(ti.i32, ()), ti.field(ti.f32)
        r, z = ti.field(ti.f32, (8, 8, 8)), ti.field(ti.f32, (8, 8, 8))
        ti.root.pointer(ti.i, 128).dense(ti.i, 64).place(x)

        @ti.kernel
        def fill(cells: ti.i32):
            for i in range(cells):
                x[i] = i & 7
            for i, j, k in z:
                r[i, j, k] = ((i * 5 + j * 3 + k * 7) & 15) - 8

        @ti.kernel
        def no():
            pass

        @ti.kernel
        def count():
            calls[None] += 1

        @ti.kernel
        def add():
            for i in x:
                x[i] += 1

        @ti.func
        def inside(i, j, k):
            value = 0.0
            if 0 <= i < 8 and 0 <= j < 8 and 0 <= k < 8:
                value = z[i, j, k]
            return value

        @ti.kernel
        def relax(colour: ti.i32):
            for i, j, k in z:
                if (i + j + k + colour) & 1 == 0:
                    z[i, j, k] = (r[i, j, k] + inside(i - 1, j, k) + inside(i + 1, j, k) +
                                  inside(i, j - 1, k) + inside(i, j + 1, k) +
                                  inside(i, j, k - 1) + inside(i, j, k + 1)) * (1.0 / 6)

        @ti.kernel
        def sum_line() -> ti.f64:
            total = ti.cast(calls[None], ti.f64)
            for i in x:
                total += ti.cast(x[i], ti.f64) * (i & 7)
            return total

        @ti.kernel
        def sum_coarsest() -> ti.f64:
            total = ti.cast(0, ti.i64)
            for i, j, k in z:
                total += ti.cast(z[i, j, k] * 65536, ti.i64) * ((i + 2 * j + 3 * k) & 7)
            return ti.cast(total, ti.f64)

        fill(leaves * 64)
        self.no, self.count, self.add, self.relax = no, count, add, relax
        self.sum_line, self.sum_coarsest = sum_line, sum_coarsest


def times(n, kernel):
    def run():
        for _ in range(n):
            kernel()

    return run


@row
def call_nothing(n):
    c = Calls()
    return nothing, times(n, c.no), c.sum_line


@row
def call_serial(n):
    c = Calls()
    return nothing, times(n, c.count), c.sum_line


def call_leaves(n, leaves):
    c = Calls(leaves)
    return nothing, times(n, c.add), c.sum_line


@row
def call_1(n):
    return call_leaves(n, 1)


@row
def call_10(n):
    return call_leaves(n, 10)


@row
def call_100(n):
    return call_leaves(n, 100)


@row
def call_sweeps(n):
    c = Calls()

    def sweeps():
        for s in range(60):
            c.relax(s & 1)

    return nothing, times(n, sweeps), c.sum_coarsest


# ---- the lines ----


def resident_kib():
    with open("/proc/self/statm") as f:
        return int(f.read().split()[1]) * os.sysconf("SC_PAGESIZE") // 1024


def one_round(before, run, after, repeats):
    seconds = 0
    for _ in range(repeats):
        before()
        ti.sync()
        start = CLOCK()
        result = run()
        ti.sync()
        seconds += CLOCK() - start
    if after is not None:
        result = after()
    print(f"{seconds:.9f} {result:.17g} {resident_kib()}", flush=True)


def main():
    ti.init(arch=getattr(ti, ARCH), cpu_max_num_threads=THREADS, offline_cache=True, default_fp=ti.f32,
            device_memory_GB=16 if GPU else 1,
            offline_cache_file_path=os.environ.get("TAICHI_CACHE") or ti.lang.impl.default_cfg().offline_cache_file_path,
            log_level=ti.ERROR)
    before, run, after = ROWS[sys.argv[1]](int(sys.argv[2]))
    ti.sync()
    print("ready", flush=True)
    for _ in sys.stdin:
        one_round(before, run, after, int(sys.argv[3]))


if __name__ == "__main__":
    main()
