# SN_SUMMARY: the last lines of configure: what is on, what is off and why.
AC_DEFUN([SN_SUMMARY], [
AS_IF([test "x$PROVE" = xno], [sn_why_prove="no (perl's prove not found; make check needs none)"],
  [sn_why_prove=$PROVE])
AS_IF([test "x$SPIN" = xno], [sn_why_spin="no (Debian: spin)"], [sn_why_spin=$SPIN])
sn_why_pic=
AS_IF([test "x$enable_shared" = xno && test "x$with_pic" != xyes],
  [sn_why_pic=" (no libraries by snodegen --cc, which Python needs: --with-pic)"])
cat <<SN_END

snode $PACKAGE_VERSION
  snodegen, libsnode   $CC, into $prefix
    shared, static     $enable_shared, $enable_static$sn_why_pic
    debug checks       ${enable_debug:-no}
    libsnode_io packs  $sn_why_zlib
      and pictures     $sn_why_png
    libsnode_io_hdf5   $sn_why_hdf5
    libsnode_io_vdb    $sn_why_vdb
    libsnode_io_nvdb   $sn_why_nvdb
    sanitizer          ${enable_sanitizer:-no}
  generated files in tests and examples
    threads, clang     $sn_why_clang
    threads, gcc       $sn_why_gcc
    serial, tcc        $sn_why_tcc
    device image       ${sn_why_offload:-none}
    NVIDIA             $sn_why_nvptx
    OpenACC            $sn_why_acc
  bindings tested
    Python             $sn_why_python
    Fortran            $sn_why_fortran
    C++                ${CXX:-no}
  examples/brain       $sn_why_brain
  examples/inverse     $sn_why_brain
  examples/life        $sn_why_life
  tests by prove       $sn_why_prove
  protocol models      $sn_why_spin
  StarPU in bench      $sn_why_starpu

Now: make, make check, make install.

SN_END
])
