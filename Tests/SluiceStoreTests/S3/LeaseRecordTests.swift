// SPDX-License-Identifier: MIT

import Testing

@testable import SluiceStore

@Suite("LeaseRecord", .timeLimit(.minutes(10))) struct LeaseRecordTests {
    private func parse(seconds: String, number: String) -> LeaseRecord? {
        let text = #"{"holder": "h", "place": "p", "ledger": "l", "seconds": \#(seconds), "number": \#(number)}"#
        return LeaseRecord(Array(text.utf8))
    }

    @Test("A record survives encoding and parsing")
    func roundTrip() {
        var record = LeaseRecord(holder: "a", place: "host:/b", ledger: "c", seconds: 60)
        record.isReleased = true
        record.number = 7
        #expect(LeaseRecord(record.bytes) == record)
    }

    /// The arithmetic of the next writer overflowed, which ended its process.
    @Test(
        "Records with impossible numbers are malformed",
        arguments: ["9223372036854775807", "-9223372036854775808", "-1", "1e18", "1.5"])
    func extremes(_ number: String) {
        #expect(parse(seconds: "60", number: "1") != nil)
        #expect(parse(seconds: number, number: "1") == nil)
        #expect(parse(seconds: "60", number: number) == nil)
    }
}
