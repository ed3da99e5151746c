# shellcheck shell=bash
# zig's clang as a compiler for other systems: it brings their headers and C libraries, and libc++, which is linked into
# each binary. Sourced by bash.
source "$(dirname "${BASH_SOURCE[0]}")/tools.sh"
use_tools wheel
# The glibc that portable binaries are linked against: "2.28".
# shellcheck disable=SC2034
glibc=$(sed -n 's/^FLOOR = (\([0-9]*\), \([0-9]*\)).*/\1.\2/p' "$setup/glibc_floor.py")

# use_zig TARGET: sets CC and CXX to programs of one word, in build/zig/TARGET, and CONFIGURED to the folder of
# pyconfig.h where that is not beside Python.h. pip hides the packages of its own environment while it builds, so that
# zig is called by its path.
use_zig() {
  local folder=$PWD/build/zig/$1 name zig split
  zig=$("$tools/bin/python" -c 'import os, ziglang; print(os.path.join(os.path.dirname(ziglang.__file__), "zig"))')
  mkdir -p "$folder"
  for name in cc c++ ar ranlib; do
    printf '#!/bin/sh\nexec "%s" %s "$@"\n' "$zig" "$name" >"$folder/$name"
    chmod +x "$folder/$name"
  done
  # What is not optimised, zig compiles with UndefinedBehaviorSanitizer, and then links no runtime of it.
  for name in cc c++; do
    printf '#!/bin/sh\nexec "%s" %s -target %s -fno-sanitize=undefined -idirafter "%s" "$@"\n' "$zig" "$name" "$1" \
      "$folder/include" >"$folder/$name"
  done
  # Debian's Python.h includes a part of itself by a path below /usr/include, which zig does not look into.
  split=$("$python" -c 'import sysconfig as s
print(s.get_config_var("MULTIARCH"), s.get_python_version(), sep="/python")')
  CONFIGURED=/usr/include/$split
  if [ -d "$CONFIGURED" ]; then
    mkdir -p "$folder/include/$(dirname "$split")"
    ln -sfn "$CONFIGURED" "$folder/include/$split"
  fi
  export CC=$folder/cc CXX=$folder/c++
}
