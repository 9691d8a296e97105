# shellcheck shell=bash disable=SC2034
# The Debian 12 packages that the project needs, listed once, and how to install those that are missing.
# Sourced by deploy/quickstart and tests/run; needs bash.

# To build the library, the server and the command line.
telamalloc_build_packages=(
  cmake ninja-build g++
  libabsl-dev
  libgrpc++-dev libprotobuf-dev protobuf-compiler protobuf-compiler-grpc
  prometheus-cpp-dev libcivetweb-dev libspdlog-dev nlohmann-json3-dev
)

# On top of these, to build and run every test and benchmark.
telamalloc_test_packages=(
  libgtest-dev libgmock-dev libbenchmark-dev
  clang-format-14 clang-tidy-14 clang-14
)

# install_packages NAME.. - installs what is missing. Quiet, and without network, when all is there.
install_packages() {
  local missing=() package
  for package in "$@"; do
    [[ $(dpkg-query -W -f='${db:Status-Abbrev}' "$package" 2>/dev/null) == ii* ]] || missing+=("$package")
  done
  ((${#missing[@]})) || return 0

  local as_root=()
  if ((EUID != 0)); then
    command -v sudo >/dev/null || {
      echo "These packages are missing, and without sudo only root can install them: ${missing[*]}" >&2
      return 1
    }
    as_root=(sudo)
  fi
  echo "Installing ${missing[*]}"
  local log
  log=$(mktemp)
  if ! { "${as_root[@]}" apt-get update &&
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
      apt-get install --yes --no-install-recommends "${missing[@]}"; } >"$log" 2>&1 </dev/null; then
    cat "$log" >&2
    rm -f "$log"
    return 1
  fi
  rm -f "$log"
}
