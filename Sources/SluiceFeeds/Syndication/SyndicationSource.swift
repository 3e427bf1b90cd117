// SPDX-License-Identifier: MIT

internal import SluiceFiles
internal import SluiceModel
internal import SluiceTransfer

/// The address of a feed, a page or a IIIF manifest, or the path of a saved one.
struct SyndicationSource: SingleFeedKind {
    private let location: SyndicationFeed.Location

    init?(_ text: String) throws(SourceError) {
        if let address = WebAddress(text), ["http", "https"].contains(address.scheme) {
            location = .address(text)
        } else if Self.isFeedFile(text) {
            location = .file(text)
        } else {
            return nil
        }
    }

    var advice: String? {
        guard case .address(let text) = location, let source = ServicePage.source(ofPhotosAt: text) else { return nil }
        return ServicePage.advice(for: source)
    }

    var trustedAddresses: [String] {
        if case .address(let text) = location { [text] } else { [] }
    }

    /// A feed may link to pictures on any host.
    var politeness: Politeness {
        var politeness = Politeness()
        politeness.respectsRobotsTxt = true
        return politeness
    }

    func feed(through transfers: Transfers, options: FeedOptions) -> any Feed {
        SyndicationFeed(location: location, transfers: transfers, options: options)
    }

    /// Whether the path names a regular file that starts like XML, HTML, a JSON Feed or a IIIF resource.
    ///
    /// A pipe never matches: it can be read only once, so it must not be sniffed.
    private static func isFeedFile(_ path: String) -> Bool {
        guard let file = try? OpenFile.reading(path, followsLink: true) else { return false }
        var head = (try? file.read(at: 0, count: 4 << 10)) ?? []
        if head.starts(with: [0x1F, 0x8B]) {
            var (decoder, rest) = (GzipDecoder(), head[...])
            head = (try? decoder.decompress(&rest)) ?? []
        }
        if XMLCleaning.trimmed(head).first == UInt8(ascii: "<") || ReplyKind.isSavedFeed(head) { return true }
        // The version of a JSON Feed may be at its end.
        guard head.count == 4 << 10, head.first(where: { !$0.isSpace }) == UInt8(ascii: "{"),
            head.firstRange(of: "\"items\"".utf8) != nil
        else { return false }
        return (try? file.read(at: 0, count: 16 << 20)).map(ReplyKind.isSavedFeed) ?? false
    }
}
