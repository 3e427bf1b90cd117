// SPDX-License-Identifier: MIT

internal import Sluice
internal import SluiceModel

/// The members of the values in events, with the same names as in the manifest.
extension JSONWriter {
    mutating func members(of start: RunStart) {
        member("source", start.source)
        member("feed", start.feed)
        member("folder", start.folder)
        member("width", start.width)
    }

    mutating func members(of item: Item) {
        member("seq", item.seq)
        member("id", item.photo.id)
        member("feed", item.feed)
        member("page", item.page)
        member("collection", item.photo.collection)
    }

    mutating func members(of file: FoundFile) {
        member("file", file.path)
        member("verdict", file.verdict.rawValue)
        member("by", file.basis?.rawValue)
        array("items") { array in for item in file.items { array.value(item) } }
    }

    mutating func members(of failure: Failure) {
        member("cause", failure.cause.name)
        member("detail", failure.detail.isEmpty ? nil : failure.detail)
        member("hint", failure.hint?.text)
        member("status", failure.status)
        member("final_url", failure.finalURL)
    }

    mutating func members(of end: ItemOutcome) {
        let receipt = end.receipt
        member("end", name(of: end))
        for field in ReceiptField.all {
            write(field, of: receipt)
            // Only the command spells hints, so they are no part of the table.
            if field.name == "detail" { member("hint", receipt.failure?.hint?.text) }
        }
    }

    private mutating func write(_ field: ReceiptField, of receipt: Receipt) {
        switch (field.event, field.value) {
        case (.absent, _): break
        case (.text(let read), _): member(field.name, read(receipt))
        case (.value, .text), (.value, .object): member(field.name, field.text(of: receipt))
        case (.value, .number), (.value, .side): member(field.name, field.number(of: receipt))
        case (.value, .thumbs):
            guard !receipt.thumbs.isEmpty else { return }
            array(field.name) { list in for thumb in receipt.thumbs { list.object { thumb.write(to: &$0) } } }
        }
    }

    mutating func members(of reason: StopReason) {
        switch reason {
        case .signal(let number):
            member("reason", "signal")
            member("signal", Int(number))
        case .requested: member("reason", "requested")
        case .limit(let limit, let hint):
            member("reason", "limit")
            member("limit", limit)
            member("hint", hint?.text)
        case .failing(let words, let hint):
            member("reason", "failing")
            member("detail", words)
            member("hint", hint?.text)
        case .local(let failure):
            member("reason", "local")
            members(of: failure)
        case .damaged(let failure):
            member("reason", "damaged")
            members(of: failure)
        }
    }

    mutating func members(of summary: Summary) {
        summary.write(to: &self, as: .event)
        if let stop = summary.stop { object("stop") { $0.members(of: stop) } }
    }
}

private func name(of end: ItemOutcome) -> String {
    switch end {
    case .done: "done"
    case .kept: "kept"
    case .skipped: "skipped"
    case .failed: "failed"
    }
}
