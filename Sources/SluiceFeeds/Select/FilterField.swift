// SPDX-License-Identifier: MIT

internal import SluiceModel

/// A photo field that a filter can test; the raw value is its name in the manifest.
enum FilterField: String, Sendable, Hashable, CaseIterable {
    case id, url, width, height, date, caption, author
    case authorURL = "author_url"
    case pageURL = "page_url"
    case license
    case licenseURL = "license_url"
    case attribution, collection, color, placeholder

    /// Whether the field is compared as a number.
    var isNumber: Bool { [.width, .height, .date].contains(self) }

    /// The field's value as a number; `nil` if it is missing or not a number.
    func number(of photo: Photo) -> Int? {
        switch self {
        case .width: photo.width
        case .height: photo.height
        case .date: photo.date
        default: nil
        }
    }

    /// The field's values as text: none, one, or for `url` the address of each variant.
    func texts(of photo: Photo) -> [String] {
        switch self {
        case .id: [photo.id]
        case .url: photo.variants.map(\.url)
        case .width, .height, .date: number(of: photo).map { ["\($0)"] } ?? []
        default: text(of: photo).map { [$0] } ?? []
        }
    }

    private func text(of photo: Photo) -> String? {
        switch self {
        case .caption: photo.caption
        case .author: photo.author
        case .authorURL: photo.authorURL
        case .pageURL: photo.pageURL
        case .license: photo.license
        case .licenseURL: photo.licenseURL
        case .attribution: photo.attribution
        case .collection: photo.collection
        case .color: photo.color
        case .placeholder: photo.placeholder
        case .id, .url, .width, .height, .date: nil
        }
    }
}
