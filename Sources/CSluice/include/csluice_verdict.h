// SPDX-License-Identifier: MIT
#pragma once

/// How a call into a codec went; once a reader or writer has failed, every later call gives the same verdict.
///
/// It exists because libjpeg and libpng report an error by jumping out of the call: each function here catches the
/// jump in C and returns one of these instead, so that no jump ever crosses a Swift frame.
typedef enum __attribute__((enum_extensibility(closed))) {
    csluice_verdict_ok __attribute__((swift_name("ok"))) = 0,
    /// The data is broken.
    csluice_verdict_corrupt __attribute__((swift_name("corrupt"))),
    /// The data ends before the picture does.
    csluice_verdict_truncated __attribute__((swift_name("truncated"))),
    /// The data is of a kind that the library does not do.
    csluice_verdict_unsupported __attribute__((swift_name("unsupported"))),
    /// The memory that was allowed, or that there is, does not suffice.
    csluice_verdict_memory __attribute__((swift_name("memory"))),
    /// The file could not be read.
    csluice_verdict_disk __attribute__((swift_name("disk"))),
} csluice_verdict __attribute__((swift_name("CodecVerdict")));
