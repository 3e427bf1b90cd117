// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include "calls.h"

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
enum { machine = AUDIT_ARCH_X86_64 };
#else
enum { machine = AUDIT_ARCH_AARCH64 };
#endif

enum { refusal = SECCOMP_RET_ERRNO | EPERM };

/// The kernel's filter, as it grows; every piece begins and ends with the call's number at hand.
typedef struct {
    struct sock_filter steps[200];
    unsigned short count;
} program;

static void step(program *program, uint16_t code, uint32_t value, uint8_t if_so, uint8_t if_not) {
    program->steps[program->count++] = (struct sock_filter){code, if_so, if_not, value};
}

static void load(program *program, size_t offset) { step(program, BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset, 0, 0); }

static void answer(program *program, uint32_t verdict) { step(program, BPF_RET | BPF_K, verdict, 0, 0); }

static void load_call(program *program) { load(program, offsetof(struct seccomp_data, nr)); }

static void allow(program *program, long call) {
    step(program, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)call, 0, 1);
    answer(program, SECCOMP_RET_ALLOW);
}

/// Refuses the call unless those bits of an argument are as wanted.
static void restrict_call(program *program, long call, int argument, uint32_t bits, uint32_t wanted) {
    step(program, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)call, 0, 5);
    load(program, offsetof(struct seccomp_data, args) + 8 * (size_t)argument);
    step(program, BPF_ALU | BPF_AND | BPF_K, bits, 0, 0);
    step(program, BPF_JMP | BPF_JEQ | BPF_K, wanted, 1, 0);
    answer(program, refusal);
    load_call(program);
}

/// Reading what is open, memory, time, and the process's own end.
static const long harmless[] = {
    SYS_read,         SYS_pread64,    SYS_close,     SYS_fstat,         SYS_brk,          SYS_munmap,
    SYS_mremap,       SYS_madvise,    SYS_futex,     SYS_clock_gettime, SYS_gettimeofday, SYS_sched_yield,
    SYS_getrandom,    SYS_getpid,     SYS_gettid,    SYS_rt_sigaction,  SYS_rt_sigreturn, SYS_rt_sigprocmask,
    SYS_sigaltstack,  SYS_exit,       SYS_exit_group, SYS_restart_syscall,
};

static void allow_harmless(program *program) {
    for (size_t index = 0; index < sizeof harmless / sizeof *harmless; index++) allow(program, harmless[index]);
}

/// What talks to the outside does so over the channel alone.
static void allow_channel(program *program) {
    const long calls[] = {SYS_write, SYS_sendto, SYS_recvfrom, SYS_recvmsg};
    for (size_t index = 0; index < sizeof calls / sizeof *calls; index++) {
        restrict_call(program, calls[index], 0, UINT32_MAX, csandbox_channel);
        allow(program, calls[index]);
    }
}

/// Memory is nobody else's, and never code.
static void allow_memory(program *program) {
    restrict_call(program, SYS_mmap, 3, MAP_ANONYMOUS, MAP_ANONYMOUS);
    restrict_call(program, SYS_mmap, 2, PROT_EXEC, 0);
    allow(program, SYS_mmap);
    restrict_call(program, SYS_mprotect, 2, PROT_EXEC, 0);
    allow(program, SYS_mprotect);
}

/// The C library's ways to ask for an open file's size, and to abort.
static void allow_own(program *program) {
    restrict_call(program, SYS_newfstatat, 3, UINT32_MAX, AT_EMPTY_PATH);
    allow(program, SYS_newfstatat);
    restrict_call(program, SYS_tgkill, 0, UINT32_MAX, (uint32_t)getpid());
    restrict_call(program, SYS_tgkill, 2, UINT32_MAX, SIGABRT);
    allow(program, SYS_tgkill);
}

bool csandbox_filter_calls(void) {
    program program = {.count = 0};
    load(&program, offsetof(struct seccomp_data, arch));
    step(&program, BPF_JMP | BPF_JEQ | BPF_K, machine, 1, 0);
    answer(&program, refusal);
    load_call(&program);
    allow_channel(&program);
    allow_memory(&program);
    allow_own(&program);
    allow_harmless(&program);
    answer(&program, refusal);
    struct sock_fprog filter = {.len = program.count, .filter = program.steps};
    // On all threads at once, should the runtime have made some.
    return !syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &filter);
}
#else
bool csandbox_filter_calls(void) { return false; }
#endif
