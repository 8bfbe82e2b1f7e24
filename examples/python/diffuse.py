"""Heat on a sparse plane, stepped by the kernels of diffusion.sn and, on a whole array, by NumPy.

    diffuse.py [steps]
"""
import sys

import numpy as np

import diffusion


def steps_of_numpy(u, rate, steps):
    for _ in range(steps):
        flow = rate * u
        u = u - 4 * flow
        u[:-1] += flow[1:]
        u[1:] += flow[:-1]
        u[:, :-1] += flow[:, 1:]
        u[:, 1:] += flow[:, :-1]
    return u


def main(steps):
    edge, rate = diffusion.EDGE, 0.125
    with diffusion.Context() as context, diffusion.plane(context) as plane:
        # a hot square: writing a box of the field makes its tiles exist
        hot = 100 * np.random.default_rng(1).random((20, 20))
        plane.u[246:266, 246:266] = hot
        for _ in range(steps):
            diffusion.step(plane, rate=rate)
        heat, reach = diffusion.spread(plane, (256, 256))

        whole = np.zeros((edge, edge))
        whole[246:266, 246:266] = hot
        whole = steps_of_numpy(whole, rate, steps)
        # the field into memory that is there already; what is inactive reads as 0
        sparse = plane.u.read(out=np.empty((edge, edge)))
        off = abs(sparse - whole).max()
        print("%d steps: heat %.3f of %.3f, %.1f cells far, in %d of %d tiles; off NumPy's by %.0e" %
              (steps, heat, hot.sum(), reach, plane.tile.count(), plane.tile.capacity(), off))
        # a picture: how warm the middle is, every 8th row and 4th column
        marks = " .:-=+*#%@"
        for row in sparse[176:340:8, 176:340:4]:
            print("".join(marks[min(int(4 * np.log10(1 + 10 * v)), 9)] for v in row).rstrip())
        return off < 1e-12 and np.isclose(heat, hot.sum())


if __name__ == "__main__":
    try:
        sys.exit(0 if main(int(sys.argv[1]) if len(sys.argv) > 1 else 200) else 1)
    except diffusion.Error as error:
        sys.exit("diffuse.py: %s" % error)
