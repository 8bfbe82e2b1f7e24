# SPDX-License-Identifier: BSD-3-Clause
# find_package(snode): the compiler snodegen, the library libsnode, and snode_add_library.
#
#   find_package(snode REQUIRED)
#   snode_add_library(heat heat.sn)
#   target_link_libraries(program PRIVATE heat)
#
# What it is asked for it finds beside itself, wherever the installed prefix was moved.
#
#   snode_SNODEGEN    the compiler
#   snode::snode      libsnode and its headers, with the flags that generated C needs
#   snode::io         libsnode_io: files for VTK, NumPy, and as pictures
#   snode::io_hdf5, snode::io_vdb, snode::io_nvdb    its siblings, where they were built
#
# CMake 3.20 or later (dependency files of custom commands).

set(_snode_at "${CMAKE_CURRENT_LIST_DIR}")
foreach(_snode_level 1 2 3 4 5)
  get_filename_component(_snode_at "${_snode_at}" DIRECTORY)
  if(EXISTS "${_snode_at}/bin/snodegen")
    break()
  endif()
endforeach()
set(snode_SNODEGEN "${_snode_at}/bin/snodegen")
if(NOT EXISTS "${snode_SNODEGEN}")
  set(snode_FOUND FALSE)
  set(snode_NOT_FOUND_MESSAGE "there is no bin/snodegen above ${CMAKE_CURRENT_LIST_DIR}")
  return()
endif()

execute_process(COMMAND "${snode_SNODEGEN}" --print-libs
  OUTPUT_VARIABLE _snode_libs OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
separate_arguments(_snode_libs UNIX_COMMAND "${_snode_libs}")

if(NOT TARGET snode::snode)
  # folders as options, which CMake quotes
  set(_snode_options ${_snode_libs})
  list(FILTER _snode_options EXCLUDE REGEX "^-l")
  list(FILTER _snode_libs INCLUDE REGEX "^-l")
  add_library(snode::snode INTERFACE IMPORTED)
  set_target_properties(snode::snode PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES "${_snode_at}/include"
    INTERFACE_LINK_OPTIONS "${_snode_options}"
    INTERFACE_LINK_LIBRARIES "${_snode_libs}")
  unset(_snode_options)
endif()
foreach(_snode_io io io_hdf5 io_vdb io_nvdb)
  get_filename_component(_snode_lib "${CMAKE_CURRENT_LIST_DIR}/../.." ABSOLUTE)
  file(GLOB _snode_files "${_snode_lib}/libsnode_${_snode_io}.*")
  file(GLOB _snode_static "${_snode_lib}/libsnode_${_snode_io}.a")
  if(TARGET snode::${_snode_io} OR NOT _snode_files)
    continue()
  endif()
  list(FILTER _snode_files EXCLUDE REGEX "\\.l?a$")
  if(_snode_files)
    add_library(snode::${_snode_io} INTERFACE IMPORTED)
    set_target_properties(snode::${_snode_io} PROPERTIES
      INTERFACE_LINK_LIBRARIES "-lsnode_${_snode_io};snode::snode")
  else()
    # A static one stands before what it needs, which its pkg-config file names.
    string(REPLACE "_" "-" _snode_needs "${_snode_io}")
    file(STRINGS "${_snode_lib}/pkgconfig/snode-${_snode_needs}.pc" _snode_needs REGEX "^Libs.private:")
    string(REGEX REPLACE "^Libs.private:" "" _snode_needs "${_snode_needs}")
    separate_arguments(_snode_needs UNIX_COMMAND "${_snode_needs}")
    add_library(snode::${_snode_io} STATIC IMPORTED)
    set_target_properties(snode::${_snode_io} PROPERTIES
      IMPORTED_LOCATION "${_snode_static}"
      INTERFACE_LINK_LIBRARIES "snode::snode;${_snode_needs}")
    unset(_snode_needs)
  endif()
endforeach()
unset(_snode_io)
unset(_snode_lib)
unset(_snode_files)
unset(_snode_static)
unset(_snode_at)
unset(_snode_libs)
unset(_snode_level)

# snode_add_library(NAME [STATIC|SHARED|OBJECT] [FOR TARGET] [OPTIONS OPTION...] FILE.sn...)
#
# A library of the C that snodegen writes of the files, whose headers come with it.  FOR is what it is
# compiled for, as snodegen --print-cflags takes it: host (the default; serial where the C compiler
# has no OpenMP), serial, x86, nvptx:sm_90, amdgcn:gfx90a, acc.  OPTIONS are snodegen's: -O3,
# -DN=128, -Iimports.  What is imported is a dependency.
function(snode_add_library name)
  cmake_parse_arguments(PARSE_ARGV 1 snode "STATIC;SHARED;OBJECT" "FOR" "OPTIONS")
  if(NOT snode_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "snode_add_library(${name}): no .sn file is named")
  endif()
  get_property(languages GLOBAL PROPERTY ENABLED_LANGUAGES)
  if(NOT "C" IN_LIST languages)
    message(FATAL_ERROR
      "snode_add_library(${name}): what it makes is C: add it to the languages of project()")
  endif()
  set(kind STATIC)
  foreach(other STATIC SHARED OBJECT)
    if(snode_${other})
      set(kind ${other})
    endif()
  endforeach()
  if(NOT snode_FOR)
    find_package(OpenMP QUIET COMPONENTS C)
    set(snode_FOR serial)
    if(OpenMP_C_FOUND)
      set(snode_FOR host)
    endif()
  endif()
  execute_process(COMMAND "${snode_SNODEGEN}" "--print-cflags=${snode_FOR}"
    OUTPUT_VARIABLE flags ERROR_VARIABLE said RESULT_VARIABLE code OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(code)
    message(FATAL_ERROR "snode_add_library(${name}): ${said}")
  endif()
  separate_arguments(flags UNIX_COMMAND "${flags}")

  set(folder "${CMAKE_CURRENT_BINARY_DIR}/${name}.generated")
  file(MAKE_DIRECTORY "${folder}")
  set(written "")
  foreach(file IN LISTS snode_UNPARSED_ARGUMENTS)
    get_filename_component(source "${file}" ABSOLUTE)
    get_filename_component(stem "${file}" NAME_WLE)
    add_custom_command(
      OUTPUT "${folder}/${stem}.c" "${folder}/${stem}.h"
      COMMAND "${snode_SNODEGEN}" -q ${snode_OPTIONS} "--output-dir=${folder}"
              -MD -MF "${folder}/${stem}.d" -MQ "${folder}/${stem}.c" "${source}"
      DEPENDS "${source}" "${snode_SNODEGEN}"
      DEPFILE "${folder}/${stem}.d"
      WORKING_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}"
      COMMENT "snodegen ${file}" VERBATIM)
    list(APPEND written "${folder}/${stem}.c" "${folder}/${stem}.h")
  endforeach()

  add_library(${name} ${kind} ${written})
  target_include_directories(${name} PUBLIC "${folder}")
  target_compile_options(${name} PRIVATE ${flags})
  set_target_properties(${name} PROPERTIES C_STANDARD 11 POSITION_INDEPENDENT_CODE ON)
  target_link_libraries(${name} PUBLIC snode::snode)
  # The flags that open regions are the linker's too: OpenMP's library, a device's image.
  set(linked "")
  foreach(flag IN LISTS flags)
    if(flag MATCHES "^-f(openmp|openacc|offload)|^--offload")
      list(APPEND linked "${flag}")
    endif()
  endforeach()
  target_link_options(${name} INTERFACE ${linked})
  target_link_libraries(${name} PUBLIC m)
endfunction()
