// SPDX-License-Identifier: MIT

internal import SluiceModel
internal import SluiceTransfer

/// What a host sends in place of a photo that it no longer has.
enum Substitute: Sendable, Hashable {
    case page
    /// The home page of a site, to which the address leads.
    case home

    /// At least this many addresses whose photos differed before deliver a placeholder.
    static let minimumPlaceholders = 5

    /// The last components of addresses at which services serve a picture for missing photos: Imgur's and Flickr's.
    private static let placeholders = ["removed.png", "photo_unavailable"]
    private static let pageTypes = ["text/html", "application/xhtml+xml"]
    private static let pageStarts = ["<!doctype ht", "<html"]

    /// Recognises the substitute for the photo at an address by the failure of its download; `nil` for other failures.
    init?(_ failure: Failure, of url: String) {
        let detail = failure.detail.lowercased()
        guard failure.cause == .notAnImage,
            (Self.pageTypes + Self.pageStarts).contains(where: detail.contains)
        else { return nil }
        self = failure.finalURL.map { Self.isHome($0) && !Self.isHome(url) } == true ? .home : .page
    }

    /// Whether a response has a web page, by its content type, or else by its first bytes.
    static func isPage(type: String?, start: [UInt8]) -> Bool {
        if let type = type?.lowercased(), pageTypes.contains(where: type.hasPrefix) { return true }
        let text = String(decoding: start.prefix(256).drop { $0 <= 0x20 }.prefix(12), as: UTF8.self).lowercased()
        return pageStarts.contains(where: text.hasPrefix)
    }

    /// Whether services serve a picture at this address that stands for missing photos.
    static func isPlaceholder(_ url: String) -> Bool {
        let path = url.split(separator: "?", maxSplits: 1).first ?? ""
        let name = path.split(separator: "/").last ?? ""
        return placeholders.contains { name.hasPrefix($0) }
    }

    private static func isHome(_ url: String) -> Bool { WebAddress(url)?.pathComponents.isEmpty == true }
}

extension Failure {
    /// Whether the server says that it has no such photo.
    var isAbsence: Bool { [.httpClientError(404), .httpClientError(410)].contains(cause) }
}
