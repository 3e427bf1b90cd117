// SPDX-License-Identifier: MIT

internal import SluiceFiles
package import SluiceModel

// The stored appearance of a mirror's gallery. It is not part of the ledger, so that it survives the loss of the
// ledger.

extension MirrorFolder {
    private static let appearanceFile = ".sluice/gallery.json"
    /// The maximum size.
    ///
    /// A style sheet has at most one megabyte, of which JSON may need six bytes for each.
    private static let maximumAppearanceSize = 8 << 20

    borrowing func appearance() throws(MirrorError) -> GalleryAppearance {
        guard state.size(of: Self.appearanceFile) != nil else { return GalleryAppearance() }
        let bytes = try MirrorError.onDisk(state.read(Self.appearanceFile, limit: Self.maximumAppearanceSize))
        do throws(InvalidText) {
            let json = try JSON(parsing: bytes)
            var appearance = GalleryAppearance()
            appearance.title = json["title"]?.text
            appearance.theme = json["theme"]?.text.flatMap(GalleryAppearance.Theme.init)
            appearance.style = json["style"]?.text
            return appearance
        } catch {
            throw MirrorError(
                .damaged,
                "cannot read '\(state.fullPath(of: Self.appearanceFile))': \(error); delete it and set the gallery's "
                    + "appearance again")
        }
    }

    /// Stores changes of the appearance.
    package borrowing func save(_ change: GalleryAppearance) throws(MirrorError) {
        let old = try appearance()
        let new = change.over(old)
        guard new != old else { return }
        var writer = JSONWriter()
        writer.object { json in
            json.member("title", new.title)
            json.member("theme", new.theme?.rawValue)
            json.member("style", new.style)
        }
        try MirrorError.onDisk(state.write(writer.bytes, to: Self.appearanceFile))
    }
}
