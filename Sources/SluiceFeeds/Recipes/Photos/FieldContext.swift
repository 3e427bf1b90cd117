// SPDX-License-Identifier: MIT

internal import SluiceModel

/// The values at which the paths of a recipe begin.
struct FieldContext: Sendable {
    /// The record of the photo.
    var record: JSON
    /// The reply that contains the record.
    var reply = JSON.null
    /// The element of the record that is the photo, if a record has several photos.
    var element: JSON?
    /// The number of the photo in its record, from 1.
    var number = 1

    init(_ record: JSON, of reply: JSON = .null) {
        self.record = record
        self.reply = reply
    }
}
