// SPDX-License-Identifier: MIT

internal import Sluice
internal import SluiceEngine
internal import SluiceModel

/// The arguments of `gallery`, of which `mirror` and `thumbs` use the first.
struct GalleryArguments: ArgumentGroup {
    /// The path of a style sheet; empty to remove the current one.
    var style: String?
    /// Whether to rebuild the ledger first.
    var isRebuild = false
}

extension Flag {
    /// Options for the look of the gallery.
    ///
    /// The mirror stores the look itself, so recorded commands leave these out.
    static let gallery: [Flag] = [
        Flag(
            long: "title", value: "TEXT", commands: [.mirror, .thumbs, .gallery], isRecorded: false, others: .anyone,
            help: "Gallery heading (default: from the source)",
            longHelp: """
                Sets the heading of the gallery, for this and later runs. An empty TEXT restores the default, which \
                is made from the source.
                """,
            apply: { $0.mirror.appearance.title = $1.text }),
        Flag(
            long: "theme", value: .choice(of: GalleryAppearance.Theme.self), commands: [.mirror, .thumbs, .gallery],
            isRecorded: false, others: .anyone,
            help: "Gallery colours", default: "auto",
            longHelp: """
                Shows the gallery in light or dark colours, for this and later runs. auto, the default, follows the \
                setting of the reader's system.
                """,
            apply: { $0.mirror.appearance.theme = try $1.choice(of: GalleryAppearance.Theme.self) }),
        Flag(
            long: "style", value: .file, commands: [.mirror, .thumbs, .gallery], isRecorded: false,
            help: "Custom style sheet for the gallery",
            longHelp: """
                Copies the CSS in FILE into the mirror and applies it after the gallery's own style, for this and \
                later runs. The gallery loads nothing from other hosts, whatever the CSS says. An empty name removes \
                the style sheet.
                """,
            apply: { $0[GalleryArguments.self].style = $1.text }),
    ]
}

extension RawOptions {
    /// The changes to the look of the gallery, with the style sheet read from its file.
    func galleryAppearance() throws(UsageError) -> GalleryAppearance {
        var look = mirror.appearance
        guard let style = self[GalleryArguments.self].style else { return look }
        do throws(MirrorError) {
            look.style = style.isEmpty ? "" : try GalleryAppearance.style(in: style)
        } catch {
            throw UsageError(escaped(error.message))
        }
        return look
    }
}
