// SPDX-License-Identifier: MIT
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/// The descriptor number of a worker's end of the socket.
enum { csandbox_worker_socket = 3 };

/// Returns the number of the process's arguments and the arguments themselves, including the program's name.
/// Exists because Swift reads them from /proc, which some containers lack.
int csandbox_arguments(char *_Nullable const *_Nullable *_Nonnull values);

/// Starts a program that inherits nothing but one end of a socket, as `csandbox_worker_socket`; returns 0 or an error
/// number.
/// Exists because the spawn actions that close all other descriptors are not in POSIX and differ between systems.
int csandbox_spawn(const char *_Nonnull program, char *_Nullable const *_Nonnull arguments,
                   char *_Nullable const *_Nonnull environment, int socket, pid_t *_Nonnull process);

/// Starts a browser that is driven through `socket`, its descriptors 3 and 4, and that writes to `log`; returns 0 or
/// an error number. It has a process group of its own, belongs to `user` and `group`, and is killed when the calling
/// thread ends. With `is_isolated` it has no network.
/// Exists because posix_spawn changes neither user nor namespaces, and a fork may run only C in a process with threads.
int csandbox_start_browser(const char *_Nonnull program, char *_Nullable const *_Nonnull arguments,
                           char *_Nullable const *_Nonnull environment, int socket, int log, uid_t user, gid_t group,
                           bool is_isolated, pid_t *_Nonnull process);

/// Makes a pair of sockets that concurrently started programs do not inherit; returns 0 or an error number.
/// Exists because the flag for this is not in POSIX.
int csandbox_socket_pair(int *_Nonnull own_end, int *_Nonnull worker_end);

/// Sends bytes without raising SIGPIPE if the other end is closed.
/// Exists because Swift cannot import the flag for this in the same way on every system.
ssize_t csandbox_send(int socket, const void *_Nullable bytes, size_t count);

/// Sends a descriptor over a socket, with one byte; returns false if the other end is closed.
/// Exists because control messages are laid out by macros, which Swift cannot import.
bool csandbox_send_descriptor(int socket, int descriptor);

/// Waits for a descriptor; returns a negative value if the other end is closed.
/// Exists because control messages are laid out by macros, which Swift cannot import.
int csandbox_receive_descriptor(int socket);

/// Lets a process use at most `seconds` more of CPU time, on systems that can set this from outside.
/// Exists because Linux declares its call for this only under _GNU_SOURCE.
void csandbox_set_cpu_limit(pid_t process, double seconds);

/// The restrictions that a process has applied to itself.
typedef struct {
    /// Whether it can gain no privileges by starting a program.
    bool has_no_new_privileges;
    /// Whether its memory, file sizes, open files, processes and core dumps are limited.
    bool has_limits;
    /// The Landlock version that denies files and network; 0 if the kernel has none.
    int landlock;
    /// Whether all system calls are denied except the few that decoding needs.
    bool filters_calls;
} csandbox_report;

/// Gives up all rights that a decoder does not need; `memory` is the number of bytes it may allocate beyond its current
/// size.
/// Exists because these are Linux system calls, most of them without a C library function.
csandbox_report csandbox_confine(size_t memory);

/// Marks the calling thread as decoding an item until `csandbox_end_decode` is called with the returned value. If a
/// thread with a mark then crashes, the items of all marks are appended to the files at their paths, one per line. The
/// previous signal handlers run as well. Exists because a signal handler must not run Swift code.
int csandbox_begin_decode(const char *_Nonnull path, long item);

/// Removes the mark of the calling thread.
void csandbox_end_decode(int mark);
