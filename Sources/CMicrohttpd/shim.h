// SPDX-License-Identifier: MIT
#pragma once
#include <arpa/inet.h>
#include <errno.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdbool.h>
#include <string.h>
#include <sys/socket.h>

/// The callbacks of a daemon; each receives `cls`.
struct cmhd_callbacks {
  MHD_AccessHandlerCallback _Nonnull handle;
  void *_Nullable (*_Nonnull begin)(void *_Nullable cls, const char *_Nonnull uri,
                                    struct MHD_Connection *_Nonnull connection);
  MHD_RequestCompletedCallback _Nonnull complete;
  MHD_NotifyConnectionCallback _Nonnull connection;
  void *_Nonnull cls;
};

/// Starts a daemon on an IPv4 or IPv6 address; returns NULL and sets errno if it cannot listen.
///
/// Connections without progress are closed after `idle_seconds`, or never if that is 0.
///
/// Exists because MHD_start_daemon is variadic, which Swift cannot call.
static inline struct MHD_Daemon *_Nullable
cmhd_start(const char *_Nonnull host, uint16_t port, unsigned threads, unsigned connections,
           unsigned idle_seconds, const struct cmhd_callbacks *_Nonnull calls) {
  union {
    struct sockaddr_in four;
    struct sockaddr_in6 six;
  } address;
  memset(&address, 0, sizeof address);
  unsigned flags = MHD_USE_AUTO_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ITC;
  if (inet_pton(AF_INET, host, &address.four.sin_addr) == 1) {
    address.four.sin_family = AF_INET;
    address.four.sin_port = htons(port);
  } else if (inet_pton(AF_INET6, host, &address.six.sin6_addr) == 1) {
    address.six.sin6_family = AF_INET6;
    address.six.sin6_port = htons(port);
    // The unspecified address accepts IPv4 connections, too.
    flags |= IN6_IS_ADDR_UNSPECIFIED(&address.six.sin6_addr) ? MHD_USE_DUAL_STACK : MHD_USE_IPv6;
  } else {
    errno = EINVAL;
    return NULL;
  }
  return MHD_start_daemon(
      flags, port, NULL, NULL,
      calls->handle, calls->cls,
      MHD_OPTION_SOCK_ADDR, (struct sockaddr *)&address,
      MHD_OPTION_THREAD_POOL_SIZE, threads,
      MHD_OPTION_CONNECTION_LIMIT, connections,
      MHD_OPTION_CONNECTION_TIMEOUT, idle_seconds,
      MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)16384,
      MHD_OPTION_LISTEN_BACKLOG_SIZE, 4096u,
      MHD_OPTION_URI_LOG_CALLBACK, calls->begin, calls->cls,
      MHD_OPTION_NOTIFY_COMPLETED, calls->complete, calls->cls,
      MHD_OPTION_NOTIFY_CONNECTION, calls->connection, calls->cls,
      MHD_OPTION_END);
}

/// Returns the port that a daemon listens on.
///
/// Exists because MHD_get_daemon_info is variadic, which Swift cannot call.
static inline uint16_t cmhd_port(struct MHD_Daemon *_Nonnull daemon) {
  const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT);
  return info ? info->port : 0;
}

/// Returns the socket of a connection, or -1.
///
/// Exists because MHD_get_connection_info is variadic, which Swift cannot call.
static inline int cmhd_socket(struct MHD_Connection *_Nonnull connection) {
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  return info ? info->connect_fd : -1;
}

/// Ends communication on a connection; the server then closes it.
static inline void cmhd_shut_down(struct MHD_Connection *_Nonnull connection) {
  shutdown(cmhd_socket(connection), SHUT_RDWR);
}

/// Returns a number for the client's network: its IPv4 address, or the first 64 bits of its IPv6 address.
///
/// Exists because MHD_get_connection_info is variadic, which Swift cannot call.
static inline uint64_t cmhd_client_network(struct MHD_Connection *_Nonnull connection) {
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
  if (!info || !info->client_addr) return 0;
  if (info->client_addr->sa_family == AF_INET)
    return ntohl(((const struct sockaddr_in *)info->client_addr)->sin_addr.s_addr);
  if (info->client_addr->sa_family != AF_INET6) return 0;
  const struct in6_addr *six = &((const struct sockaddr_in6 *)info->client_addr)->sin6_addr;
  uint64_t number = 0;
  for (int i = 0; i < 8; i++) number = number << 8 | six->s6_addr[IN6_IS_ADDR_V4MAPPED(six) ? i + 8 : i];
  return IN6_IS_ADDR_V4MAPPED(six) ? number & 0xFFFFFFFF : number;
}

/// The size of a body with unknown length, which is sent in chunks.
///
/// Exists because MHD_SIZE_UNKNOWN is a macro that contains a cast, which Swift does not import.
static inline uint64_t cmhd_size_unknown(void) { return MHD_SIZE_UNKNOWN; }

/// The results of a content reader at the body's end, and to close the connection.
///
/// They exist because the macros contain casts, which Swift does not import.
static inline ssize_t cmhd_end_of_stream(void) { return MHD_CONTENT_READER_END_OF_STREAM; }
static inline ssize_t cmhd_end_with_error(void) { return MHD_CONTENT_READER_END_WITH_ERROR; }

/// Whether the client has closed its side of a connection.
///
/// Exists because POLLRDHUP is declared only for GNU sources and does not exist on Darwin.
static inline bool cmhd_is_abandoned(struct MHD_Connection *_Nonnull connection) {
#if defined(__linux__)
  const short closed = 0x2000;  // POLLRDHUP
#else
  const short closed = POLLHUP;
#endif
  struct pollfd state = {cmhd_socket(connection), closed, 0};
  return poll(&state, 1, 0) != 0;
}

/// Conversions between libmicrohttpd's enums and Booleans.
///
/// They exist because libmicrohttpd's versions declare the enums differently, and Swift then imports their cases under
/// different names.
static inline enum MHD_Result cmhd_result(bool is_good) { return is_good ? MHD_YES : MHD_NO; }
static inline bool cmhd_is_good(enum MHD_Result result) { return result == MHD_YES; }
static inline bool cmhd_is_start(enum MHD_ConnectionNotificationCode code) {
  return code == MHD_CONNECTION_NOTIFY_STARTED;
}

/// Reads a request's header fields.
///
/// Exists because libmicrohttpd's versions declare the result of the iterator differently.
static inline void cmhd_headers(struct MHD_Connection *_Nonnull connection,
                                MHD_KeyValueIterator _Nonnull each, void *_Nonnull cls) {
  MHD_get_connection_values(connection, MHD_HEADER_KIND, each, cls);
}
