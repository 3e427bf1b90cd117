// SPDX-License-Identifier: MIT

import Foundation
import SluiceFiles
import TestSupport
import Testing

@Suite("Descriptor reserve", .timeLimit(.minutes(10))) struct DescriptorReserveTests {
    @Test("A descriptor close to the limit is closed and refused, and others are admitted")
    func admission() throws {
        let limit = Int32(clamping: sysconf(Int32(_SC_OPEN_MAX)))
        let low = unsafe open("/dev/null", O_RDONLY)
        #expect(DescriptorReserve.admit(low) == low && DescriptorReserve.admit(-1) == -1)
        let high = fcntl(low, F_DUPFD, limit - 1)
        #expect(high == limit - 1 && DescriptorReserve.admit(high) == -1 && errno == EMFILE)
        #expect(fcntl(high, F_GETFD) == -1)
        close(low)
    }
}
