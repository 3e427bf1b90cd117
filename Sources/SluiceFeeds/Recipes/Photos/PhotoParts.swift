// SPDX-License-Identifier: MIT

internal import SluiceModel
internal import SluiceTransfer

/// The places of a record's photos, if a record has several: paths, and texts of HTML that show pictures.
struct PhotoParts: Sendable {
    private struct Place {
        let path: FieldPath
        let isHTML: Bool
    }

    /// A value that is a photo.
    struct Element {
        let value: JSON
        /// Whether it is a picture in HTML, which may be a copy of another element.
        let isInHTML: Bool
    }

    /// The maximum number of photos of a record.
    private static let maxElements = 10_000

    private var places: [Place] = []

    /// Reads the member `each`; `nil` if it is missing.
    init?(_ node: RecipeNode) {
        guard let each = node["each"] else { return nil }
        for node in each.json.elements == nil ? [each] : each.children.map(\.node) {
            var (isHTML, place) = (false, node)
            if case .object = node.json {
                node.checkMembers(["html"])
                guard let html = node["html"] else {
                    node.report("missing", at: "html")
                    continue
                }
                (isHTML, place) = (true, html)
            }
            guard let text = place.text else { continue }
            guard let path = FieldPath(text) else {
                place.report(RecipeNode.invalidPath)
                continue
            }
            places.append(Place(path: path, isHTML: isHTML))
        }
    }

    /// Returns the elements of a record in the order of the places, and counts decoration in HTML in `leftOut`.
    func elements(
        in context: FieldContext, at base: WebAddress?, leftOut: inout [PictureEvidence.Reason: Int],
        token: CancellationToken
    ) throws(Failure) -> [Element] {
        var elements: [Element] = []
        for place in places {
            let values = place.path.values(in: context)
            guard place.isHTML else {
                elements += values.map { Element(value: $0, isInHTML: false) }
                continue
            }
            for html in values.compactMap(\.text) {
                let page = try WebPageReader.page(of: Array(html.utf8), charset: "utf-8", token: token)
                let pictures = PagePhotos(page, at: base, minWidth: 0, minHeight: 0)
                leftOut.merge(pictures.leftOut, uniquingKeysWith: +)
                elements += pictures.photos.map { Element(value: Self.element(of: $0), isInHTML: true) }
            }
        }
        return Array(elements.prefix(Self.maxElements))
    }

    /// Describes a picture in HTML: its best address, its facts, and the addresses of its renditions.
    private static func element(of photo: Photo) -> JSON {
        func member(_ name: String, _ text: String?) -> JSON.Member? {
            text.map { .init(name: name, value: .string($0)) }
        }
        func member(_ name: String, _ number: Int?) -> JSON.Member? {
            number.map { .init(name: name, value: .number(String($0))) }
        }
        let renditions = photo.variants.map { variant in
            JSON.object([member("url", variant.url), member("width", variant.width)].compactMap(\.self))
        }
        let facts = [
            member("url", photo.variants.first?.url), member("caption", photo.caption),
            member("attribution", photo.attribution), member("license_url", photo.licenseURL),
            member("width", photo.width), member("height", photo.height),
        ]
        return .object(facts.compactMap(\.self) + [JSON.Member(name: "renditions", value: .array(renditions))])
    }
}
