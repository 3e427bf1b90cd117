// SPDX-License-Identifier: MIT
#pragma once
#include <avif/avif.h>
