// SPDX-License-Identifier: MIT
#pragma once

// The functions here exist because curl_easy_setopt and curl_easy_getinfo are variadic macros, which Swift cannot
// call: there is one typed function for each kind of argument.

#include <curl/curl.h>
#include <string.h>

static inline CURLcode ccurl_set_long(CURL *_Nonnull handle, CURLoption option, long value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode ccurl_set_string(CURL *_Nonnull handle, CURLoption option, const char *_Nullable value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode ccurl_set_list(CURL *_Nonnull handle, CURLoption option, struct curl_slist *_Nullable value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode ccurl_set_pointer(CURL *_Nonnull handle, CURLoption option, void *_Nullable value) {
    return curl_easy_setopt(handle, option, value);
}

/// Refuses every scheme except http and https. Exists because libcurl 7.85 replaced the option, and Ubuntu 22.04 has
/// an older libcurl.
static inline CURLcode ccurl_restrict_to_http(CURL *_Nonnull handle) {
#if LIBCURL_VERSION_NUM >= 0x075500
    return curl_easy_setopt(handle, CURLOPT_PROTOCOLS_STR, "http,https");
#else
    return curl_easy_setopt(handle, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#endif
}

/// Named here because newer versions of libcurl type these names differently, and deprecate the option's.
static const long ccurl_netrc_optional = CURL_NETRC_OPTIONAL;
#if LIBCURL_VERSION_NUM >= 0x075500
static const CURLoption ccurl_protocols = CURLOPT_PROTOCOLS_STR;
#else
static const CURLoption ccurl_protocols = CURLOPT_PROTOCOLS;
#endif

/// Moves to another offset of the request's body: the context, the offset, and what it counts from.
typedef int (*ccurl_seek_callback)(void *_Nullable, curl_off_t, int);

static inline CURLcode ccurl_set_seek_callback(CURL *_Nonnull handle, ccurl_seek_callback _Nonnull value) {
    return curl_easy_setopt(handle, CURLOPT_SEEKFUNCTION, value);
}

/// Receives headers or body data, or supplies the request's body: the bytes, 1, their count, and the context.
typedef size_t (*ccurl_data_callback)(char *_Nonnull, size_t, size_t, void *_Nullable);

static inline CURLcode ccurl_set_data_callback(CURL *_Nonnull handle, CURLoption option,
                                               ccurl_data_callback _Nonnull value) {
    return curl_easy_setopt(handle, option, value);
}

/// Opens a socket for libcurl: the context, the purpose, and the address that libcurl will connect to.
typedef curl_socket_t (*ccurl_open_socket_callback)(void *_Nullable, curlsocktype, struct curl_sockaddr *_Nonnull);

static inline CURLcode ccurl_set_open_socket_callback(CURL *_Nonnull handle,
                                                      ccurl_open_socket_callback _Nonnull value) {
    return curl_easy_setopt(handle, CURLOPT_OPENSOCKETFUNCTION, value);
}

/// The result for header lines that are too long. Exists because libcurl has its name since 8.6.
static const CURLcode ccurl_too_large = (CURLcode)100;

/// Closes a socket that libcurl no longer needs: the context and the socket.
typedef int (*ccurl_close_socket_callback)(void *_Nullable, curl_socket_t);

static inline CURLcode ccurl_set_close_socket_callback(CURL *_Nonnull handle,
                                                       ccurl_close_socket_callback _Nonnull value) {
    return curl_easy_setopt(handle, CURLOPT_CLOSESOCKETFUNCTION, value);
}

/// Receives libcurl's log: the transfer, the kind of entry, its bytes, their count, and the context.
typedef int (*ccurl_debug_callback)(CURL *_Nullable, curl_infotype, char *_Nullable, size_t, void *_Nullable);

static inline CURLcode ccurl_set_debug_callback(CURL *_Nonnull handle, ccurl_debug_callback _Nonnull value) {
    return curl_easy_setopt(handle, CURLOPT_DEBUGFUNCTION, value);
}

/// Returns the socket of a finished transfer's connection, or CURL_SOCKET_BAD if the connection is closed.
static inline curl_socket_t ccurl_active_socket(CURL *_Nonnull handle) {
    curl_socket_t socket = CURL_SOCKET_BAD;
    curl_easy_getinfo(handle, CURLINFO_ACTIVESOCKET, &socket);
    return socket;
}

/// Returns whether libcurl uses OpenSSL.
static inline int ccurl_uses_openssl(void) {
    const char *library = curl_version_info(CURLVERSION_NOW)->ssl_version;
    return library != NULL && strncmp(library, "OpenSSL/", 8) == 0;
}

/// Returns the `SSL` object of a running transfer's connection, or NULL without TLS. libcurl must use OpenSSL.
static inline void *_Nullable ccurl_openssl_connection(CURL *_Nonnull handle) {
    struct curl_tlssessioninfo *session = NULL;
    if (curl_easy_getinfo(handle, CURLINFO_TLS_SSL_PTR, &session) != CURLE_OK || session == NULL ||
        session->backend != CURLSSLBACKEND_OPENSSL)
        return NULL;
    return session->internals;
}

/// The flag that makes curl_url_get return a host in Punycode, or 0. Exists because libcurl has it since 7.88, and
/// Ubuntu 22.04 has an older libcurl.
#ifdef CURLU_PUNYCODE
static const int ccurl_punycode_flag = CURLU_PUNYCODE;
#else
static const int ccurl_punycode_flag = 0;
#endif

static inline CURLcode ccurl_get_pointer(CURL *_Nonnull handle, CURLINFO info, void *_Nullable *_Nonnull value) {
    return curl_easy_getinfo(handle, info, value);
}

static inline CURLcode ccurl_get_long(CURL *_Nonnull handle, CURLINFO info, long *_Nonnull value) {
    return curl_easy_getinfo(handle, info, value);
}

static inline CURLcode ccurl_get_offset(CURL *_Nonnull handle, CURLINFO info, curl_off_t *_Nonnull value) {
    return curl_easy_getinfo(handle, info, value);
}

static inline CURLMcode ccurl_multi_set_long(CURLM *_Nonnull multi, CURLMoption option, long value) {
    return curl_multi_setopt(multi, option, value);
}

/// Called when libcurl starts or stops waiting for a socket: the transfer, the socket, the events, and the context.
typedef int (*ccurl_socket_callback)(CURL *_Nullable, curl_socket_t, int, void *_Nullable, void *_Nullable);
/// Called when libcurl sets its timer: the delay in milliseconds, or -1 to remove the timer.
typedef int (*ccurl_timer_callback)(CURLM *_Nonnull, long, void *_Nullable);

/// Sets both callbacks of a multi handle and their context; NULL removes them.
static inline void ccurl_multi_set_callbacks(
    CURLM *_Nonnull multi, ccurl_socket_callback _Nullable socket_callback,
    ccurl_timer_callback _Nullable timer_callback, void *_Nullable context) {
    curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, socket_callback);
    curl_multi_setopt(multi, CURLMOPT_SOCKETDATA, context);
    curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, timer_callback);
    curl_multi_setopt(multi, CURLMOPT_TIMERDATA, context);
}

/// Stands for "the timer expired" where a socket is expected. Exists because Swift does not import the macro.
static const curl_socket_t ccurl_socket_timeout = CURL_SOCKET_TIMEOUT;

/// Returns the versions and features of libcurl. Exists because Swift does not import the macro CURLVERSION_NOW.
static inline const curl_version_info_data *_Nonnull ccurl_version_info(void) {
    return curl_version_info(CURLVERSION_NOW);
}

/// Makes the handles of a share use `data` together.
static inline CURLSHcode ccurl_share(CURLSH *_Nonnull share, curl_lock_data data) {
    return curl_share_setopt(share, CURLSHOPT_SHARE, data);
}

/// Returns a message's result. Exists because Swift cannot read a member of an anonymous C union.
static inline CURLcode ccurl_result(const CURLMsg *_Nonnull message) {
    return message->data.result;
}
