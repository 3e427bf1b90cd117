// SPDX-License-Identifier: MIT

import Testing

@testable import SluiceFiles

@Suite("Linux kernel", .timeLimit(.minutes(10))) struct LinuxKernelTests {
    @Test(
        "The version of a release is compared by its numbers",
        arguments: [
            ("5.8.0", true), ("5.10.0-28-amd64", true), ("6.1", true), ("10.0.1", true), ("5.7.19", false),
            ("4.19.0-26-amd64", false), ("5.4.0-150-generic", false), ("6", false), ("", false), ("x.y", false),
        ])
    func releases(_ release: String, isNewer: Bool) {
        #expect(LinuxKernel.isAtLeast((5, 8), release: release) == isNewer)
    }
}
