// SPDX-License-Identifier: MIT

/// A fact that a receipt records about an item's result.
///
/// ``all`` is the only list of these facts: the ledger and its migrations, both manifests, rebuilds, events and
/// datasets are derived from it, and tests compare the JSON schemas, the documentation and the Python types with it. To
/// add a fact, add a property to ``Receipt`` and an entry to the list.
///
/// It is a class because every place visits all fields of every receipt.
package final class ReceiptField: Sendable {
    /// Reads and sets a value; a setter ignores values that the property cannot hold.
    package struct Access<Value: Sendable>: Sendable {
        package let get: @Sendable (Receipt) -> Value?
        package let set: @Sendable (inout Receipt, Value?) -> Void

        init(_ get: @escaping @Sendable (Receipt) -> Value?, _ set: @escaping @Sendable (inout Receipt, Value?) -> Void)
        {
            (self.get, self.set) = (get, set)
        }
    }

    /// The type of the value.
    package enum Value: Sendable {
        case text(Access<String>)
        /// A count or a size, from 0.
        case number(Access<Int>)
        /// A width or height in pixels.
        case side(Access<Int>)
        /// The text of a JSON object.
        case object(Access<String>)
        /// The thumbnails: a JSON array in the ledger, in `manifest.jsonl` and in events, paths elsewhere.
        case thumbs
    }

    /// The member of the event `item-ended`.
    package enum EventMember: Sendable {
        case absent
        case value
        /// A text instead of the value.
        case text(@Sendable (Receipt) -> String?)
    }

    /// The name in the ledger, and elsewhere unless another name is stated.
    package let name: String
    /// The type of the value, and the property.
    package let value: Value
    /// The version of the ledger that added the column, for a new field its next version; `nil` if only events have it.
    package let ledger: Int?
    /// The place in the manifests, which lack facts that are valid only on one machine or in one run.
    package let manifest: ManifestColumn
    package let event: EventMember
    /// The name of a dataset's column.
    package let dataset: String?
    /// Whether a later run that keeps the original keeps the value, too.
    package let describesOriginal: Bool
    /// The value that manifests and events have if there is none.
    package let fallback: Value?
    /// The text that manifests have instead of the value, because it must be the same in every run.
    let reproducible: (@Sendable (Receipt) -> String?)?

    package init(
        _ name: String, _ value: Value, ledger: Int? = 1, manifest: ManifestColumn = .absent,
        event: EventMember = .absent,
        dataset: String? = nil, describesOriginal: Bool = false, fallback: Value? = nil,
        reproducible: (@Sendable (Receipt) -> String?)? = nil
    ) {
        (self.name, self.value, self.ledger, self.manifest, self.event) = (name, value, ledger, manifest, event)
        (self.dataset, self.describesOriginal) = (dataset, describesOriginal)
        (self.fallback, self.reproducible) = (fallback, reproducible)
    }

    /// The receipt's text, also that of an object; `nil` if it is missing or if the field has another type.
    package func text(of receipt: Receipt) -> String? {
        switch value {
        case .text(let access), .object(let access): access.get(receipt) ?? fallback?.text(of: receipt)
        case .number, .side, .thumbs: nil
        }
    }

    /// The text for the manifest.
    package func manifestText(of receipt: Receipt) -> String? {
        if let reproducible { reproducible(receipt) } else { text(of: receipt) }
    }

    /// The receipt's number; `nil` if it is missing or if the field has another type.
    package func number(of receipt: Receipt) -> Int? {
        switch value {
        case .number(let access), .side(let access): access.get(receipt) ?? fallback?.number(of: receipt)
        case .text, .object, .thumbs: nil
        }
    }

    /// Copies the value of another receipt.
    package func copy(from other: Receipt, to receipt: inout Receipt) {
        switch value {
        case .text(let access), .object(let access): access.set(&receipt, access.get(other))
        case .number(let access), .side(let access): access.set(&receipt, access.get(other))
        case .thumbs: receipt.thumbs = other.thumbs
        }
    }
}

extension ReceiptField.Value {
    fileprivate func text(of receipt: Receipt) -> String? {
        if case .text(let access) = self { access.get(receipt) } else { nil }
    }

    fileprivate func number(of receipt: Receipt) -> Int? {
        if case .number(let access) = self { access.get(receipt) } else { nil }
    }

    static func text(
        _ get: @escaping @Sendable (Receipt) -> String?, _ set: @escaping @Sendable (inout Receipt, String?) -> Void
    ) -> Self { .text(.init(get, set)) }

    static func number(
        _ get: @escaping @Sendable (Receipt) -> Int?, _ set: @escaping @Sendable (inout Receipt, Int?) -> Void
    ) -> Self { .number(.init(get, set)) }
}

