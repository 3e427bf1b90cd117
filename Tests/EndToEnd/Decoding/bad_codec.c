// SPDX-License-Identifier: MIT
// A libjpeg that is loaded before the real one and misbehaves for pictures of certain widths.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <unistd.h>

#include <jpeglib.h>

static void crash(void) { *(volatile int *)8 = 1; }

static int is_worker;

__attribute__((constructor)) static void read_arguments(int count, char **arguments) {
    is_worker = count == 2 && !strcmp(arguments[1], "decode-worker");
}

static volatile int depth;

static void overflow(void) {
    volatile char space[4096];
    space[0] = 0;
    depth++;
    overflow();
    depth += space[0];
}

/// Tells a test that waits at the pipe that the decode has begun; a sandboxed process cannot open it.
static void loop(void) {
    if (!is_worker) open("decoding", O_WRONLY);
    for (volatile int turn = 0;; turn++) {}
}

static void take_all_memory(void) {
    for (;;) {
        char *piece = malloc(1 << 20);
        if (!piece) abort();
        memset(piece, 1, 1 << 20);
    }
}

static int garbles_reply;

/// Makes a worker's reply invalid.
ssize_t send(int socket, const void *bytes, size_t count, int flags) {
    ssize_t (*real)(int, const void *, size_t, int) = dlsym(RTLD_NEXT, "send");
    if (garbles_reply) memset((void *)bytes, 0xFF, count);
    return real(socket, bytes, count, flags);
}

static int could_open(void) { return open("/etc/hostname", O_RDONLY) >= 0 || open("/tmp", O_TMPFILE | O_RDWR, 0600) >= 0; }

static int could_connect(void) {
    int end = socket(AF_INET, SOCK_STREAM, 0);
    return end >= 0 || socket(AF_UNIX, SOCK_STREAM, 0) >= 0;
}

static int could_fork(void) {
    pid_t child = fork();
    if (!child) _exit(0);
    return child > 0;
}

static int could_start(void) {
    execl("/bin/sh", "sh", "-c", "exit 134", (char *)NULL);
    return 0;
}

// The run has the picture's file open for writing.
static int could_change_picture(void) {
    int could = 0;
    for (int file = 4; file < 64; file++) {
        could |= pwrite(file, "x", 1, 0) == 1 || ftruncate(file, 10) == 0;
        could |= mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0) != MAP_FAILED;
    }
    return could;
}

static int could_signal(void) { return kill(getppid(), 0) == 0 || ptrace(PTRACE_ATTACH, getppid(), 0, 0) == 0; }

static int could_make_code(void) {
    return mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED;
}

static void act(unsigned width) {
    static int (*const tries[])(void) = {
        could_open, could_connect, could_fork, could_start, could_change_picture, could_signal, could_make_code,
    };
    switch (width) {
    case 101: crash(); break;
    case 102: abort();
    case 103: loop(); break;
    case 104: take_all_memory(); break;
    case 105: _exit(9);
    case 106: overflow(); break;
    case 107:
        if (!is_worker) abort();
        break;
    case 108: garbles_reply = is_worker;
    }
    if (width >= 111 && width < 111 + sizeof tries / sizeof *tries && tries[width - 111]()) abort();
}

JDIMENSION jpeg_read_scanlines(j_decompress_ptr codec, JSAMPARRAY rows, JDIMENSION count) {
    act(codec->image_width);
    JDIMENSION (*real)(j_decompress_ptr, JSAMPARRAY, JDIMENSION) = dlsym(RTLD_NEXT, "jpeg_read_scanlines");
    return real(codec, rows, count);
}
