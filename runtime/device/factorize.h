/* SPDX-License-Identifier: BSD-3-Clause */
/* Factorizations of small matrices: svd, polar, sym_eig, in 2 and 3 dimensions.
 *
 *   snd_svd_N_T(a, u, s, v)     a = u diag(s) v^T, u and v rotations; |s| descends, and only
 *                               the last may be negative, as det a is then
 *   snd_polar_N_T(a, r, s)      a = r s, s symmetric, its eigenvalues not negative; r a rotation,
 *                               or a reflection where det a < 0
 *   snd_sym_eig_N_T(a, w, q)    (a + a^T) / 2 = q diag(w) q^T, q a rotation, w ascending
 *
 * N: 2, 3; T: f32, f64; matrices are row-major arrays of N * N, vectors of N.  Results
 * overlap neither each other nor a.  snd_svd_parts_N_T(a) and its like give all results
 * of one end to end, by value: snd_factors_N_T.  Any finite matrix is taken, 0 and those of lower
 * rank too; of one that is not finite nothing is promised but an end.
 *
 * Algorithms: svd turns columns from one side until they are orthogonal, which gets small
 * singular values right as well (Hestenes 1958; Demmel and Veselic, "Jacobi's method is
 * more accurate than QR", 1992), and takes for the last vector what completes a rotation.
 * sym_eig turns rows and columns in cyclic order (Jacobi 1846; Rutishauser, "The Jacobi
 * method for real symmetric matrices", 1966).  polar comes from svd (Higham, "Computing
 * the polar decomposition", 1986).  A matrix is first multiplied by a power of two, so
 * that nothing overflows and no square that matters vanishes.
 */
#ifndef SNODE_DEVICE_FACTORIZE_H
#define SNODE_DEVICE_FACTORIZE_H

#include <snode/device/arith.h>

#include <math.h>

/* Four times, for each type and dimension:
 * SND_T SND_C           the type's suffix, and in C
 * SND_U                 the word of its bits, SND_UC in C; SND_MANTISSA of them behind the point
 * SND_BIAS              of its exponent
 * SND_SQRT
 * SND_SMALL             a square that counts as none */
#define SND_T f32
#define SND_C float
#define SND_U u32
#define SND_UC uint32_t
#define SND_MANTISSA 23
#define SND_BIAS 127
#define SND_SQRT sqrtf
#define SND_SMALL 0x1p-100f
#include <snode/device/factorize_type.h>

#define SND_T f64
#define SND_C double
#define SND_U u64
#define SND_UC uint64_t
#define SND_MANTISSA 52
#define SND_BIAS 1023
#define SND_SQRT sqrt
#define SND_SMALL 0x1p-900
#include <snode/device/factorize_type.h>

#endif
