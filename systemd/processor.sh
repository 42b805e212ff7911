# shellcheck shell=bash
# Part of pack.sh and install.sh.

# Prints the processor architecture for which a program or addon is compiled, from e_machine in its ELF
# header, as named in Node's process.arch.
processor_of() {
  case $(od -An -tu2 -j18 -N2 "$1" | tr -d ' ') in
    40) echo arm ;;
    62) echo x64 ;;
    183) echo arm64 ;;
    *) echo unknown ;;
  esac
}
