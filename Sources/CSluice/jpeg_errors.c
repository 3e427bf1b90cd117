// SPDX-License-Identifier: MIT
#include "jpeg_errors.h"

#include <string.h>

#include <jerror.h>

static csluice_status status_of(int code) {
    switch (code) {
    case JERR_OUT_OF_MEMORY:
    case JERR_NO_BACKING_STORE:
        return csluice_status_memory;
    case JERR_BAD_PRECISION:
    case JERR_SOF_UNSUPPORTED:
    case JERR_ARITH_NOTIMPL:
    case JERR_NOT_COMPILED:
    case JERR_CONVERSION_NOTIMPL:
    case JERR_COMPONENT_COUNT:
    case JERR_CCIR601_NOTIMPL:
    case JERR_FRACT_SAMPLE_NOTIMPL:
        return csluice_status_unsupported;
    case JERR_INPUT_EMPTY:
    case JERR_INPUT_EOF:
        return csluice_status_truncated;
    default:
        return csluice_status_corrupt;
    }
}

/// Returns whether a scan refines coefficients that no earlier scan has sent. A scan before its blocks' DC values is
/// only odd if those follow.
static int lacks_scan(j_common_ptr cinfo) {
    return ((j_decompress_ptr)cinfo)->Ss == 0 || cinfo->err->msg_parm.i[1] != 0;
}

/// Returns whether pixels had to be invented. Extra bytes, irrelevant scan parameters and unknown markers do no harm.
static int is_damage(j_common_ptr cinfo) {
    switch (cinfo->err->msg_code) {
    case JWRN_BOGUS_PROGRESSION:
        return lacks_scan(cinfo);
    case JWRN_HIT_MARKER:
    case JWRN_HUFF_BAD_CODE:
    case JWRN_MUST_RESYNC:
    case JWRN_ARITH_BAD_CODE:
        return 1;
    default:
        return 0;
    }
}

static void error_exit(j_common_ptr cinfo) {
    csluice_jpeg_errors *errors = (csluice_jpeg_errors *)cinfo->err;
    errors->status = status_of(errors->base.msg_code);
    errors->base.format_message(cinfo, errors->message);
    longjmp(errors->jump_buffer, 1);
}

static void emit_message(j_common_ptr cinfo, int level) {
    if (level >= 0) return;  // a trace
    csluice_jpeg_errors *errors = (csluice_jpeg_errors *)cinfo->err;
    int damage = is_damage(cinfo);
    if (errors->damage == 0 && (damage || errors->harmless == 0)) {
        errors->base.format_message(cinfo, errors->message);
    }
    if (damage) {
        errors->damage++;
    } else {
        errors->harmless++;
    }
}

static void output_message(j_common_ptr cinfo) { (void)cinfo; }

struct jpeg_error_mgr *csluice_jpeg_errors_init(csluice_jpeg_errors *errors) {
    memset(errors, 0, sizeof *errors);
    jpeg_std_error(&errors->base);
    errors->base.error_exit = error_exit;
    errors->base.emit_message = emit_message;
    errors->base.output_message = output_message;
    return &errors->base;
}

void csluice_jpeg_add_damage(j_common_ptr cinfo, const char *message) {
    csluice_jpeg_errors *errors = (csluice_jpeg_errors *)cinfo->err;
    if (errors->damage++ == 0) snprintf(errors->message, sizeof errors->message, "%s", message);
}

_Noreturn void csluice_jpeg_fail(j_common_ptr cinfo, csluice_status status, const char *message) {
    csluice_jpeg_errors *errors = (csluice_jpeg_errors *)cinfo->err;
    errors->status = status;
    snprintf(errors->message, sizeof errors->message, "%s", message);
    longjmp(errors->jump_buffer, 1);
}
