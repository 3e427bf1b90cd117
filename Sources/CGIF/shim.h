// SPDX-License-Identifier: MIT
#pragma once
#include <gif_lib.h>
