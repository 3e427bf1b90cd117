// SPDX-License-Identifier: MIT

internal import Sluice
internal import SluiceFeeds
internal import SluiceModel

extension Command {
    /// The number of photos that the preview of a reply prints.
    private static let shownPhotos = 5

    /// Prints what a recipe makes of a saved reply; the result is partial if a photo is invalid.
    static func check(
        _ recipe: String, withReplyAt path: String, _ options: RawOptions, _ console: Console
    ) throws -> ExitCode {
        let preview = try Services.preview(ofReplyAt: path, with: recipe)
        let invalid = preview.photos.count { $0.invalidReason != nil }
        if options.output.isJSON {
            console.out.write(json(of: preview, invalid: invalid))
        } else {
            for line in lines(of: preview, invalid: invalid) { console.print(escaped(line)) }
        }
        return invalid == 0 ? .done : .itemsFailed
    }

    private static func lines(of preview: ReplyPreview, invalid: Int) -> [String] {
        let list = { (facts: [(name: String, count: Int)]) in
            facts.map { "\($0.name) \($0.count)" }.joined(separator: ", ")
        }
        let filled = preview.facts.filter { $0.count > 0 }
        let empty = preview.facts.filter { $0.count == 0 }.map(\.name)
        var rows = [
            ("listing", preview.listing), ("records", "\(preview.records)"),
            ("photos", "\(preview.photos.count - invalid)" + (invalid > 0 ? ", and \(invalid) without a picture" : "")),
            ("total", preview.total.map { "\($0)" } ?? "not stated"), ("next", preview.next ?? "none"),
            ("facts", list(filled)), ("empty", empty.joined(separator: ", ")), ("variants", list(preview.variants)),
        ]
        rows += preview.notes.map { ("note", $0) }
        for photo in preview.photos.prefix(shownPhotos) {
            let text =
                photo.invalidReason?.detail ?? [photo.caption, photo.author].compactMap(\.self).joined(separator: ", ")
            rows.append(("photo", "\(photo.id): \(text)"))
            if let variant = photo.variants.first { rows.append(("", "\(variant.name) \(variant.url)")) }
        }
        return rows.map { name, text in padded(name, to: 10) + text }
    }

    private static func json(of preview: ReplyPreview, invalid: Int) -> [UInt8] {
        JSONEventWriter.line("reply") { object in
            object.member("listing", preview.listing)
            object.member("records", preview.records)
            object.member("photos", preview.photos.count - invalid)
            object.member("invalid", invalid)
            object.member("total", preview.total)
            object.member("next", preview.next)
            object.member("facts", object: { for fact in preview.facts { $0.member(fact.name, fact.count) } })
            object.member("variants", object: { for fact in preview.variants { $0.member(fact.name, fact.count) } })
            object.member("notes", array: { for note in preview.notes { $0.value(note) } })
            object.member("ids", array: { for photo in preview.photos { $0.value(photo.id) } })
            object.member("urls", array: { for photo in preview.photos { $0.value(photo.variants.first?.url ?? "") } })
        }
    }
}
