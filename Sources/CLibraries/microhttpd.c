// SPDX-License-Identifier: MIT
#ifdef __linux__

#include <stdarg.h>

#include <microhttpd.h>

#include "forward.h"

#define MHD(type, name, parameters, arguments) FORWARD(clibraries_microhttpd, type, name, parameters, arguments)

// The declared results differ between versions.
typedef __typeof__(MHD_add_response_header(NULL, NULL, NULL)) result;
typedef __typeof__(MHD_get_connection_values(NULL, MHD_HEADER_KIND, NULL, NULL)) number;

HIDDEN struct MHD_Daemon *MHD_start_daemon(unsigned flags, uint16_t port, MHD_AcceptPolicyCallback accept,
                                           void *accept_context, MHD_AccessHandlerCallback handle,
                                           void *handle_context, ...) {
    va_list options;
    va_start(options, handle_context);
    struct MHD_Daemon *daemon = LOADED(clibraries_microhttpd, MHD_start_daemon_va)(
        flags, port, accept, accept_context, handle, handle_context, options);
    va_end(options);
    return daemon;
}

// These take no further arguments for the facts that Sluice asks for.
HIDDEN const union MHD_DaemonInfo *MHD_get_daemon_info(struct MHD_Daemon *daemon, enum MHD_DaemonInfoType type, ...) {
    return LOADED(clibraries_microhttpd, MHD_get_daemon_info)(daemon, type);
}

HIDDEN const union MHD_ConnectionInfo *MHD_get_connection_info(struct MHD_Connection *connection,
                                                               enum MHD_ConnectionInfoType type, ...) {
    return LOADED(clibraries_microhttpd, MHD_get_connection_info)(connection, type);
}

MHD(const char *, MHD_get_version, (void), ())
MHD(void, MHD_stop_daemon, (struct MHD_Daemon *daemon), (daemon))
MHD(number, MHD_get_connection_values,
    (struct MHD_Connection *connection, enum MHD_ValueKind kind, MHD_KeyValueIterator each, void *context),
    (connection, kind, each, context))
MHD(void, MHD_suspend_connection, (struct MHD_Connection *connection), (connection))
MHD(void, MHD_resume_connection, (struct MHD_Connection *connection), (connection))
MHD(struct MHD_Response *, MHD_create_response_from_callback,
    (uint64_t size, size_t block, MHD_ContentReaderCallback read, void *context, MHD_ContentReaderFreeCallback end),
    (size, block, read, context, end))
MHD(result, MHD_add_response_header, (struct MHD_Response *response, const char *name, const char *value),
    (response, name, value))
MHD(result, MHD_queue_response, (struct MHD_Connection *connection, unsigned status, struct MHD_Response *response),
    (connection, status, response))
MHD(void, MHD_destroy_response, (struct MHD_Response *response), (response))

#endif
