# shellcheck shell=bash
# Part of pack.sh and install.sh.

# Prints the processor architecture of a program or addon, read from e_machine in its ELF header and named as
# in Node's process.arch.
processor_of() {
  case $(od -An -tu2 -j18 -N2 "$1" | tr -d ' ') in
    40) echo arm ;;
    62) echo x64 ;;
    183) echo arm64 ;;
    *) echo unknown ;;
  esac
}
