// SPDX-License-Identifier: MIT

internal import Sluice
internal import SluiceModel

/// The output of `explain`: the failures of a mirror and how to recover them, as text and as JSON.
struct Explanation {
    /// The maximum number of rows in text; JSON contains all.
    private static let maximumRows = 40

    private let diagnosis: Diagnosis
    private let suggestions: [RecoverySuggestion]

    init(_ diagnosis: Diagnosis, in folder: String) {
        self.diagnosis = diagnosis
        suggestions = RecoverySuggestion.all(diagnosis, in: folder)
    }

    // MARK: Text

    /// Returns the lines; a head is for readers at a terminal.
    func lines(style: Style, hasHead: Bool) -> [String] {
        [counts] + rows(style: style, hasHead: hasHead) + commands + ["", shares]
    }

    /// `1000 photos: 940 done, 52 failed, 8 skipped`.
    private var counts: String {
        let parts = [
            (diagnosis.done, "done"), (diagnosis.failed, "failed"), (diagnosis.skipped, "skipped"),
            (diagnosis.waiting, "waiting"),
        ]
        let all = diagnosis.wanted + diagnosis.skipped
        let counts = parts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        return "\(counted(all, "photo"))\(counts.isEmpty ? "" : ": ")\(counts.joined(separator: ", "))"
    }

    private func rows(style: Style, hasHead: Bool) -> [String] {
        guard !diagnosis.groups.isEmpty else { return [] }
        var table = TextTable(head: ["PHOTOS", "CAUSE", "HOST", "MEANING"], rightColumns: [0])
        for group in diagnosis.groups.prefix(Self.maximumRows) {
            let color: Style.Color = group.isFailure ? (group.cause.remedy == .none ? .red : .yellow) : .dim
            table.rows.append([
                String(group.count), style.paint(group.cause.name, color), escaped(group.host, columns: 40),
                description(of: group),
            ])
        }
        var rows = [""] + table.lines(style: style, hasHead: hasHead)
        let more = diagnosis.groups.dropFirst(Self.maximumRows)
        if !more.isEmpty {
            rows.append(
                "         and \(more.reduce(0) { $0 + $1.count }) more in \(more.count) groups; use --json to list them"
            )
        }
        return rows
    }

    /// For example `the photo no longer exists on the host; permanent (photo 17: Not Found)`.
    private func description(of group: Diagnosis.Group) -> String {
        let outlook =
            switch group.cause.remedy {
            case _ where group.state == .skipped: "skipped intentionally"
            case let remedy where group.state == .done:
                "kept without a thumbnail"
                    + ((group.permission ?? remedy.options).map { ", which \($0) may make" } ?? "")
            case .retry: group.cause.alternative?.options.map { "temporary, or \($0)" } ?? "temporary"
            case .none: group.permission.map { "permanent, unless \($0) permits it" } ?? "permanent"
            case let remedy: remedy.options ?? ""
            }
        let detail = group.detail.isEmpty ? "" : ": \(escaped(group.detail, columns: 80))"
        return "\(group.cause.meaning); \(outlook) (photo \(group.item)\(detail))"
    }

    private var commands: [String] {
        suggestions.flatMap {
            let verb = $0.makesThumbnails ? "may get thumbnails" : "may be recovered"
            return ["", "\(counted($0.count, "photo")) \(verb) \($0.reason):", "  \($0.command)"]
        }
    }

    /// For example `94.8 % of 992 selected photos are done; at most 96.0 % can be`.
    private var shares: String {
        guard diagnosis.wanted > 0 else { return "no photos are selected" }
        let needsPermission = diagnosis.groups.contains { $0.isFailure && $0.permission != nil }
        let limit =
            switch (diagnosis.ceiling, diagnosis.ceilingWithOptions) {
            case (diagnosis.success, diagnosis.success) where needsPermission: "others need a permission"
            case (diagnosis.success, diagnosis.success): "the others cannot be recovered"
            case (let ceiling, let all) where ceiling == all: "at most \(percent(all)) can be"
            case (let ceiling, let all): "at most \(percent(ceiling)) can be, or \(percent(all)) with other options"
            }
        if diagnosis.success == 1 { return "all \(counted(diagnosis.wanted, "selected photo")) are done" }
        return
            "\(percent(diagnosis.success)) of \(counted(diagnosis.wanted, "selected photo")) are done; \(limit)"
    }

    /// Rounds down, so that only all photos give 100 %.
    private func percent(_ share: Double) -> String { "\(decimal((share * 1000).rounded(.down) / 10)) %" }

    // MARK: JSON

    var json: [UInt8] {
        var writer = JSONWriter()
        writer.object { object in
            object.member("schema", JSONEventWriter.schema)
            object.member("event", "explained")
            object.member("done", diagnosis.done)
            object.member("failed", diagnosis.failed)
            object.member("skipped", diagnosis.skipped)
            object.member("waiting", diagnosis.waiting)
            object.member("success", decimal: diagnosis.success)
            object.member("ceiling", decimal: diagnosis.ceiling)
            object.member("ceiling_with_options", decimal: diagnosis.ceilingWithOptions)
            object.array("groups") { for group in diagnosis.groups { Self.write(group, to: &$0) } }
            object.array("commands") { for suggestion in suggestions { $0.value(suggestion.command) } }
        }
        writer.newline()
        return writer.bytes
    }

    private static func write(_ group: Diagnosis.Group, to list: inout JSONWriter) {
        list.object { object in
            object.member("cause", group.cause.name)
            object.member("host", group.host)
            object.member("feed", group.feed)
            object.member("count", group.count)
            object.member("failed", group.isFailure)
            object.member("state", group.state.rawValue)
            object.member("permanent", group.cause.remedy == .none)
            object.member("option", group.cause.remedy.options ?? group.cause.alternative?.options)
            object.member("meaning", group.cause.meaning)
            object.member("item", group.item)
            object.member("url", group.url)
            object.member("detail", group.detail.isEmpty ? nil : group.detail)
        }
    }
}

extension Diagnosis.Group {
    /// The options that permit the photos; `nil` if no option does, or the cause has a remedy.
    fileprivate var permission: String? {
        guard state != .skipped else { return nil }
        if [.httpClientError(401), .httpClientError(403)].contains(cause) { return "--cookies or --header" }
        if cause == .addressRefused { return "--allow-address or --allow-port" }
        let allowFormat = CommandFlag.allowFormat.rawValue
        return detail.contains(allowFormat) ? allowFormat : nil
    }
}
