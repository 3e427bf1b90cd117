// SPDX-License-Identifier: MIT
//
// A host far away: every reply comes LATENCY milliseconds after its request, and the first one of a connection after twice
// as many, since connecting is a journey of its own.
//
// Usage: late PORT LATENCY BYTES     (listens on every address of this machine; each reply has a body of so many bytes)
//
// One thread, and for each reply one read and one write: what it costs is not what is measured.

#define _GNU_SOURCE
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { most = 1 << 16 };

// Replies that are due, in the order in which they are: all in one line wait equally long.
struct line {
    struct { double due; int connection; } replies[most];
    unsigned head, tail;
};

static struct line first, later;
static char is_known[most];
static char reply[1 << 20];
static size_t reply_bytes;

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000.0 + time.tv_nsec / 1e6;
}

static void fail(const char *what) {
    perror(what);
    exit(1);
}

static void put(struct line *line, double due, int connection) {
    line->replies[line->tail % most].due = due;
    line->replies[line->tail++ % most].connection = connection;
}

// Sends what is due, and returns the milliseconds until something else is.
static int serve(struct line *line) {
    while (line->head != line->tail) {
        double left = line->replies[line->head % most].due - now();
        if (left > 0) return (int)left + 1;
        int connection = line->replies[line->head++ % most].connection;
        ssize_t sent = send(connection, reply, reply_bytes, MSG_NOSIGNAL);
        if (sent >= 0 && (size_t)sent < reply_bytes) fail("a reply is longer than the socket's buffer");
    }
    return -1;
}

static void take(int listener, int poll) {
    int connection, on = 1;
    while ((connection = accept4(listener, NULL, NULL, SOCK_NONBLOCK)) >= 0) {
        if (connection >= most) fail("too many connections");
        setsockopt(connection, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        is_known[connection] = 0;
        struct epoll_event event = { .events = EPOLLIN, .data.fd = connection };
        if (epoll_ctl(poll, EPOLL_CTL_ADD, connection, &event) != 0) fail("epoll_ctl");
    }
}

// A request is there once its head has ended; nobody sends the next one before the reply.
static void hear(int connection, double latency) {
    char head[8192];
    ssize_t count = recv(connection, head, sizeof head, 0);
    if (count <= 0) {
        if (count == 0 || errno != EAGAIN) close(connection);
        return;
    }
    if (count < 4 || memcmp(head + count - 4, "\r\n\r\n", 4) != 0) fail("half a request");
    if (is_known[connection]) put(&later, now() + latency, connection);
    else put(&first, now() + 2 * latency, connection);
    is_known[connection] = 1;
}

int main(int count, char **words) {
    if (count != 4) return 2;
    double latency = atof(words[2]);
    size_t bytes = strtoul(words[3], NULL, 10);
    int head = sprintf(reply, "HTTP/1.1 200 OK\r\nContent-Type: image/jpeg\r\nContent-Length: %zu\r\n\r\n", bytes);
    reply_bytes = head + bytes;
    if (reply_bytes > sizeof reply) return 2;

    struct sockaddr_in address = { .sin_family = AF_INET, .sin_port = htons(atoi(words[1])) };
    int on = 1, buffer = 2 * sizeof reply, poll = epoll_create1(0);
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    setsockopt(listener, SOL_SOCKET, SO_SNDBUF, &buffer, sizeof buffer);
    if (bind(listener, (struct sockaddr *)&address, sizeof address) != 0 || listen(listener, 4096) != 0) fail("listen");
    struct epoll_event event = { .events = EPOLLIN, .data.fd = listener };
    epoll_ctl(poll, EPOLL_CTL_ADD, listener, &event);

    struct epoll_event events[256];
    for (;;) {
        int soon = serve(&later), late = serve(&first);
        int wait = soon < 0 || (late >= 0 && late < soon) ? late : soon;
        int ready = epoll_wait(poll, events, 256, wait);
        for (int index = 0; index < ready; index++) {
            if (events[index].data.fd == listener) take(listener, poll);
            else hear(events[index].data.fd, latency);
        }
    }
}
