// SPDX-License-Identifier: MIT

/// A figure of a run's summary.
///
/// ``all`` is the only list of the figures: the event `run-finished` and `report.json` are derived from it, and tests
/// compare the JSON schemas and the Python types with it. To add a figure, add a property to ``Summary`` and an entry.
package struct SummaryField: Sendable {
    /// An output that has figures.
    package enum Output: Sendable, CaseIterable {
        case event, report
    }

    /// The type of the value; an output omits missing values and empty objects.
    enum Value: Sendable {
        case count(@Sendable (Summary) -> Int?)
        case text(@Sendable (Summary) -> String?)
        case flag(@Sendable (Summary) -> Bool)
        case seconds(@Sendable (Summary) -> Double)
        /// An object with a count for each name; `isKept` if it is written without members, too.
        case counts(isKept: Bool, @Sendable (Summary) -> [(name: String, count: Int)])
        /// The counts by the part of an original that sufficed.
        case parts
    }

    /// The name of the member.
    package let name: String
    /// The outputs that have the figure.
    package let outputs: [Output]
    let value: Value

    private init(_ name: String, _ value: Value, in outputs: [Output] = Output.allCases) {
        (self.name, self.value, self.outputs) = (name, value, outputs)
    }

    /// Writes the figure as a member.
    fileprivate func write(_ summary: Summary, to object: inout JSONWriter) {
        switch value {
        case .count(let read): object.member(name, read(summary))
        case .text(let read): object.member(name, read(summary))
        case .flag(let read): object.member(name, read(summary))
        case .seconds(let read): object.member(name, decimal: read(summary))
        case .counts(let isKept, let read):
            let counts = read(summary)
            guard isKept || !counts.isEmpty else { return }
            object.object(name) { object in for entry in counts { object.member(entry.name, entry.count) } }
        case .parts:
            guard !summary.parts.isEmpty else { return }
            object.object(name) { summary.writeParts(&$0) }
        }
    }

    /// The figures, in the order of the outputs.
    package static let all = [
        SummaryField("pages", .count { $0.pages }),
        SummaryField("failed_pages", .count { $0.failedPages }),
        SummaryField("page_failure", .text { $0.pageFailure?.description }, in: [.report]),
        SummaryField("done", .count { $0.done }),
        SummaryField("kept", .count { $0.kept }),
        SummaryField("skipped", .count { $0.skipped }),
        SummaryField("failed", .count { $0.failed }),
        SummaryField("copies", .count { $0.copies.ifPositive }),
        SummaryField("salvaged", .count { $0.salvaged }, in: [.event]),
        SummaryField("undecodable", .count { $0.undecodable }, in: [.event]),
        SummaryField("notes", .count { $0.notes }, in: [.event]),
        SummaryField("thumbs", .count { $0.thumbs }),
        SummaryField("bytes_received", .count { $0.bytesReceived }),
        SummaryField("bytes_saved", .count { $0.bytesSaved }, in: [.event]),
        // Reports have it only if there is something to report.
        SummaryField("bytes_saved", .count { $0.bytesSaved.ifPositive }, in: [.report]),
        SummaryField("partial", .count { $0.parts.isEmpty ? nil : $0.partial }),
        SummaryField("bytes_unneeded", .count { $0.parts.isEmpty ? nil : $0.bytesUnneeded }),
        SummaryField("parts", .parts),
        SummaryField("thumb_bytes", .count { $0.thumbBytes }),
        SummaryField("peak_memory", .count { $0.peakMemory.ifPositive }, in: [.event]),
        SummaryField("stopped", .flag { $0.stop != nil }, in: [.report]),
        SummaryField(
            "causes",
            .counts(isKept: true) { summary in
                summary.causes.map { ($0.key.name, $0.value) }.sorted { $0.name < $1.name }
            }),
        SummaryField(
            "unsupported_formats",
            .counts(isKept: false) { summary in
                summary.unsupportedFormats.map { ($0.key, $0.value) }.sorted { $0.name < $1.name }
            }),
        SummaryField("duration", .seconds { $0.duration.inSeconds }, in: [.event]),
    ]
}

extension Summary {
    /// Writes the figures of an output as members of an object.
    package func write(to object: inout JSONWriter, as output: SummaryField.Output) {
        for field in SummaryField.all where field.outputs.contains(output) { field.write(self, to: &object) }
    }
}

extension Int {
    fileprivate var ifPositive: Int? { self > 0 ? self : nil }
}
