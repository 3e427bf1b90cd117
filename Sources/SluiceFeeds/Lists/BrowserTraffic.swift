// SPDX-License-Identifier: MIT

internal import SluiceFiles
package import SluiceModel
internal import SluiceTransfer

/// The pictures that a browser loaded, in the file that its network panel saves (HAR 1.2).
enum BrowserTraffic {
    /// Returns the pictures in the order of their requests, with their replies; `nil` for another document.
    static func pictures(in json: JSON) -> [(photo: Photo, content: JSON?)]? {
        guard let entries = json["log"]?["entries"]?.elements else { return nil }
        var seen: TextSet = []
        return entries.compactMap { entry in
            guard let request = entry["request"], let address = request["url"]?.text, isPicture(entry, at: address),
                ListAddress.problem(with: Array(address.utf8)) == nil, seen.insert(address)
            else { return nil }
            var photo = ListRecord.photo(at: address)
            let fields = request["headers"]?.elements ?? []
            photo.pageURL = fields.first { $0["name"]?.text?.lowercased() == "referer" }?["value"]?.text
            return (photo, entry["response"]?["content"])
        }
    }

    /// Whether the reply to a request was a picture; a drawing (SVG) is none.
    private static func isPicture(_ entry: JSON, at address: String) -> Bool {
        let type = entry["response"]?["content"]?["mimeType"]?.text?.lowercased() ?? ""
        guard type.hasPrefix("image/") else { return type.isEmpty && PictureName.isPicture(address) }
        return !type.hasPrefix("image/svg") && (entry["response"]?["status"]?.integer ?? 200) < 400
    }
}

/// `page.har`: the pictures that a browser loaded, whose bytes are taken from the file if it has them.
struct TrafficSource: SingleFeedKind {
    private static let ending = ".har"
    private let path: String

    var type: SourceType { .list }

    init?(_ text: String) {
        guard text.lowercased().hasSuffix(Self.ending), InputFile.exists(text) else { return nil }
        path = text
    }

    /// The hosts did not agree to be asked again.
    var politeness: Politeness {
        var politeness = Politeness()
        politeness.respectsRobotsTxt = true
        return politeness
    }

    func feed(through transfers: Transfers, options: FeedOptions) -> any Feed { TrafficFeed(path) }
}

/// The pictures in a file of a browser's traffic.
///
/// Those whose bytes the file has are kept in a temporary folder.
package final class TrafficFeed: Feed {
    /// Far more than a browser saves, which has the whole file in memory, too.
    private static let maxSize = 1 << 30

    package let name = "list"
    package let defaultVariant = ListRecord.variant
    package var maxPages: Int? { nil }
    private let path: String
    private let folder = Locked<ScratchFolder?>(nil)
    private let paths = Locked(TextMap<String>())

    init(_ path: String) { self.path = path }

    /// The file with the bytes of a picture that the browser received; `nil` if the traffic lacks them.
    package func file(of address: String) -> String? { paths.withLock { $0[address] } }

    package func page(_ number: Int, at cursor: Cursor?, token: CancellationToken) async throws(Failure) -> Page {
        let pictures = try read()
        guard !pictures.isEmpty else { throw Failure(.feedParse, "'\(path)' has no pictures") }
        for (photo, content) in pictures {
            try token.check()
            try keep(content, at: photo.id)
        }
        let missing = pictures.count - paths.withLock(\.count)
        var page = Page(number: number, photos: pictures.map(\.photo))
        page.total = pictures.count
        if missing > 0 {
            page.notes.append("\(missing) of \(pictures.count) pictures have no bytes in the file, and are requested")
        }
        return page
    }

    private func read() throws(Failure) -> [(photo: Photo, content: JSON?)] {
        let bytes: [UInt8]
        do throws(FileError) {
            bytes = try OpenFile.reading(path, followsLink: true).readAll(limit: Self.maxSize)
        } catch { throw Failure(.disk, error.description) }
        guard let json = try? LenientJSON.record(bytes), let found = BrowserTraffic.pictures(in: json) else {
            throw Failure(.feedParse, "'\(path)' is no HAR file: it has no log.entries")
        }
        return found
    }

    /// Writes the bytes of a reply to a temporary file, if the traffic has them.
    private func keep(_ content: JSON?, at address: String) throws(Failure) {
        guard content?["encoding"]?.text == "base64", let text = content?["text"]?.text,
            let bytes = Base64.decoded(text), !bytes.isEmpty
        else { return }
        do throws(FileError) {
            let scratch = try folder.withLock { folder throws(FileError) in
                if folder == nil { folder = try ScratchFolder() }
                return folder
            }
            guard let scratch else { return }
            let name = "\(paths.withLock(\.count))"
            try Folder(scratch.path).write(bytes, to: name, flushed: false)
            paths.withLock { $0[address] = "\(scratch.path)/\(name)" }
        } catch { throw Failure(.disk, error.description, scope: .run) }
    }
}
