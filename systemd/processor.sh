# shellcheck shell=bash
# Part of pack.sh and install.sh.

# The processor of a program or an addon, named as process.arch of Node, from e_machine in its ELF header.
processor_of() {
  case $(od -An -tu2 -j18 -N2 "$1" | tr -d ' ') in
    40) echo arm ;;
    62) echo x64 ;;
    183) echo arm64 ;;
    *) echo unknown ;;
  esac
}
