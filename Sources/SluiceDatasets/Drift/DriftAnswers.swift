// SPDX-License-Identifier: MIT

internal import SluiceModel

/// Collects the answers of hosts, and finds the placeholders among them.
struct DriftAnswers: Sendable {
    private struct Entry {
        var photo: DriftReport.CheckedPhoto
        let host: String
        let age: DriftReport.Age
        let newFile: Fingerprint?
    }

    private var counts = DriftReport()
    private var entries: [Entry] = []
    /// The number of addresses that deliver a new file.
    private var newFiles: [Fingerprint: Int] = [:]

    mutating func add(_ answer: PhotoChecker.Answer, about photo: PhotoChecker.Photo, age: DriftReport.Age) {
        guard answer.state != .same else { return counts.add(.same, host: photo.host, age: age) }
        let newFile = answer.newFile.map { Fingerprint($0) }
        if let newFile { newFiles[newFile, default: 0] += 1 }
        let checked = DriftReport.CheckedPhoto(
            item: photo.item.seq, url: photo.url, state: answer.state, failure: answer.failure, reason: answer.reason)
        entries.append(Entry(photo: checked, host: photo.host, age: age, newFile: newFile))
    }

    /// Returns the report of all answers, and calls `body` with each photo that is not the same, in order.
    func report(_ body: (DriftReport.CheckedPhoto) -> Void) -> DriftReport {
        var report = counts
        for var entry in entries.sorted(by: { $0.photo.item < $1.photo.item }) {
            let count = entry.newFile.flatMap { newFiles[$0] } ?? 0
            if count >= Substitute.minimumPlaceholders {
                entry.photo.state = .placeholder
                entry.photo.reason = "\(count) addresses of the host deliver this file"
            }
            report.add(entry.photo.state, host: entry.host, age: entry.age)
            body(entry.photo)
        }
        return report
    }
}
