// SPDX-License-Identifier: MIT

internal import SluiceGallery
internal import SluiceModel

extension DriftReport {
    private static let maximumHosts = 50

    /// The report of the mirror in `folder` as a page without scripts or other files, with tables by host and by age.
    public func page(of folder: String) -> [UInt8] {
        let hosts = hostsByDrift
        let rest = hosts.count - Self.maximumHosts
        let byHost = SharesPage.Table(
            "By host", by: "host", hosts.prefix(Self.maximumHosts).map { row($0.host, $0.counts) },
            remark: rest > 0 ? "and \(rest) more hosts" : "")
        let byAge = SharesPage.Table(
            "By time since the download", by: "time",
            Age.allCases.compactMap { age in ages[age].map { row(age.rawValue, $0) } })
        return SharesPage(
            "Drift", of: folder, kinds: DriftState.allCases.map(\.rawValue), all: row("", all).counts, [byHost, byAge]
        ).bytes
    }

    private func row(_ name: String, _ counts: Counts) -> SharesPage.Row {
        SharesPage.Row(name, DriftState.allCases.map { counts[$0] })
    }
}
