// SPDX-License-Identifier: MIT

internal import SluiceLedger
internal import SluiceModel

/// The JSON line of a planned item: all facts that a run needs, some of which a manifest does not have.
enum PlanRow {
    static func write(_ planned: PlannedItem, to writer: inout JSONWriter) {
        let item = planned.item
        write(item.photo, seq: item.seq, page: item.page, name: planned.name, to: &writer)
    }

    static func write(_ photo: Photo, seq: Int, page: Int, name: String?, to writer: inout JSONWriter) {
        writer.object { row in
            row.member("seq", seq)
            row.member("page", page)
            row.member("name", name)
            row.member("id", photo.id)
            row.array("variants") { for variant in photo.variants { write(variant, to: &$0) } }
            for field in PhotoField.all {
                // Most photos lack most fields.
                if let text = field.text(of: photo) { row.member(field.name, text) }
                if let number = field.number(of: photo) { row.member(field.name, number) }
            }
            if let reason = photo.invalidReason {
                row.object("invalid") { write(reason, to: &$0) }
            }
        }
        writer.newline()
    }

    private static func write(_ variant: Variant, to list: inout JSONWriter) {
        list.object { object in
            variant.write(to: &object)
            if let checksum = variant.checksum {
                object.member("algorithm", checksum.algorithm.rawValue)
                object.member("digest", checksum.digits)
            }
        }
    }

    private static func write(_ failure: Failure, to object: inout JSONWriter) {
        object.member("cause", failure.cause.name)
        object.member("detail", failure.detail)
        object.member("url", failure.finalURL)
    }

    /// Parses a line; returns `nil` if it is not a row.
    static func item(in line: ArraySlice<UInt8>, ofFeed feed: String) -> PlannedItem? {
        guard let json = try? JSON(parsing: Array(line)), let seq = json["seq"]?.quantity, seq > 0,
            let page = json["page"]?.quantity, let variants = json["variants"]?.elements
        else { return nil }
        let name = json["name"]?.text
        guard name.map(FileNames.isSafe) ?? true else { return nil }
        var photo = Photo(id: json["id"]?.text ?? "", variants: variants.map(variant))
        for field in PhotoField.all {
            switch field.property {
            case .text(let path): photo[keyPath: path] = json[field.name]?.text
            case .number(let path): photo[keyPath: path] = json[field.name]?.integer
            }
        }
        photo.invalidReason = json["invalid"].map(failure)
        return PlannedItem(Item(seq: seq, feed: feed, page: page, photo: photo), name: name)
    }

    private static func variant(_ json: JSON) -> Variant {
        var variant = Variant(json)
        if let algorithm = json["algorithm"]?.text.flatMap(Checksum.Algorithm.init), let digest = json["digest"]?.text {
            variant.checksum = Checksum(algorithm, digest)
        }
        return variant
    }

    private static func failure(_ json: JSON) -> Failure {
        let cause = json["cause"]?.text.flatMap(Cause.init(name:)) ?? .feedParse
        return Failure(cause, json["detail"]?.text ?? "", finalURL: json["url"]?.text)
    }
}
