// SPDX-License-Identifier: MIT

internal import SluiceFiles
internal import SluiceModel

// What a mirror remembers of its gallery's look. It stands beside the ledger, so that a lost ledger does not take it along.

extension MirrorFolder {
    private static let look = ".sluice/gallery.json"
    /// A style sheet takes a megabyte at most, and JSON may need six bytes for one.
    private static let longestLook = 8 << 20

    /// The look that was asked for last.
    borrowing func look() throws(MirrorError) -> GalleryLook {
        guard folder.size(of: Self.look) != nil else { return GalleryLook() }
        let bytes = try MirrorError.onDisk(folder.read(Self.look, limit: Self.longestLook))
        do throws(JSONError) {
            let json = try JSON(parsing: bytes)
            var look = GalleryLook()
            look.title = json["title"]?.text
            look.theme = json["theme"]?.text.flatMap(GalleryLook.Theme.init)
            look.style = json["style"]?.text
            return look
        } catch {
            throw MirrorError(
                .damaged,
                "\(folder.full(Self.look)) is damaged (\(error)): remove it, and give the gallery's look again")
        }
    }

    /// Keeps what a look changes.
    borrowing func remember(_ change: GalleryLook) throws(MirrorError) {
        let old = try look()
        let new = change.over(old)
        guard new != old else { return }
        var writer = JSONWriter()
        writer.object { json in
            json.member("title", new.title)
            json.member("theme", new.theme?.rawValue)
            json.member("style", new.style)
        }
        try MirrorError.onDisk(folder.write(writer.bytes, to: Self.look))
    }
}
