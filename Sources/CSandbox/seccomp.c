// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include "seccomp.h"

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "CSandbox.h"

#ifdef __x86_64__
enum { architecture = AUDIT_ARCH_X86_64 };
#else
enum { architecture = AUDIT_ARCH_AARCH64 };
#endif

enum { denied = SECCOMP_RET_ERRNO | EPERM };

/// The kernel's filter program under construction. Each rule starts and ends with the system call number loaded.
typedef struct {
    struct sock_filter instructions[200];
    unsigned short count;
} filter_program;

static void append(filter_program *program, uint16_t code, uint32_t value, uint8_t if_true, uint8_t if_false) {
    program->instructions[program->count++] = (struct sock_filter){code, if_true, if_false, value};
}

static void load(filter_program *program, size_t offset) {
    append(program, BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset, 0, 0);
}

static void return_action(filter_program *program, uint32_t action) { append(program, BPF_RET | BPF_K, action, 0, 0); }

static void load_call(filter_program *program) { load(program, offsetof(struct seccomp_data, nr)); }

static void allow(filter_program *program, long call) {
    append(program, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)call, 0, 1);
    return_action(program, SECCOMP_RET_ALLOW);
}

/// Denies the call unless the given bits of an argument have the wanted value.
static void restrict_call(filter_program *program, long call, int argument, uint32_t bits, uint32_t wanted) {
    append(program, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)call, 0, 5);
    load(program, offsetof(struct seccomp_data, args) + 8 * (size_t)argument);
    append(program, BPF_ALU | BPF_AND | BPF_K, bits, 0, 0);
    append(program, BPF_JMP | BPF_JEQ | BPF_K, wanted, 1, 0);
    return_action(program, denied);
    load_call(program);
}

/// Reading open files, memory, time, and ending the process itself.
static const long harmless_calls[] = {
    SYS_read,         SYS_pread64,    SYS_close,     SYS_fstat,         SYS_brk,          SYS_munmap,
    SYS_mremap,       SYS_madvise,    SYS_futex,     SYS_clock_gettime, SYS_gettimeofday, SYS_sched_yield,
    SYS_getrandom,    SYS_getpid,     SYS_gettid,    SYS_rt_sigaction,  SYS_rt_sigreturn, SYS_rt_sigprocmask,
    SYS_sigaltstack,  SYS_exit,       SYS_exit_group, SYS_restart_syscall,
};

static void allow_harmless_calls(filter_program *program) {
    for (size_t index = 0; index < sizeof harmless_calls / sizeof *harmless_calls; index++) {
        allow(program, harmless_calls[index]);
    }
}

/// Allows writing and receiving only on the worker's socket.
static void allow_socket(filter_program *program) {
    const long calls[] = {SYS_write, SYS_sendto, SYS_recvfrom, SYS_recvmsg};
    for (size_t index = 0; index < sizeof calls / sizeof *calls; index++) {
        restrict_call(program, calls[index], 0, UINT32_MAX, csandbox_worker_socket);
        allow(program, calls[index]);
    }
}

/// Allows anonymous memory that is never executable.
static void allow_memory(filter_program *program) {
    restrict_call(program, SYS_mmap, 3, MAP_ANONYMOUS, MAP_ANONYMOUS);
    restrict_call(program, SYS_mmap, 2, PROT_EXEC, 0);
    allow(program, SYS_mmap);
    restrict_call(program, SYS_mprotect, 2, PROT_EXEC, 0);
    allow(program, SYS_mprotect);
}

/// Allows the C library's calls to get an open file's size and to abort.
static void allow_c_library(filter_program *program) {
    restrict_call(program, SYS_newfstatat, 3, UINT32_MAX, AT_EMPTY_PATH);
    allow(program, SYS_newfstatat);
    restrict_call(program, SYS_tgkill, 0, UINT32_MAX, (uint32_t)getpid());
    restrict_call(program, SYS_tgkill, 2, UINT32_MAX, SIGABRT);
    allow(program, SYS_tgkill);
}

bool csandbox_filter_calls(void) {
    filter_program program = {.count = 0};
    load(&program, offsetof(struct seccomp_data, arch));
    append(&program, BPF_JMP | BPF_JEQ | BPF_K, architecture, 1, 0);
    return_action(&program, denied);
    load_call(&program);
    allow_socket(&program);
    allow_memory(&program);
    allow_c_library(&program);
    allow_harmless_calls(&program);
    return_action(&program, denied);
    struct sock_fprog filter = {.len = program.count, .filter = program.instructions};
    // Apply the filter to all threads, because the runtime may have started some.
    return !syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &filter);
}
#else
bool csandbox_filter_calls(void) { return false; }
#endif
