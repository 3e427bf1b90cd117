// SPDX-License-Identifier: MIT
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/// The descriptor that a worker finds its end of the channel under.
enum { csandbox_channel = 3 };

/// Starts a program that has nothing of this process but one end of a socket, under `csandbox_channel`; returns an error's
/// number, or 0.
/// Exists because the actions that close everything else are no part of POSIX, and are named otherwise on each system.
int csandbox_start(const char *_Nonnull program, char *_Nullable const *_Nonnull words,
                   char *_Nullable const *_Nonnull environment, int channel, pid_t *_Nonnull process);

/// Makes a pair of sockets that no program started meanwhile inherits; returns an error's number, or 0.
/// Exists because the flag for that is no part of POSIX.
int csandbox_channel_pair(int *_Nonnull mine, int *_Nonnull theirs);

/// Sends bytes, and no signal to this process if the other end is gone.
/// Exists because the flag for that is no number that Swift imports alike on every system.
ssize_t csandbox_send(int channel, const void *_Nullable bytes, size_t count);

/// Sends a descriptor over a socket, with one byte; false if the other end is gone.
/// Exists because control messages are laid out by macros, which Swift cannot import.
bool csandbox_send_descriptor(int channel, int descriptor);

/// Waits for a descriptor; negative when the other end is gone.
/// Exists for the same reason.
int csandbox_receive_descriptor(int channel);

/// Lets a process use so many seconds of the processor more, where the system can be told so from outside.
/// Exists because Linux's call for it is declared for _GNU_SOURCE alone.
void csandbox_limit_time(pid_t process, double seconds);

/// What a process has given up.
typedef struct {
    /// Whether it can gain no right by starting a program.
    bool has_no_new_privileges;
    /// Whether its resources are limited: memory, files' sizes, open files, processes, core dumps.
    bool has_limits;
    /// The version of Landlock that keeps it from files and the network; 0 if the kernel has none.
    int landlock;
    /// Whether all system calls are refused but the few that decoding needs.
    bool filters_calls;
} csandbox_report;

/// Gives up whatever a decoder does not need; `memory` is what it may take beside what the process has already.
/// Exists because these are Linux's own calls, most of them without a function in the C library.
csandbox_report csandbox_confine(size_t memory);
