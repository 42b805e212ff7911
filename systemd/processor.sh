# shellcheck shell=bash
# Part of pack.sh and install.sh.

# Prints the processor for which a program or an addon is compiled, from e_machine in its ELF header. The
# names are those of process.arch in Node.
processor_of() {
  case $(od -An -tu2 -j18 -N2 "$1" | tr -d ' ') in
    40) echo arm ;;
    62) echo x64 ;;
    183) echo arm64 ;;
    *) echo unknown ;;
  esac
}
