// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>

#include "CSandbox.h"

#ifndef MSG_NOSIGNAL
// Without this flag, the process must ignore SIGPIPE.
#define MSG_NOSIGNAL 0
#endif

int csandbox_socket_pair(int *own_end, int *worker_end) {
    int ends[2];
#ifdef SOCK_CLOEXEC
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends)) return errno;
#else
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends)) return errno;
    for (int end = 0; end < 2; end++) fcntl(ends[end], F_SETFD, FD_CLOEXEC);
#endif
    *own_end = ends[0];
    *worker_end = ends[1];
    return 0;
}

ssize_t csandbox_send(int socket, const void *bytes, size_t count) { return send(socket, bytes, count, MSG_NOSIGNAL); }

/// Space for one descriptor, aligned as its header requires.
typedef union {
    struct cmsghdr header;
    char space[CMSG_SPACE(sizeof(int))];
} control;

static struct msghdr make_message(struct iovec *part, control *control) {
    return (struct msghdr){
        .msg_iov = part, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control->space};
}

bool csandbox_send_descriptor(int socket, int descriptor) {
    char byte = 0;
    struct iovec part = {&byte, 1};
    control control;
    memset(&control, 0, sizeof control);
    struct msghdr message = make_message(&part, &control);
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof descriptor);
    memcpy(CMSG_DATA(header), &descriptor, sizeof descriptor);
    ssize_t sent;
    do sent = sendmsg(socket, &message, MSG_NOSIGNAL);
    while (sent < 0 && errno == EINTR);
    return sent == 1;
}

int csandbox_receive_descriptor(int socket) {
    char byte;
    struct iovec part = {&byte, 1};
    control control;
    memset(&control, 0, sizeof control);
    struct msghdr message = make_message(&part, &control);
    ssize_t got;
    do got = recvmsg(socket, &message, 0);
    while (got < 0 && errno == EINTR);
    struct cmsghdr *header = got == 1 ? CMSG_FIRSTHDR(&message) : NULL;
    if (!header || header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) return -1;
    int descriptor;
    memcpy(&descriptor, CMSG_DATA(header), sizeof descriptor);
    return descriptor;
}
