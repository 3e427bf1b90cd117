// SPDX-License-Identifier: MIT
#pragma once
#include <libxml/SAX2.h>
#include <libxml/parser.h>
