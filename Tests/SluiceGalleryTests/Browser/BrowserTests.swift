// SPDX-License-Identifier: MIT

import TestSupport
import Testing

/// The gallery as its readers have it: in a real browser, from `file://`.
///
/// One browser at a time: several would starve each other of the machine's cores.
@Suite(
    "Gallery in Chromium", .serialized, .timeLimit(.minutes(10)),
    .enabled(if: Browser.isWanted, "chromium and chromedriver are not installed (Scripts/setup --browser)"))
enum BrowserTests {}
