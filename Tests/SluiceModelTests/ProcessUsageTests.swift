// SPDX-License-Identifier: MIT

import Foundation
import SluiceModel
import Testing

@Suite("Process usage", .timeLimit(.minutes(10))) struct ProcessUsageTests {
    @Test("The CPU time of a process is read, and of a missing one there is none")
    func otherProcess() throws {
        let before = ProcessUsage.cpu
        let time = try #require(ProcessUsage.cpu(of: getpid()))
        // The system counts in hundredths of a second.
        #expect(time >= before - 0.05 && time <= ProcessUsage.cpu + 0.05)
        #expect(ProcessUsage.cpu(of: -1) == nil)
    }
}
