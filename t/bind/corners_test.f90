! The Fortran module of corners.sn, call by call; t/68-fortran.t runs it.
program corners_test
  use, intrinsic :: iso_c_binding
  use snode
  use corners
  implicit none
  type(sn_context) :: context
  type(corners_grid) :: grid, other
  type(corners_zero) :: zero
  type(corners_far) :: far
  type(corners_parts) :: parts
  integer :: ierr

  call context%create(options='threads=2  device=host')
  call corners_grid_create(grid, context, 3, 2_c_int64_t)
  call zero%create(context)
  call far%create(context, memory_limit=100000000_c_int64_t)
  call parts%create(context)
  call values_of_cells()
  call boxes()
  call nodes()
  call kernels()
  call failures()
  call other%destroy()
  call grid%destroy()
  call corners_zero_destroy(zero)
  call context%destroy(ierr)
  call expect(ierr == SN_ESTATE, 'a context whose trees live')
  call far%destroy()
  call parts%destroy()
  call context%destroy()
  write (*, '(a)') 'all is well'

contains

  subroutine expect(holds, what)
    logical, intent(in) :: holds
    character(*), intent(in) :: what
    if (.not. holds) then
      write (*, '(2a)') 'wrong: ', what
      error stop 2
    end if
  end subroutine

  subroutine values_of_cells()
    real(c_double) :: u
    logical(c_bool) :: b
    real(c_float) :: matrix(3, 2)
    type(corners_mote) :: mote
    integer(c_int32_t) :: s
    integer(c_int16_t) :: h
    integer(c_int64_t) :: lo(2), hi(2), n

    call grid%u_set(-4, 2, 2.5d0)
    call grid%u_get(-4_c_int64_t, 2_c_int64_t, u)
    call expect(u == 2.5d0, 'a value')
    call corners_u_get(grid, 0, 3, u)
    call expect(u == 0, 'an inactive one')
    call grid%b_get(1, 1, b)
    call expect(logical(b), 'a default of bool')
    call grid%b_set(1, 1, .false._c_bool)
    call grid%b_get(1, 1, b)
    call expect(.not. logical(b), 'a bool')
    call grid%hh_get(0, 0, h)
    call expect(h == int(z'3e00'), 'an f16 by its bits')
    matrix = reshape([1., 2., 3., 4., 5., 6.], [3, 2])
    call grid%a_set(7, 1, matrix)
    matrix = 0
    call grid%A_get(7, 1, matrix)
    call expect(matrix(3, 1) == 3 .and. matrix(1, 2) == 4, 'a matrix: column, row')
    mote = corners_mote([1., 2., 3.], .true._c_bool, 7d0)
    call grid%q_set(0, 0, mote)
    mote%m = 0
    call corners_give(grid, grid, mote)
    call expect(mote%m == 7 .and. mote%x(2) == 2 .and. mote%on, 'a struct')
    call zero%s_set(11)
    call zero%s_get(s)
    call expect(s == 11, 'a field without axes')
    call grid%u_shape(lo, hi)
    call expect(all(lo == [-4, 2]) .and. all(hi == [8, 10]), 'a shape')
    call grid%u_fill(4d0)
    call grid%u_get(-4, 2, u)
    call expect(u == 4, 'fill')
    call grid%u_count(n)
    call expect(n == 32, 'count')
    call expect(CORNERS_BIG == huge(0_c_int64_t) .and. CORNERS_E == 0.5 .and. CORNERS_YES, 'constants')
  end subroutine

  subroutine boxes()
    real(c_double) :: box(3, 4), whole(12, 8), wide(24, 8), u
    real(c_double), target :: turned(4, 3)
    real(c_float) :: matrices(3, 2, 8, 8), flat(3, 2, 2, 2)
    logical(c_bool) :: flags(2, 2)
    type(corners_mote) :: motes(2, 2)
    integer(c_int32_t) :: s
    integer :: i, j

    box = reshape([(real(i, c_double), i=1, 12)], [3, 4])
    call grid%u_write(box, [0, 2])
    call grid%u_get(2, 3, u)
    call expect(u == box(3, 2), 'a box: the indices of the field')
    call grid%u_read(whole)
    call expect(all(whole(5:7, 1:4) == box) .and. whole(1, 1) == 4, 'the whole field')
    wide = -1
    call corners_u_read(grid, wide(1::2, :), [-4_c_int64_t, 2_c_int64_t])
    call expect(all(wide(1::2, :) == whole) .and. all(wide(2::2, :) == -1), 'every second column')
    turned = 5
    call grid%u_write(turned(1:3, :), [0, 2], ierr)
    call expect(ierr == SN_OK, 'a section')
    call grid%u_write(wide(5:1:-1, :), [0, 2], ierr)
    call expect(ierr == SN_EINVAL, 'a stride below 0')
    call grid%a_read(matrices)
    call expect(matrices(3, 1, 8, 2) == 3 .and. matrices(1, 2, 8, 2) == 4, 'matrices: column, row, j, i')
    flat = 9
    call grid%a_write(flat, [0, 0])
    call grid%a_read(matrices(:, :, 1:2, 1:2), [0, 0], ierr)
    call expect(ierr == SN_OK .and. all(matrices(:, :, 1:2, 1:2) == 9), 'a box of matrices')
    call grid%a_read(matrices(3:1:-1, :, :, :), [0, 0], ierr)
    call expect(ierr == SN_EINVAL, 'elements that are not side by side')
    call grid%b_read(flags, [1, 1])
    call expect(logical(flags(2, 2) .and. .not. flags(1, 1)), 'bools')
    call grid%q_read(motes, [0, 0])
    call expect(motes(1, 1)%m == 7, 'structs')
    motes(2, 2)%m = 3
    call grid%q_write(motes, [0, 0])
    call zero%s_read(s)
    call expect(s == 11, 'a field without axes')
    call grid%u_read(whole(1:0, :), [0, 2], ierr)
    call expect(ierr == SN_OK, 'an empty box')
    do j = 1, 2
      call grid%u_write(box(:, j:j), [0, 1 + j])
    end do
    call grid%u_get(1, 3, u)
    call expect(u == box(2, 2), 'column by column')
  end subroutine

  subroutine nodes()
    integer(c_int64_t) :: n, index(2, 20)
    real(c_float) :: values(20)
    logical(c_bool) :: is
    type(sn_memory_info) :: rows(8)
    integer(c_int) :: count
    integer :: k

    call grid%tile_activate(2, 0)
    call grid%tile_is_active(2, 0, is)
    call expect(logical(is), 'activate')
    call grid%tile_deactivate(2, 0)
    call grid%tile_is_active(2, 0, is)
    call expect(.not. logical(is), 'deactivate')
    call grid%tile_capacity(n)
    call expect(n == 6, 'capacity')
    call corners_fill_parts(parts, 10)
    call parts%list_length(1, n)
    call expect(n == 3, 'length')
    call parts%l_read_active(index, values, n)
    call expect(n == 10 .and. nint(sum(values(:10))) == 45, 'active cells')
    do k = 1, 10
      call expect(mod(nint(values(k)), 4) == index(1, k), 'index and value')
    end do
    call parts%list_deactivate(0)
    call parts%l_write_active(reshape([0_c_int64_t, 0_c_int64_t, 0_c_int64_t, 1_c_int64_t], [2, 2]), &
                              [40., 41.])
    call parts%list_length(0, n)
    call expect(n == 2, 'write_active')
    call far%c_set(-100, 5000, 100_c_int8_t)
    call far%page_count(n)
    call expect(n == 1, 'a hash')
    call far%deactivate_all()
    call far%page_count(n)
    call expect(n == 0, 'deactivate_all')
    call grid%memory(rows, count)
    call expect(count >= 2 .and. sn_memory_name(rows(1)) == 'tile', 'memory')
    call other%create(context, 3, 2_c_int64_t)
    call other%copy(grid)
    call other%save('corners.snode')
    call other%deactivate_all()
    call other%load('corners.snode')
    call other%tile_count(n)
    call expect(n > 0, 'copy, save, load')
  end subroutine

  subroutine kernels()
    logical(c_bool) :: truth
    real(c_double) :: total, u
    integer(c_int32_t) :: a(3, 2), b(2, 3), s
    real(c_float) :: src(3, 4, 2), vs(2, 2), out(2)
    type(corners_mote) :: ms(2)

    call corners_truth(context, truth)
    call expect(logical(truth), 'a kernel without trees')
    call corners_sum(context, [1d0, 2d0, 3.5d0], total)
    call expect(total == 6.5d0, 'an array')
    a = reshape([1, 2, 3, 4, 5, 6], [3, 2])
    call corners_transpose_into(context, a, b)
    call expect(all(b == transpose(a)), 'arrays in and out')
    call corners_transpose_into(context, a, a, ierr)
    call expect(ierr == SN_EINVAL, 'extents that do not fit')
    src = 0
    call corners_step(grid, zero, 0.25d0, src, ms, .true._c_bool, [1., 2., 3.], ms(1), vs, 0_c_int16_t, &
                      out)
    call zero%s_get(s)
    call grid%u_get(0, 3, u)
    call expect(all(out == [1., 2.]) .and. s == 2 .and. u == 0.25d0, 'a kernel with all of it')
  end subroutine

  subroutine failures()
    real(c_double) :: u
    type(corners_grid) :: third
    type(sn_context) :: wrong

    call grid%u_get(100, 2, u, ierr)
    call expect(ierr == SN_EBOUNDS, 'bounds')
    write (*, '(a)') context%error()
    call context%clear()
    call expect(context%error() == '', 'clear')
    call corners_wrong(grid, 5_c_int64_t, ierr)
    call expect(ierr == SN_EASSERT, 'assert')
    write (*, '(a)') context%error()
    call third%create(context, 0, 2_c_int64_t, ierr=ierr)
    call expect(ierr == SN_EINVAL, 'an extent of 0')
    call grid%create(context, 1, 1_c_int64_t, ierr=ierr)
    call expect(ierr == SN_ESTATE, 'a second time')
    call third%u_get(1, 2, u, ierr)
    call expect(ierr == SN_EINVAL, 'no instance')
    call wrong%create('threads=many', ierr)
    call expect(ierr == SN_EINVAL, 'an option')
    call context%clear()
    if (command_argument_count() > 0) call grid%u_get(100, 2, u)
  end subroutine
end program
