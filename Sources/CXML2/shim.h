// SPDX-License-Identifier: MIT
#pragma once
#include <libxml/parser.h>
