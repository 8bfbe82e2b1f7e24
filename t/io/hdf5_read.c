/* hdf5_read FILE OBJECT [ATTRIBUTE]: the extents of a dataset or of an attribute on one line, then
 * its values, a line each; a text as it is. */
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>

static int put_text(hid_t attribute, hid_t type)
{
  const size_t length = H5Tget_size(type);
  char *text = calloc(length + 1, 1);
  const int failed = !text || H5Aread(attribute, type, text) < 0;

  if (!failed)
    printf("%s\n", text);
  free(text);
  return failed;
}

int main(int argc, char **argv)
{
  const hid_t file = argc > 2 ? H5Fopen(argv[1], H5F_ACC_RDONLY, H5P_DEFAULT) : -1;
  const hid_t object = file < 0 ? -1 : H5Oopen(file, argv[2], H5P_DEFAULT);
  const hid_t what = object < 0 || argc < 4 ? object : H5Aopen(object, argv[3], H5P_DEFAULT);
  const hid_t space = what < 0 ? -1 : argc < 4 ? H5Dget_space(what) : H5Aget_space(what);
  const hid_t type = what < 0 ? -1 : argc < 4 ? H5Dget_type(what) : H5Aget_type(what);
  const int rank = space < 0 ? -1 : H5Sget_simple_extent_ndims(space);
  hsize_t extent[32];
  hssize_t count;
  double *values;
  int failed;

  if (rank < 0 || rank > 32 || H5Sget_simple_extent_dims(space, extent, NULL) < 0)
    return 1;
  if (H5Tget_class(type) == H5T_STRING)
    return put_text(what, type);
  /* an enumeration is read as the integers that it is of */
  count = H5Sget_simple_extent_npoints(space);
  values = malloc((size_t)(count + 1) * sizeof *values);
  if (!values)
    return 1;
  if (H5Tget_class(type) == H5T_ENUM) {
    signed char *bytes = (signed char *)values;
    failed = H5Dread(what, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes) < 0;
    for (hssize_t k = count; k-- > 0;)
      values[k] = bytes[k];
  } else {
    failed = (argc < 4 ? H5Dread(what, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values)
                       : H5Aread(what, H5T_NATIVE_DOUBLE, values)) < 0;
  }
  for (int k = 0; k < rank; k++)
    printf("%s%llu", k ? " " : "", (unsigned long long)extent[k]);
  printf("\n");
  for (hssize_t k = 0; k < count && !failed; k++)
    printf("%.17g\n", values[k]);
  free(values);
  return failed;
}
