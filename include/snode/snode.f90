! SPDX-License-Identifier: BSD-3-Clause
! snode.f90: what the Fortran modules of snodegen --emit=f90 stand on: contexts, codes, and what calls
! on trees give.  It is installed beside the headers as source, since compilers differ in what they
! make of it: compile it once, before the generated modules.
!
! Each call has an optional last argument ierr, SN_OK or one of the codes; without it a call that fails
! writes the context's text and ends by error stop.
module snode
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: error_unit
  implicit none
  private

  integer, parameter, public :: SN_OK = 0, SN_ENOMEM = 1, SN_ECAPACITY = 2, SN_EINVAL = 3, &
    SN_EBOUNDS = 4, SN_EDEVICE = 5, SN_EPERMISSION = 6, SN_ESTATE = 7, SN_EABI = 8, SN_EIO = 9, &
    SN_EASSERT = 10, SN_EARITHMETIC = 11, SN_ECANCELED = 12, SN_ENOTSUP = 13, SN_EBUSY = 14, &
    SN_EBUG = 15, SN_EDERIVATIVE = 16

  ! Where trees live and kernels run; its trees are to be destroyed before it.
  type, public :: sn_context
    type(c_ptr) :: c = c_null_ptr
  contains
    procedure :: create => context_create     ! ([options] [, ierr]): 'threads=4 device=gpu:0', with blanks
    procedure :: destroy => context_destroy   ! ([ierr])
    procedure :: error => context_error       ! the text of the first error since clear
    procedure :: clear => context_clear
    procedure :: cancel => context_cancel     ! kernels end with an error, until clear
  end type

  ! What an SNode holds (snode/tree.h); name is C's, until the tree is destroyed.
  type, bind(c), public :: sn_memory_info
    type(c_ptr) :: name
    integer(c_int64_t) :: active, free, recycled, ever_allocated, chunks, bytes
  end type
  public :: sn_memory_name

  ! ---- for generated modules ----

  type, bind(c), public :: sn_tree_options
    integer(c_size_t) :: size
    integer(c_int64_t) :: memory_limit, reserve
  end type
  type, bind(c), public :: sn_box
    integer(c_int64_t) :: lo(12), hi(12)
  end type
  type, bind(c), public :: sn_span
    type(c_ptr) :: data
    integer(c_size_t) :: bytes
    integer(c_int) :: device
  end type
  public :: sn_end_call, sn_distance, sn_whole_stride

  interface
    integer(c_int) function config_create(out) bind(c, name='sn_config_create')
      import :: c_int, c_ptr
      type(c_ptr), intent(out) :: out
    end function
    integer(c_int) function config_set(config, name, value) bind(c, name='sn_config_set')
      import :: c_int, c_ptr, c_char
      type(c_ptr), value :: config
      character(kind=c_char), intent(in) :: name(*), value(*)
    end function
    subroutine config_destroy(config) bind(c, name='sn_config_destroy')
      import :: c_ptr
      type(c_ptr), value :: config
    end subroutine
    integer(c_int) function c_context_create(config, out) bind(c, name='sn_context_create')
      import :: c_int, c_ptr
      type(c_ptr), value :: config
      type(c_ptr), intent(out) :: out
    end function
    integer(c_int) function c_context_destroy(context) bind(c, name='sn_context_destroy')
      import :: c_int, c_ptr
      type(c_ptr), value :: context
    end function
    type(c_ptr) function c_context_error(context) bind(c, name='sn_context_error')
      import :: c_ptr
      type(c_ptr), value :: context
    end function
    subroutine c_context_clear(context) bind(c, name='sn_context_clear')
      import :: c_ptr
      type(c_ptr), value :: context
    end subroutine
    subroutine c_context_cancel(context) bind(c, name='sn_context_cancel')
      import :: c_ptr
      type(c_ptr), value :: context
    end subroutine
    type(c_ptr) function c_strerror(code) bind(c, name='sn_strerror')
      import :: c_int, c_ptr
      integer(c_int), value :: code
    end function
    integer(c_size_t) function c_strlen(text) bind(c, name='strlen')
      import :: c_size_t, c_ptr
      type(c_ptr), value :: text
    end function
  end interface

