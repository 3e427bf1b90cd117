// SPDX-License-Identifier: MIT

import TestSupport
import Testing

/// Tests of the gallery in a real browser, opened from `file://`.
///
/// They run one at a time, because several browsers would compete for the machine's cores.
@Suite(
    "Gallery in Chromium", .serialized, .timeLimit(.minutes(10)),
    .enabled(if: Browser.isWanted, "chromium and chromedriver are not installed (Scripts/setup --browser)"))
enum BrowserTests {}
