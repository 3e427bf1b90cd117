// SPDX-License-Identifier: MIT
#ifdef __linux__

#include <libxml/HTMLparser.h>
#include <libxml/SAX2.h>
#include <libxml/parser.h>
#include <libxml/parserInternals.h>

#include "forward.h"

#define XML(type, name, parameters, arguments) FORWARD(clibraries_xml2, type, name, parameters, arguments)

// The error is constant in newer versions.
typedef __typeof__(xmlCtxtGetLastError(NULL)) last_error;

XML(xmlParserCtxtPtr, xmlCreatePushParserCtxt,
    (xmlSAXHandlerPtr handler, void *context, const char *bytes, int count, const char *file),
    (handler, context, bytes, count, file))
XML(void, xmlFreeParserCtxt, (xmlParserCtxtPtr parser), (parser))
XML(int, xmlCtxtUseOptions, (xmlParserCtxtPtr parser, int options), (parser, options))
XML(int, xmlParseChunk, (xmlParserCtxtPtr parser, const char *bytes, int count, int is_last),
    (parser, bytes, count, is_last))
XML(void, xmlStopParser, (xmlParserCtxtPtr parser), (parser))
XML(last_error, xmlCtxtGetLastError, (void *parser), (parser))
XML(int, xmlSAX2GetLineNumber, (void *parser), (parser))
XML(void, xmlFreeDoc, (xmlDocPtr document), (document))
XML(htmlParserCtxtPtr, htmlCreatePushParserCtxt,
    (htmlSAXHandlerPtr handler, void *context, const char *bytes, int count, const char *file,
        xmlCharEncoding encoding),
    (handler, context, bytes, count, file, encoding))
XML(int, htmlParseChunk, (htmlParserCtxtPtr parser, const char *bytes, int count, int is_last),
    (parser, bytes, count, is_last))
XML(int, htmlCtxtUseOptions, (htmlParserCtxtPtr parser, int options), (parser, options))
XML(void, htmlFreeParserCtxt, (htmlParserCtxtPtr parser), (parser))
XML(xmlCharEncodingHandlerPtr, xmlFindCharEncodingHandler, (const char *name), (name))
XML(int, xmlSwitchToEncoding, (xmlParserCtxtPtr parser, xmlCharEncodingHandlerPtr handler), (parser, handler))
XML(void, xmlFreeEnumeration, (xmlEnumerationPtr values), (values))

#endif