contains

  function text_of(pointer) result(text)
    type(c_ptr), intent(in) :: pointer
    character(:), allocatable :: text
    character(kind=c_char), pointer :: bytes(:)
    integer :: k

    call c_f_pointer(pointer, bytes, [c_strlen(pointer)])
    allocate (character(size(bytes)) :: text)
    do k = 1, size(bytes)
      text(k:k) = bytes(k)
    end do
  end function

  function sn_memory_name(info) result(name)
    type(sn_memory_info), intent(in) :: info
    character(:), allocatable :: name

    name = text_of(info%name)
  end function

  ! What a call returned: into ierr, or the text and an error stop.  what: said instead of the context's text.
  subroutine sn_end_call(code, context, what, ierr)
    integer(c_int), intent(in) :: code
    type(c_ptr), intent(in) :: context
    character(*), intent(in) :: what
    integer, intent(out), optional :: ierr
    character(:), allocatable :: text

    if (present(ierr)) then
      ierr = code
    else if (code /= SN_OK) then
      text = what
      if (text == '' .and. c_associated(context)) text = text_of(c_context_error(context))
      if (text == '') text = text_of(c_strerror(code))
      write (error_unit, '(a)') text
      error stop 1
    end if
  end subroutine

  ! Bytes from one element to another.
  function sn_distance(from, to) result(bytes)
    type(c_ptr), intent(in) :: from, to
    integer(c_int64_t) :: bytes

    bytes = transfer(to, 0_c_int64_t) - transfer(from, 0_c_int64_t)
  end function

  ! So many bytes as values; -1: they are no number of values.
  function sn_whole_stride(bytes, of_value) result(stride)
    integer(c_int64_t), intent(in) :: bytes
    integer(c_int64_t), intent(in) :: of_value
    integer(c_int64_t) :: stride

    stride = -1
    if (bytes >= 0 .and. mod(bytes, of_value) == 0) stride = bytes / of_value
  end function

  subroutine set_options(config, options, code)
    type(c_ptr), intent(in) :: config
    character(*), intent(in) :: options
    integer(c_int), intent(out) :: code
    integer :: first, last, equals

    code = SN_OK
    first = 1
    do while (first <= len(options))
      last = index(options(first:) // ' ', ' ') + first - 2
      equals = index(options(first:last), '=') + first - 1
      if (last >= first) then
        code = SN_EINVAL
        if (equals < first) return
        code = config_set(config, options(first:equals - 1) // c_null_char, &
                          options(equals + 1:last) // c_null_char)
        if (code /= SN_OK) return
      end if
      first = last + 2
    end do
  end subroutine

  subroutine context_create(this, options, ierr)
    class(sn_context), intent(inout) :: this
    character(*), intent(in), optional :: options
    integer, intent(out), optional :: ierr
    type(c_ptr) :: config, made
    integer(c_int) :: code
    character(:), allocatable :: what

    what = ''
    code = SN_ESTATE
    if (.not. c_associated(this%c)) code = config_create(config)
    if (code == SN_OK) then
      if (present(options)) call set_options(config, options, code)
      if (code == SN_OK) then
        code = c_context_create(config, made)
      else
        what = 'sn_context%create: ' // options // ': no such option, or no such value'
      end if
      call config_destroy(config)
    end if
    if (code == SN_OK) this%c = made
    call sn_end_call(code, c_null_ptr, what, ierr)
  end subroutine

  subroutine context_destroy(this, ierr)
    class(sn_context), intent(inout) :: this
    integer, intent(out), optional :: ierr
    integer(c_int) :: code

    code = c_context_destroy(this%c)
    if (code == SN_OK) this%c = c_null_ptr
    call sn_end_call(code, this%c, '', ierr)
  end subroutine

  function context_error(this) result(text)
    class(sn_context), intent(in) :: this
    character(:), allocatable :: text

    text = text_of(c_context_error(this%c))
  end function

  subroutine context_clear(this)
    class(sn_context), intent(in) :: this

    call c_context_clear(this%c)
  end subroutine

  subroutine context_cancel(this)
    class(sn_context), intent(in) :: this

    call c_context_cancel(this%c)
  end subroutine
end module
