#!/bin/sh
# Makes configure from configure.ac: needed in a clone, not in a release.
set -e
cd "$(dirname "$0")"
for tool in autoreconf automake libtoolize; do
  command -v "$tool" >/dev/null || {
    echo "autogen.sh: $tool is missing (Debian: apt-get install" \
         "autoconf automake libtool)" >&2
    exit 1
  }
done
exec autoreconf --install --force "$@"
