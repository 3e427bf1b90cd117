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
        let failure = receipt.failure
        member("end", name(of: end))
        member("cause", failure?.cause.name)
        member("detail", failure.flatMap { $0.detail.isEmpty ? nil : $0.detail })
        member("hint", failure?.hint?.text)
        member("variant", receipt.variant)
        member("url", receipt.url)
        member("final_url", receipt.finalURL ?? failure?.finalURL)
        member("status", receipt.status ?? failure?.status)
        member("file", receipt.original?.path)
        member("bytes", receipt.original?.bytes)
        member("sha256", receipt.original?.sha256)
        member("sidecar", receipt.sidecar?.path)
        member("format", receipt.format)
        member("width", receipt.width)
        member("height", receipt.height)
        member("orientation", receipt.orientation)
        if let unneeded = receipt.bytesUnneeded {
            member("bytes_received", receipt.bytesReceived)
            member("bytes_unneeded", unneeded)
            member("part", receipt.part?.rawValue)
        }
        guard !receipt.thumbs.isEmpty else { return }
        array("thumbs") { list in for thumb in receipt.thumbs { list.object { thumb.write(to: &$0) } } }
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
        member("pages", summary.pages)
        member("failed_pages", summary.failedPages)
        member("done", summary.done)
        member("kept", summary.kept)
        member("skipped", summary.skipped)
        member("failed", summary.failed)
        if summary.copies > 0 { member("copies", summary.copies) }
        member("salvaged", summary.salvaged)
        member("undecodable", summary.undecodable)
        member("notes", summary.notes)
        member("thumbs", summary.thumbs)
        member("bytes_received", summary.bytesReceived)
        member("bytes_saved", summary.bytesSaved)
        summary.writeParts(&self)
        member("thumb_bytes", summary.thumbBytes)
        member("peak_memory", summary.peakMemory > 0 ? summary.peakMemory : nil)
        object("causes") { object in
            for (cause, count) in summary.causes.sorted(by: { $0.key.name < $1.key.name }) {
                object.member(cause.name, count)
            }
        }
        if !summary.unsupportedFormats.isEmpty {
            object("unsupported_formats") { object in
                for (format, count) in summary.unsupportedFormats.sorted(by: { $0.key < $1.key }) {
                    object.member(format, count)
                }
            }
        }
        member("duration", decimal: seconds(summary.duration))
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
