// SPDX-License-Identifier: MIT
//
// Simulates a distant host: every reply is sent LATENCY milliseconds after its request. The first reply of a connection
// is sent after twice the latency, because connecting takes a round trip, too.
//
// Usage: distant_host PORT LATENCY BYTES     (listens on all addresses; each reply has a body of BYTES bytes)
//
// It uses one thread, and one read and one write per reply, so that its own cost is small.

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

enum { capacity = 1 << 16 };

// A queue of replies in the order in which they are due; all replies of a queue have the same delay.
struct queue {
    struct { double due; int connection; } replies[capacity];
    unsigned head, tail;
};

static struct queue first_replies, later_replies;
static char has_replied[capacity];
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

static void put(struct queue *queue, double due, int connection) {
    queue->replies[queue->tail % capacity].due = due;
    queue->replies[queue->tail++ % capacity].connection = connection;
}

// Sends the replies that are due. Returns the milliseconds until the next one, or -1 if the queue is empty.
static int serve(struct queue *queue) {
    while (queue->head != queue->tail) {
        double remaining = queue->replies[queue->head % capacity].due - now();
        if (remaining > 0) return (int)remaining + 1;
        int connection = queue->replies[queue->head++ % capacity].connection;
        ssize_t sent = send(connection, reply, reply_bytes, MSG_NOSIGNAL);
        if (sent >= 0 && (size_t)sent < reply_bytes) fail("a reply exceeds the socket buffer");
    }
    return -1;
}

static void accept_all(int listener, int poll) {
    int connection, on = 1;
    while ((connection = accept4(listener, NULL, NULL, SOCK_NONBLOCK)) >= 0) {
        if (connection >= capacity) fail("too many connections");
        setsockopt(connection, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        has_replied[connection] = 0;
        struct epoll_event event = { .events = EPOLLIN, .data.fd = connection };
        if (epoll_ctl(poll, EPOLL_CTL_ADD, connection, &event) != 0) fail("epoll_ctl");
    }
}

// Reads a request, which must arrive in one piece; clients send the next one only after the reply.
static void receive(int connection, double latency) {
    char head[8192];
    ssize_t count = recv(connection, head, sizeof head, 0);
    if (count <= 0) {
        if (count == 0 || errno != EAGAIN) close(connection);
        return;
    }
    if (count < 4 || memcmp(head + count - 4, "\r\n\r\n", 4) != 0) fail("incomplete request");
    if (has_replied[connection]) put(&later_replies, now() + latency, connection);
    else put(&first_replies, now() + 2 * latency, connection);
    has_replied[connection] = 1;
}

int main(int count, char **arguments) {
    if (count != 4) return 2;
    double latency = atof(arguments[2]);
    size_t bytes = strtoul(arguments[3], NULL, 10);
    int head = sprintf(reply, "HTTP/1.1 200 OK\r\nContent-Type: image/jpeg\r\nContent-Length: %zu\r\n\r\n", bytes);
    reply_bytes = head + bytes;
    if (reply_bytes > sizeof reply) return 2;

    struct sockaddr_in address = { .sin_family = AF_INET, .sin_port = htons(atoi(arguments[1])) };
    int on = 1, buffer = 2 * sizeof reply, poll = epoll_create1(0);
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    setsockopt(listener, SOL_SOCKET, SO_SNDBUF, &buffer, sizeof buffer);
    if (bind(listener, (struct sockaddr *)&address, sizeof address) != 0 || listen(listener, 4096) != 0) fail("listen");
    struct epoll_event event = { .events = EPOLLIN, .data.fd = listener };
    epoll_ctl(poll, EPOLL_CTL_ADD, listener, &event);

    struct epoll_event events[256];
    for (;;) {
        int soon = serve(&later_replies), late = serve(&first_replies);
        int wait = soon < 0 || (late >= 0 && late < soon) ? late : soon;
        int ready = epoll_wait(poll, events, 256, wait);
        for (int index = 0; index < ready; index++) {
            if (events[index].data.fd == listener) accept_all(listener, poll);
            else receive(events[index].data.fd, latency);
        }
    }
}
