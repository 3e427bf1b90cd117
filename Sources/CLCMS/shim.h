// SPDX-License-Identifier: MIT
#pragma once
#include <lcms2.h>
