// SPDX-License-Identifier: MIT

internal import SluiceDatasets

/// The arrangement of the files of an export.
enum ExportLayout: RawRepresentable, CaseIterable {
    case dataset(DatasetLayout)
    /// One WACZ file.
    case webArchive

    static let allCases = DatasetLayout.allCases.map(ExportLayout.dataset) + [.webArchive]

    init?(rawValue: String) {
        guard let layout = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
        self = layout
    }

    var rawValue: String {
        switch self {
        case .dataset(let layout): layout.rawValue
        case .webArchive: "wacz"
        }
    }
}

/// Whether `export` packages a web archive.
struct WebArchiveArguments: ArgumentGroup {
    var isWanted = false
}
