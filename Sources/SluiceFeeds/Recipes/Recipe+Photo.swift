// SPDX-License-Identifier: MIT

internal import SluiceModel

extension Recipe {
    /// What a record says of a photo; `nil` for one without an id or any variant.
    func photo(from record: JSON) -> Photo? {
        guard let id = fields["id"]?.text(in: record) else { return nil }
        var photo = Photo(id: id)
        photo.variants = variants.compactMap { variant in
            variant.path.text(in: record).map { Variant(name: variant.name, url: $0) }
        }
        guard !photo.variants.isEmpty else { return nil }
        func fact(_ name: String) -> String? { fields[name]?.text(in: record) ?? constants[name] }
        photo.width = fact("width").flatMap { Int($0) }
        photo.height = fact("height").flatMap { Int($0) }
        photo.caption = fact("caption")
        photo.author = fact("author")
        photo.authorURL = fact("author_url")
        photo.pageURL = fact("page_url")
        photo.license = fact("license")
        photo.licenseURL = fact("license_url")
        photo.attribution = fact("attribution").map { filled($0, with: photo) }
        photo.collection = fact("collection")
        photo.color = fact("color")
        photo.placeholder = fact("placeholder")
        return photo
    }

    /// A credit line such as `Photo by {author} on Example`, with the author's name in it.
    private func filled(_ template: String, with photo: Photo) -> String {
        guard let range = template.firstRange(of: "{author}") else { return template }
        return template.replacingCharacters(in: range, with: photo.author ?? "an unknown photographer")
    }
}

extension String {
    fileprivate func replacingCharacters(in range: Range<String.Index>, with text: String) -> String {
        var result = self
        result.replaceSubrange(range, with: text)
        return result
    }
}
