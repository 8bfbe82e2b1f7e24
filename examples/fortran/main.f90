! Particles on a ring give their mass to a sparse plane; the same on a dense array says whether that
! is right.  deposit.f90 is what snodegen --emit=f90 makes of deposit.sn.
program ring
  use, intrinsic :: iso_c_binding
  use snode
  use deposit
  implicit none
  integer, parameter :: n = 100000
  type(sn_context) :: context
  type(deposit_plane) :: plane
  real(c_double), allocatable :: at(:, :), weight(:), dense(:, :), sparse(:, :)
  real(c_double) :: angle, total
  integer(c_int64_t) :: tiles, all_tiles
  integer :: p, i, j

  ! at[n, 2] in the .sn file is at(2, n) here: the memory is the same
  allocate (at(2, n), weight(n), dense(0:DEPOSIT_EDGE - 1, 0:DEPOSIT_EDGE - 1))
  do p = 1, n
    angle = 0.7d0 * p
    at(:, p) = 512 + (300 + mod(p, 40)) * [cos(angle), sin(angle)]
    weight(p) = 1 + mod(p, 4)
  end do

  call context%create()
  call plane%create(context)
  call deposit_deposit(plane, at, weight)
  call deposit_total(plane, total)
  call plane%tile_count(tiles)
  call plane%tile_capacity(all_tiles)

  dense = 0
  do p = 1, n
    i = int(at(1, p))
    j = int(at(2, p))
    dense(i, j) = dense(i, j) + weight(p)
  end do
  ! mass(i, j) is sparse(i, j): the strides of the array are handed over, nothing is turned around
  allocate (sparse(0:DEPOSIT_EDGE - 1, 0:DEPOSIT_EDGE - 1))
  call plane%mass_read(sparse)
  write (*, '(i0, a, i0, a, i0, a, f0.1, a)', advance='no') n, ' particles: ', tiles, ' of ', all_tiles, &
    ' tiles, with a mass of ', total, ': '

  call plane%destroy()
  call context%destroy()
  if (maxval(abs(sparse - dense)) > 1d-9 .or. abs(total - sum(weight)) > 1d-6) then
    write (*, '(a)') 'WRONG'
    error stop 1
  end if
  write (*, '(a)') 'as on a dense array'
end program
