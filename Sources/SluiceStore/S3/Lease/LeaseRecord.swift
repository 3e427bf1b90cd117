// SPDX-License-Identifier: MIT

internal import SluiceModel

/// The content of a lease object.
package struct LeaseRecord: Sendable, Hashable {
    /// The writer that holds the lease: a text that no other writer has.
    package var holder: String
    /// Where the holder keeps its state, for messages.
    package var place: String
    /// The writer that has the newest ledger: the holder, or an earlier one whose ledger the holder has yet to load.
    package var ledger: String
    /// How long the lease is valid after each renewal, in seconds.
    package var seconds: Int
    /// Whether the holder has ended, so that another writer need not wait.
    package var isReleased = false
    /// The number of renewals, which makes each version different.
    var number = 0

    /// The largest record in bytes.
    static let limit = 8 << 10

    init(holder: String, place: String, ledger: String, seconds: Int) {
        (self.holder, self.place, self.ledger, self.seconds) = (holder, place, ledger, seconds)
    }

    /// Parses a record; `nil` if it is malformed.
    init?(_ bytes: [UInt8]) {
        guard let json = try? JSON(parsing: bytes), let holder = json["holder"]?.text,
            let place = json["place"]?.text, let ledger = json["ledger"]?.text,
            let seconds = json["seconds"]?.quantity, let number = json["number"]?.quantity
        else { return nil }
        self.init(holder: holder, place: place, ledger: ledger, seconds: seconds)
        (isReleased, self.number) = (json["released"] == .bool(true), number)
    }

    /// The record as JSON.
    var bytes: [UInt8] {
        var writer = JSONWriter()
        writer.object { object in
            object.member("schema", 1)
            object.member("holder", holder)
            object.member("place", place)
            object.member("ledger", ledger)
            object.member("seconds", seconds)
            object.member("released", isReleased)
            object.member("number", number)
        }
        writer.newline()
        return writer.bytes
    }
}
