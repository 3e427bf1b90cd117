// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "CSandbox.h"

#ifndef PATH_MAX
#define PATH_MAX 4096
#endif

enum { maximum_decodes = 256, stack_size = 32768, no_mark = -1 };

/// A decode in progress.
static struct {
    atomic_int state;
    long item;
    char path[PATH_MAX];
} decodes[maximum_decodes];

enum { unused, reserved, decoding };

static const int crash_signals[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT};
enum { crash_signal_count = sizeof crash_signals / sizeof *crash_signals };
static struct sigaction previous_actions[crash_signal_count];
static pthread_once_t installation = PTHREAD_ONCE_INIT;
static atomic_flag is_recorded = ATOMIC_FLAG_INIT;
static _Thread_local int own_mark = no_mark;
static _Thread_local bool has_stack;
static pthread_key_t stack_key;
static bool has_stack_key;
static _Thread_local bool receives_abort;

static void append_item(const char *path, long item) {
    char line[24];
    size_t start = sizeof line;
    line[--start] = '\n';
    do line[--start] = (char)('0' + item % 10);
    while (item /= 10);
    int file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (file < 0) return;
    if (write(file, line + start, sizeof line - start) < 0) errno = 0;
    close(file);
}

static void record_decodes(void) {
    for (int mark = 0; mark < maximum_decodes; mark++) {
        if (atomic_load(&decodes[mark].state) == decoding) append_item(decodes[mark].path, decodes[mark].item);
    }
}

/// Records the decodes in progress if this thread's decoder crashed, and leaves the rest to the previous handler.
static void handle_crash(int number, siginfo_t *info, void *context) {
    (void)context;
    bool is_sent = info->si_code <= 0;
    if (own_mark != no_mark && (!is_sent || info->si_pid == getpid())) {
        if (atomic_flag_test_and_set(&is_recorded)) {
            // Another thread is recording its crash, and ends the process.
            for (;;) pause();
        }
        record_decodes();
    }
    for (int index = 0; index < crash_signal_count; index++) {
        if (crash_signals[index] == number) sigaction(number, &previous_actions[index], NULL);
    }
    // A fault repeats by itself after the return; a sent signal does not.
    if (is_sent) raise(number);
}

static void release_stack(void *stack) {
    sigaltstack(&(stack_t){.ss_flags = SS_DISABLE}, NULL);
    free(stack);
}

static void install_handlers(void) {
    has_stack_key = !pthread_key_create(&stack_key, release_stack);
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = handle_crash;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigemptyset(&action.sa_mask);
    for (int index = 0; index < crash_signal_count; index++) {
        sigaction(crash_signals[index], &action, &previous_actions[index]);
    }
}

/// Gives this thread, until it ends, a stack for the signal handler, in case that a decoder uses up the thread's own.
static void use_stack(void) {
    stack_t stack;
    if (has_stack || !has_stack_key || sigaltstack(NULL, &stack) || !(stack.ss_flags & SS_DISABLE)) return;
    stack = (stack_t){.ss_sp = malloc(stack_size), .ss_size = stack_size};
    if (stack.ss_sp && !pthread_setspecific(stack_key, stack.ss_sp)) {
        has_stack = !sigaltstack(&stack, NULL);
    } else {
        free(stack.ss_sp);
    }
}

/// Lets abort() call the handler: Dispatch's threads block its signal, and since glibc 2.41 abort() unblocks it only
/// after it has removed the handler.
static void unblock_abort(void) {
    if (receives_abort) return;
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGABRT);
    receives_abort = !pthread_sigmask(SIG_UNBLOCK, &signals, NULL);
}

int csandbox_begin_decode(const char *path, long item) {
    if (item < 0 || strlen(path) >= PATH_MAX) return no_mark;
    pthread_once(&installation, install_handlers);
    unblock_abort();
    for (int mark = 0; mark < maximum_decodes; mark++) {
        int expected = unused;
        if (!atomic_compare_exchange_strong(&decodes[mark].state, &expected, reserved)) continue;
        strcpy(decodes[mark].path, path);
        decodes[mark].item = item;
        use_stack();
        own_mark = mark;
        atomic_store(&decodes[mark].state, decoding);
        return mark;
    }
    return no_mark;
}

void csandbox_end_decode(int mark) {
    if (mark == no_mark) return;
    own_mark = no_mark;
    atomic_store(&decodes[mark].state, unused);
}
