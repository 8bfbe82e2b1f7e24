# SPDX-License-Identifier: BSD-3-Clause
# The recipe of snode for Spack 1.0 or later: in a repository of one's own (spack repo create,
# spack repo add), as packages/snode/package.py.  There is no address to fetch a release from:
#
#   spack dev-build snode@0.1.0        in the folder of the release's sources
from spack_repo.builtin.build_systems.autotools import AutotoolsPackage

from spack.package import *


class Snode(AutotoolsPackage):
    """Sparse trees and kernels over them, for C: the compiler snodegen, which writes
    C with OpenMP offload, and the library libsnode under what it writes."""

    license("BSD-3-Clause")

    version("0.1.0")

    variant("shared", default=True, description="Build shared libraries")
    variant("zlib", default=True, description="libsnode_io compresses")
    variant("png", default=True, description="libsnode_io writes pictures")
    variant("hdf5", default=False, description="Build libsnode_io_hdf5")
    variant("openvdb", default=False, description="Build libsnode_io_vdb")

    depends_on("c", type="build")
    depends_on("cxx", type="build", when="+openvdb")

    depends_on("gmake", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("zlib-api", when="+zlib")
    depends_on("libpng", when="+png")
    depends_on("hdf5@1.10: ~mpi", when="+hdf5")
    depends_on("openvdb@9:", when="+openvdb")
    depends_on("python@3:", type="test")
    depends_on("py-numpy", type="test")

    def configure_args(self):
        args = [
            # what is looked for by running compilers of the machine stays out of a package
            "--with-offload=no",
            "--disable-examples",
            # headers alone, which Spack has inside of OpenVDB, and not by default
            "--without-nanovdb",
        ]
        args += self.enable_or_disable("shared")
        args += self.with_or_without("zlib")
        args += self.with_or_without("png")
        if self.spec.satisfies("+hdf5"):
            args.append(f"--with-hdf5={self.spec['hdf5'].prefix}")
        else:
            args.append("--without-hdf5")
        args += self.with_or_without("openvdb")
        return args

    def setup_dependent_build_environment(self, env, dependent_spec):
        env.set("SNODEGEN", self.prefix.bin.snodegen)
