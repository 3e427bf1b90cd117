// SPDX-License-Identifier: MIT
#pragma once
// The handlers of encodings refer to ICU. Foundation has ICU in another version, and a program that imports both would
// not compile. Nothing here uses the fields of handlers.
#include <libxml/xmlversion.h>
#undef LIBXML_ICU_ENABLED
#include <libxml/HTMLparser.h>
#include <libxml/SAX2.h>
#include <libxml/parser.h>
#include <libxml/parserInternals.h>
