#ifndef CSUBPROCESS_H
#define CSUBPROCESS_H

#include <sys/types.h>

/// A child process and our ends of its pipes, which are close-on-exec and ours to close.
typedef struct {
  pid_t process;
  /// What the child writes to standard output.
  int output;
  /// What the child writes to standard error.
  int errors;
} csp_child;

/// Starts a program with an empty standard input, pipes for its outputs, and nothing else of ours.
///
/// It lies in C because pipe2 and posix_spawn_file_actions_addclosefrom_np are GNU extensions, which
/// Swift's Glibc module does not show; without them a second child started at the same moment by
/// another thread would hold this one's pipe open.
///
/// @param program     its name, looked up on the PATH
/// @param arguments   a null-terminated array that begins with the name
/// @param environment a null-terminated array of NAME=VALUE
/// @param descriptor  what the child finds as descriptor 3; -1 for none
/// @return 0, or an errno value; ENOENT where no such program is found
int csp_start(const char *program, char *const arguments[], char *const environment[],
              int descriptor, csp_child *child);

#endif
