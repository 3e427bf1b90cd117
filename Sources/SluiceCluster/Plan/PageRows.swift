// SPDX-License-Identifier: MIT

internal import SluiceEngine
internal import SluiceLedger
internal import SluiceModel

/// A page whose photos have positions.
struct NumberedPage: Sendable {
    var photos: ArraySlice<Photo>
    var number: Int
    /// The position of the first photo.
    var first: Int
    /// The file names of the photos, if they depend on earlier ones; otherwise they are ``FileStem``s.
    var names: [String?]?
}

/// The rows of some pages, made without knowing earlier pages, so that several are made concurrently.
struct PageRows: Sendable {
    /// What determines the position of a photo's host.
    enum Host: Sendable {
        /// The beginning of a usual address, up to its path. It is part of the whole address.
        case authority(Substring)
        /// The host's name; empty for a local file or an invalid address.
        case name(String)
    }

    /// The hosts of the photos, in order.
    private(set) var hosts: [Host] = []
    private(set) var columns = ListedColumns()
    /// The rows in order, without line ends.
    private var bytes: [UInt8] = []
    private var ends: [Int] = []

    init(of pages: [NumberedPage], choice: VariantChoice) {
        let count = pages.reduce(0) { $0 + $1.photos.count }
        hosts.reserveCapacity(count)
        ends.reserveCapacity(count)
        var writer = JSONWriter()
        for page in pages {
            for (offset, photo) in page.photos.enumerated() {
                let seq = page.first + offset
                hosts.append(Host(of: photo, choice))
                if let text = photo.columns { columns.add(text) }
                let name = page.names == nil ? FileStem(at: seq, of: photo).description : page.names?[offset]
                PlanRow.write(photo, seq: seq, page: page.number, name: name, to: &writer)
                // Without the line end.
                ends.append(writer.bytes.count - 1)
            }
        }
        bytes = writer.bytes
    }

    func row(_ index: Int) -> ArraySlice<UInt8> { bytes[(index == 0 ? 0 : ends[index - 1] + 1)..<ends[index]] }
}

extension PageRows.Host {
    init(of photo: Photo, _ choice: VariantChoice) {
        guard let url = choice.variant(of: photo)?.url, let authority = Self.plainAuthority(of: url) else {
            self = .name(choice.host(of: photo))
            return
        }
        self = .authority(authority)
    }

    /// Returns the address up to its path; `nil` if it has no path or unusual characters before it.
    private static func plainAuthority(of url: String) -> Substring? {
        var slashes = 0
        var end = url.utf8.startIndex
        while end < url.utf8.endIndex {
            switch url.utf8[end] {
            case UInt8(ascii: "/"):
                slashes += 1
                if slashes == 3 { return url[..<end] }
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: ":"), UInt8(ascii: "-"):
                break
            default: return nil
            }
            end = url.utf8.index(after: end)
        }
        return nil
    }
}