extension ReceiptField {
    /// All fields, in the order of events; the state is the first.
    ///
    /// Setters of a failure and of an original follow the one that creates it.
    package static let all = [
        ReceiptField(
            "state",
            .text(
                { $0.state.rawValue },
                { receipt, text in receipt.state = text.flatMap(Receipt.State.init) ?? receipt.state }),
            manifest: .column(6)),
        ReceiptField(
            "cause",
            .text({ $0.failure?.cause.name }) { $0.failure = $1.map { Failure(Cause(name: $0) ?? .internal, "") } },
            manifest: .column(7), event: .value),
        ReceiptField(
            "detail", .text({ $0.failure?.detail }, { $0.failure?.detail = $1 ?? "" }), manifest: .column(30),
            event: .text { $0.failure.flatMap { $0.detail.isEmpty ? nil : $0.detail } },
            reproducible: { $0.failure?.reproducibleDetail }),
        ReceiptField("failure_status", failureStatus),
        ReceiptField("failure_url", failureURL),
        ReceiptField("variant", .text({ $0.variant }, { $0.variant = $1 }), manifest: .column(39), event: .value),
        ReceiptField("url", .text({ $0.url }, { $0.url = $1 }), manifest: .column(8), event: .value, dataset: "url"),
        ReceiptField(
            "final_url", .text({ $0.finalURL }, { $0.finalURL = $1 }), manifest: .column(9), event: .value,
            dataset: "final_url", describesOriginal: true, fallback: failureURL),
        ReceiptField(
            "status", .number({ $0.status }, { $0.status = $1 }), manifest: .column(10), event: .value,
            dataset: "http_status", describesOriginal: true, fallback: failureStatus),
        ReceiptField(
            "file",
            .text({ $0.original?.path }) { $0.original = $1.map { StoredFile(path: $0, bytes: 0, sha256: "") } },
            manifest: .column(11), event: .value, describesOriginal: true),
        ReceiptField(
            "bytes", .number({ $0.original?.bytes }) { $0.original = $0.original?.with(bytes: $1) },
            manifest: .column(12), event: .value, dataset: "bytes", describesOriginal: true),
        ReceiptField(
            "sha256", .text({ $0.original?.sha256 }) { $0.original = $0.original?.with(sha256: $1) },
            manifest: .column(13), event: .value, dataset: "sha256", describesOriginal: true),
        ReceiptField(
            "sidecar",
            .object(.init({ $0.sidecar?.json }) { $0.sidecar = $1.flatMap { StoredFile(json: $0) } }), ledger: 17,
            manifest: .column(38), event: .text { $0.sidecar?.path }, describesOriginal: true),
        ReceiptField(
            "format", .text({ $0.format }, { $0.format = $1 }), manifest: .column(14), event: .value,
            describesOriginal: true),
        ReceiptField(
            "width", .side(.init({ $0.width }, { $0.width = $1 })), manifest: .column(15), event: .value,
            dataset: "original_width", describesOriginal: true),
        ReceiptField(
            "height", .side(.init({ $0.height }, { $0.height = $1 })), manifest: .column(16), event: .value,
            dataset: "original_height", describesOriginal: true),
        ReceiptField(
            "orientation", .number({ $0.orientation }, { $0.orientation = $1 }), manifest: .column(17), event: .value,
            dataset: "orientation", describesOriginal: true),
        ReceiptField(
            "bytes_received",
            .number({ $0.bytesUnneeded == nil ? nil : $0.bytesReceived }, { $0.bytesReceived = $1 }), ledger: nil,
            event: .value),
        ReceiptField(
            "bytes_unneeded", .number({ $0.bytesUnneeded }, { $0.bytesUnneeded = $1 }), ledger: nil, event: .value),
        ReceiptField(
            "part", .text({ $0.part?.rawValue }, { $0.part = $1.flatMap(Receipt.Part.init) }), ledger: nil,
            event: .value),
        ReceiptField(
            "etag", .text({ $0.etag }, { $0.etag = $1 }), manifest: .column(18), dataset: "etag",
            describesOriginal: true),
        ReceiptField(
            "last_modified", .text({ $0.lastModified }, { $0.lastModified = $1 }), manifest: .column(19),
            dataset: "last_modified", describesOriginal: true),
        ReceiptField("color", .text({ $0.color }, { $0.color = $1 }), manifest: .column(20), dataset: "color"),
        ReceiptField(
            "placeholder", .text({ $0.placeholder }, { $0.placeholder = $1 }), manifest: .column(21),
            dataset: "placeholder"),
        ReceiptField("phash", .text({ $0.phash }, { $0.phash = $1 }), manifest: .column(22), dataset: "phash"),
        ReceiptField("thumbs", .thumbs, manifest: .column(31), event: .value),
        ReceiptField("stamp", .text({ $0.stamp }, { $0.stamp = $1 }), ledger: 2),
        // The column of datasets with this name has all of EXIF.
        ReceiptField(
            "exif", .object(.init({ $0.exif }, { $0.exif = $1 })), ledger: 12,
            manifest: .column(41, name: "camera_facts"), describesOriginal: true),
        ReceiptField(
            "usage", .text({ $0.usage }, { $0.usage = $1 }), ledger: 15, manifest: .column(37), dataset: "usage",
            describesOriginal: true),
        ReceiptField(
            "license", .text({ $0.license }, { $0.license = $1 }), ledger: 18,
            manifest: .column(40, name: "license_at_download"), dataset: "license_at_download",
            describesOriginal: true),
        ReceiptField(
            "host_digest", .text({ $0.hostDigest }, { $0.hostDigest = $1 }), ledger: 25, manifest: .column(42),
            describesOriginal: true),
    ]

    private static let failureStatus = Value.number({ $0.failure?.status }, { $0.failure?.status = $1 })
    private static let failureURL = Value.text({ $0.failure?.finalURL }, { $0.failure?.finalURL = $1 })
}

extension Failure {
    /// The evidence, if it describes the list, the file, its copy or the blocklist.
    ///
    /// Network errors differ between runs and are omitted, because the manifest must be reproducible.
    fileprivate var reproducibleDetail: String? {
        [.feedParse, .policy, .corrupt, .tooManyPixels, .duplicate, .blocked].contains(cause) && !detail.isEmpty
            ? detail : nil
    }
}

extension StoredFile {
    fileprivate func with(bytes: Int?) -> StoredFile? {
        bytes.map { StoredFile(path: path, bytes: $0, sha256: sha256) }
    }

    fileprivate func with(sha256: String?) -> StoredFile? {
        sha256.map { StoredFile(path: path, bytes: bytes, sha256: $0) }
    }
}
