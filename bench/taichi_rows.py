"""The rows of bench/ in Taichi, tuned as its manual says, speaking contender.h's lines:

    taichi_rows.py ROW SIZE REPEATS

Kernels are compiled in the first round, which is a warm-up; what is timed ends with ti.sync().
Loops that sweep over a block have a serial inner loop, which is up to seven times as
fast here as ti.ndrange over all axes.  Threads: as many as OpenMP takes (OMP_NUM_THREADS).
"""
import os
import sys
import time

import taichi as ti

THREADS = int(os.environ.get("OMP_NUM_THREADS") or len(os.sched_getaffinity(0)))
CLOCK = time.process_time if os.environ.get("BENCH_CLOCK") == "cpu" else time.perf_counter
ROWS = {}


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
        self.x = ti.field(ti.f32)
        self.leaf = ti.root.pointer(ti.ijk, 32)
        self.leaf.dense(ti.ijk, 8).place(self.x)
        x = self.x

        @ti.kernel
        def sweep(n: ti.i32):
            for i, j in ti.ndrange(n, n):
                for k in range(n):
                    x[i, j, k] = i + 2 * j + 3 * k

        @ti.kernel
        def scatter(n: ti.i32):
            for q in range(n):
                at = ti.cast(scramble(q) & ti.u32(0xFFFFFF), ti.i32)
                i = at >> 16
                j = (at >> 8) & 255
                k = at & 255
                x[i, j, k] = i + 2 * j + 3 * k

        @ti.kernel
        def far(n: ti.i32) -> ti.f64:
            total = ti.cast(0, ti.f64)
            for q in range(n):
                at = ti.cast(scramble(q) & ti.u32(0xFFFFFF), ti.i32)
                total += x[at >> 16, (at >> 8) & 255, at & 255]
            return total

        @ti.kernel
        def near(n: ti.i32) -> ti.f64:
            total = ti.cast(0, ti.f64)
            for q in range(n):
                h = ti.cast(scramble(q) & ti.u32(63), ti.i32)
                i = ((q >> 16) + (h & 1) - ((h >> 1) & 1)) & 255
                j = ((q >> 8) + ((h >> 2) & 1) - ((h >> 3) & 1)) & 255
                k = (q + ((h >> 4) & 1) - ((h >> 5) & 1)) & 255
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
    g.sweep(256)
    return nothing, lambda: g.far(n), None


@row
def read_near(n):
    g = Grid()
    g.sweep(256)
    return nothing, lambda: g.near(n), None


# ---- saxpy ----


@row
def saxpy(steps):
    x, y = ti.field(ti.f32), ti.field(ti.f32)
    ti.root.pointer(ti.ijk, 32).dense(ti.ijk, 8).place(x, y)

    @ti.kernel
    def fill():
        for bi, bj, bk in ti.ndrange(32, 32, 32):
            if scramble((bi * 32 + bj) * 32 + bk) & 1 == 0:
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
        x = ti.field(ti.f32)
        cell = ti.root.pointer(ti.i, 2048).pointer(ti.i, 1024)
        cell.place(x)

        @ti.kernel
        def come(first: ti.i32, n: ti.i32):
            for q in range(n):
                x[(first + q) & 2097151] = q & 255

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
            self.come(self.step * 700001 % 2097152, self.size)
            self.total += self.go()
            self.step += 1

    def result(self):
        return self.total


@row
def gc_churn(size):
    t = Churn(size)
    return nothing, t.run, t.result


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
    n = 2048
    x, y = ti.field(ti.f32, (n, n)), ti.field(ti.f32, (n, n))

    @ti.kernel
    def fill():
        for i, j in x:
            x[i, j] = (i * 5 + j * 3) & 15

    @ti.kernel
    def step():
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
    leaf = ti.root.pointer(ti.ijk, 34)
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
    ti.init(arch=ti.cpu, cpu_max_num_threads=THREADS, offline_cache=True, default_fp=ti.f32,
            offline_cache_file_path=os.environ.get("TAICHI_CACHE") or ti.lang.impl.default_cfg().offline_cache_file_path,
            log_level=ti.ERROR)
    before, run, after = ROWS[sys.argv[1]](int(sys.argv[2]))
    ti.sync()
    print("ready", flush=True)
    for _ in sys.stdin:
        one_round(before, run, after, int(sys.argv[3]))


if __name__ == "__main__":
    main()
