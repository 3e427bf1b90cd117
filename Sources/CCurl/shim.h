// SPDX-License-Identifier: MIT
#pragma once

// The functions here exist because curl_easy_setopt and curl_easy_getinfo are variadic macros, which Swift cannot
// call: one typed function for each kind of argument.

#include <curl/curl.h>

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

/// Lets the handle speak http and https alone. Exists because the option changed its name with libcurl 7.85, and
/// Ubuntu 22.04 has an older one.
static inline CURLcode ccurl_allow_web(CURL *_Nonnull handle) {
#if LIBCURL_VERSION_NUM >= 0x075500
    return curl_easy_setopt(handle, CURLOPT_PROTOCOLS_STR, "http,https");
#else
    return curl_easy_setopt(handle, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#endif
}

/// What libcurl calls with data: the bytes, 1, their count, and the pointer that was set beside it.
typedef size_t (*ccurl_receiver)(char *_Nonnull, size_t, size_t, void *_Nullable);

static inline CURLcode ccurl_set_receiver(CURL *_Nonnull handle, CURLoption option, ccurl_receiver _Nonnull value) {
    return curl_easy_setopt(handle, option, value);
}

/// What libcurl calls in place of `socket`, with what it is about to connect to.
typedef curl_socket_t (*ccurl_opener)(void *_Nullable, curlsocktype, struct curl_sockaddr *_Nonnull);

static inline CURLcode ccurl_set_opener(CURL *_Nonnull handle, ccurl_opener _Nonnull value) {
    return curl_easy_setopt(handle, CURLOPT_OPENSOCKETFUNCTION, value);
}

/// Asks for a host in ASCII, where libcurl can give it. Exists because libcurl has it from 7.88 on, and Ubuntu 22.04
/// has an older one.
#ifdef CURLU_PUNYCODE
static const int ccurl_ascii_host = CURLU_PUNYCODE;
#else
static const int ccurl_ascii_host = 0;
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

/// What libcurl calls when it wants to be told of a socket: the exchange, the socket, what of, and the context.
typedef int (*ccurl_socket_watcher)(CURL *_Nullable, curl_socket_t, int, void *_Nullable, void *_Nullable);
/// What libcurl calls when it wants to be called again in so many milliseconds, or not at all (-1).
typedef int (*ccurl_timer)(CURLM *_Nonnull, long, void *_Nullable);

/// Has libcurl tell what it waits for; without functions it tells nobody.
static inline void ccurl_multi_watch(
    CURLM *_Nonnull multi, ccurl_socket_watcher _Nullable watcher, ccurl_timer _Nullable timer,
    void *_Nullable context) {
    curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, watcher);
    curl_multi_setopt(multi, CURLMOPT_SOCKETDATA, context);
    curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, timer);
    curl_multi_setopt(multi, CURLMOPT_TIMERDATA, context);
}

/// In place of a socket: one of libcurl's own timers has run out. Exists because Swift does not see the macro.
static const curl_socket_t ccurl_timeout = CURL_SOCKET_TIMEOUT;

/// Whether libcurl was built with c-ares. Exists because CURLVERSION_NOW is a macro that Swift does not see.
static inline int ccurl_has_ares(void) {
    return curl_version_info(CURLVERSION_NOW)->ares != NULL;
}

/// Has the share's users share what `data` says.
static inline CURLSHcode ccurl_share(CURLSH *_Nonnull share, curl_lock_data data) {
    return curl_share_setopt(share, CURLSHOPT_SHARE, data);
}

/// A message's result, which Swift cannot read by itself: it is a member of a C union.
static inline CURLcode ccurl_result(const CURLMsg *_Nonnull message) {
    return message->data.result;
}
