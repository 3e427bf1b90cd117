// SPDX-License-Identifier: MIT
#pragma once
// jpeglib.h uses size_t and FILE without including them.
#include <stddef.h>
#include <stdio.h>
#include <jpeglib.h>
