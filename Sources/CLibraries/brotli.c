// SPDX-License-Identifier: MIT
#ifdef __linux__

#include <brotli/decode.h>

#include "forward.h"

FORWARD(clibraries_brotlidec, BrotliDecoderResult, BrotliDecoderDecompress,
        (size_t input_size, const uint8_t *input, size_t *output_size, uint8_t *output),
        (input_size, input, output_size, output))

#endif
