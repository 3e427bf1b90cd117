// SPDX-License-Identifier: MIT
#pragma once

#include "csluice_hevc.h"
#include "csluice_input.h"
#include "csluice_jpeg.h"
#include "csluice_jpeg_decoder.h"
#include "csluice_jxl.h"
#include "csluice_memory.h"
#include "csluice_png.h"
#include "csluice_png_decoder.h"
#include "csluice_resample.h"
#include "csluice_status.h"
#include "csluice_tiff.h"
