// SPDX-License-Identifier: MIT

internal import Sluice

extension Flag {
    /// How the gallery looks; the mirror itself remembers it, and no run's words have to.
    static let look: [Flag] = [
        Flag(
            long: "title", value: Placeholder("TEXT"), category: .output, commands: [.mirror, .thumbs, .gallery],
            isLasting: false,
            help: "The gallery's heading (default: the folder's name)",
            longHelp: """
                Heads the gallery with TEXT, now and in later runs. An empty one brings back the default, the folder's name.
                """,
            apply: { (options, argument) throws(Refusal) in options.mirror.look.title = argument.text }),
        Flag(
            long: "theme", value: .choice(of: GalleryLook.Theme.self), category: .output,
            commands: [.mirror, .thumbs, .gallery], isLasting: false,
            help: "The gallery's colours (default auto)",
            longHelp: """
                Shows the gallery in light or dark colours, now and after later runs. With auto, the default, they are those \
                that the reader's system prefers.
                """,
            apply: { (options, argument) throws(Refusal) in
                options.mirror.look.theme = try argument.choice(of: GalleryLook.Theme.self)
            }),
        Flag(
            long: "style", value: Placeholder("FILE", .file), category: .output,
            commands: [.mirror, .thumbs, .gallery],
            isLasting: false,
            help: "A style sheet of your own for the gallery",
            longHelp: """
                Copies the CSS in FILE into the mirror, where it comes after the gallery's own style, now and after later \
                runs. The page loads nothing from elsewhere, whatever it says. An empty name takes it out again.
                """,
            apply: { (options, argument) throws(Refusal) in options.style = argument.text }),
    ]
}

extension RawOptions {
    /// What of the gallery's look is to change.
    func look() throws(UsageError) -> GalleryLook {
        var look = mirror.look
        guard let style else { return look }
        do throws(MirrorError) {
            look.style = style.isEmpty ? "" : try GalleryLook.style(in: style)
        } catch {
            throw UsageError(escaped(error.message))
        }
        return look
    }
}
