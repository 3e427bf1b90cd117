// SPDX-License-Identifier: MIT

internal import SluiceModel

/// What is wrong with one record of a list; the others go on without it.
struct ListFlaw: Error {
    var reason: String

    init(_ reason: String) {
        self.reason = reason
    }
}

/// A photo under construction: what a record says of it, field by field.
struct ListRecord {
    /// The name of a list's one variant.
    static let variant = "original"

    private var photo = Photo(id: "")
    private var url: String?
    private var checksum: Checksum?

    /// Takes up a field; an empty one is absent, and of two that say the same the first counts.
    mutating func set(_ field: ListField, to text: String) throws(ListFlaw) {
        guard !text.isEmpty else { return }
        switch field {
        case .url: url = url ?? text
        case .id: if photo.id.isEmpty { photo.id = text }
        case .width: photo.width = photo.width ?? Int(text)
        case .height: photo.height = photo.height ?? Int(text)
        case .date: photo.date = photo.date ?? PublishedDate.seconds(of: text)
        case .checksum(let algorithm): try expect(algorithm, text)
        case .caption: photo.caption = photo.caption ?? text
        case .author: photo.author = photo.author ?? text
        case .authorURL: photo.authorURL = photo.authorURL ?? text
        case .pageURL: photo.pageURL = photo.pageURL ?? text
        case .license: photo.license = photo.license ?? text
        case .licenseURL: photo.licenseURL = photo.licenseURL ?? text
        case .attribution: photo.attribution = photo.attribution ?? text
        case .collection: photo.collection = photo.collection ?? text
        case .color: photo.color = photo.color ?? text
        case .camera: photo.camera = photo.camera ?? text
        case .placeholder: photo.placeholder = photo.placeholder ?? text
        }
    }

    /// The photo; throws if it has no address that can be fetched.
    func finished() throws(ListFlaw) -> Photo {
        guard let url else { throw ListFlaw("there is no address") }
        if let problem = ListAddress.problem(with: url.utf8) { throw ListFlaw(problem) }
        return Self.photo(at: url, photo, checksum)
    }

    /// The photo at an address; where nobody names it otherwise, its address is its name.
    static func photo(at url: String, _ facts: Photo = Photo(id: ""), _ checksum: Checksum? = nil) -> Photo {
        var photo = facts
        var only = Variant(name: variant, url: url)
        only.checksum = checksum
        if photo.id.isEmpty { photo.id = only.url }
        photo.variants = [only]
        return photo
    }

    /// The item that a flawed record becomes, with its line and the reason; it is named by its place.
    static func flawed(line: Int, column: Int? = nil, _ reason: String) -> Photo {
        let place = "line \(line)" + (column.map { ", column \($0)" } ?? "")
        var photo = Photo(id: "line \(line)")
        photo.flaw = Failure(.feedParse, "\(place): \(reason)")
        return photo
    }

    private mutating func expect(_ algorithm: Checksum.Algorithm, _ text: String) throws(ListFlaw) {
        guard let checksum = Checksum(algorithm, text) else {
            throw ListFlaw("\(algorithm) is no such hash: \(text.prefix(80))")
        }
        // The strongest that is given is enough.
        if self.checksum == nil || algorithm == .sha256 { self.checksum = checksum }
    }
}
