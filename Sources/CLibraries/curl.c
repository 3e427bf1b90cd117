// SPDX-License-Identifier: MIT
#ifdef __linux__

// Without it, curl_easy_setopt and some other functions are macros.
#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>
#undef curl_easy_getinfo
#undef curl_easy_setopt
#undef curl_multi_setopt
#undef curl_share_setopt

#include <stdarg.h>

#include "forward.h"

#define CURL_FORWARD(type, name, parameters, arguments) FORWARD(clibraries_curl, type, name, parameters, arguments)

/// Defines a function whose last argument may have several types: pointers, `long` and `curl_off_t`, which are passed
/// in the same way where pointers have 64 bits.
#define CURL_FORWARD_ANY(type, name, handle_type, option_type) \
    HIDDEN type name(handle_type *handle, option_type option, ...) { \
        va_list list; \
        va_start(list, option); \
        void *value = va_arg(list, void *); \
        va_end(list); \
        return LOADED(clibraries_curl, name)(handle, option, value); \
    }
_Static_assert(sizeof(void *) == sizeof(curl_off_t) && sizeof(void *) == sizeof(long), "options have one size");

// The handle is constant in newer versions.
typedef __typeof__(_Generic(
    &curl_url_get, CURLUcode (*)(CURLU *, CURLUPart, char **, unsigned): (CURLU *)0, default: (const CURLU *)0))
    read_url;

CURL_FORWARD(CURLcode, curl_global_init, (long flags), (flags))
CURL_FORWARD(curl_version_info_data *, curl_version_info, (CURLversion version), (version))
CURL_FORWARD(void, curl_free, (void *memory), (memory))
CURL_FORWARD(time_t, curl_getdate, (const char *text, const time_t *unused), (text, unused))
CURL_FORWARD(struct curl_slist *, curl_slist_append, (struct curl_slist *list, const char *text), (list, text))
CURL_FORWARD(void, curl_slist_free_all, (struct curl_slist *list), (list))

CURL_FORWARD(CURL *, curl_easy_init, (void), ())
CURL_FORWARD(void, curl_easy_cleanup, (CURL *handle), (handle))
CURL_FORWARD_ANY(CURLcode, curl_easy_setopt, CURL, CURLoption)
CURL_FORWARD_ANY(CURLcode, curl_easy_getinfo, CURL, CURLINFO)
CURL_FORWARD(CURLcode, curl_easy_pause, (CURL *handle, int directions), (handle, directions))
CURL_FORWARD(const char *, curl_easy_strerror, (CURLcode code), (code))

CURL_FORWARD(CURLM *, curl_multi_init, (void), ())
CURL_FORWARD(CURLMcode, curl_multi_cleanup, (CURLM *multi), (multi))
CURL_FORWARD_ANY(CURLMcode, curl_multi_setopt, CURLM, CURLMoption)
CURL_FORWARD(CURLMcode, curl_multi_add_handle, (CURLM *multi, CURL *handle), (multi, handle))
CURL_FORWARD(CURLMcode, curl_multi_remove_handle, (CURLM *multi, CURL *handle), (multi, handle))
CURL_FORWARD(CURLMcode, curl_multi_socket_action, (CURLM *multi, curl_socket_t socket, int events, int *running),
             (multi, socket, events, running))
CURL_FORWARD(CURLMsg *, curl_multi_info_read, (CURLM *multi, int *remaining), (multi, remaining))

CURL_FORWARD(CURLSH *, curl_share_init, (void), ())
CURL_FORWARD(CURLSHcode, curl_share_cleanup, (CURLSH *share), (share))
CURL_FORWARD_ANY(CURLSHcode, curl_share_setopt, CURLSH, CURLSHoption)

CURL_FORWARD(CURLU *, curl_url, (void), ())
CURL_FORWARD(void, curl_url_cleanup, (CURLU *url), (url))
CURL_FORWARD(CURLUcode, curl_url_get, (read_url url, CURLUPart part, char **text, unsigned flags),
             (url, part, text, flags))
CURL_FORWARD(CURLUcode, curl_url_set, (CURLU *url, CURLUPart part, const char *text, unsigned flags),
             (url, part, text, flags))

#endif
