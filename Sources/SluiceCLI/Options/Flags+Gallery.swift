// SPDX-License-Identifier: MIT

internal import Sluice
internal import SluiceEngine
internal import SluiceModel

/// The arguments of `gallery`, of which `mirror` and `thumbs` use the first.
struct GalleryArguments {
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
            "title", .value("TEXT", \.mirror.appearance.title) { $0.text }, [.mirror, .thumbs, .gallery],
            isRecorded: false, others: .anyone, "Gallery heading (default: from the source)",
            """
            Sets the heading of the gallery, for this and later runs. An empty TEXT restores the default, which is \
            made from the source.
            """),
        Flag(
            "theme", .choice(\.mirror.appearance.theme), [.mirror, .thumbs, .gallery], isRecorded: false,
            others: .anyone, default: "auto", "Gallery colours",
            """
            Shows the gallery in light or dark colours, for this and later runs. auto, the default, follows the \
            setting of the reader's system.
            """),
        Flag(
            "style", .value(.file, \.gallery.style) { $0.text }, [.mirror, .thumbs, .gallery], isRecorded: false,
            "Custom style sheet for the gallery",
            """
            Copies the CSS in FILE into the mirror and applies it after the gallery's own style, for this and later \
            runs. The gallery loads nothing from other hosts, whatever the CSS says. An empty name removes the style \
            sheet.
            """),
    ]
}

extension RawOptions {
    /// The changes to the look of the gallery, with the style sheet read from its file.
    func galleryAppearance() throws(UsageError) -> GalleryAppearance {
        var look = mirror.appearance
        guard let style = gallery.style else { return look }
        do throws(MirrorError) {
            look.style = style.isEmpty ? "" : try GalleryAppearance.style(in: style)
        } catch {
            throw UsageError(escaped(error.message))
        }
        return look
    }
}

extension Flag {
    /// Options for the address of `serve`.
    static let serving: [Flag] = [
        Flag(
            "port", .value("N", \.server.port) { UInt16(try $0.count(from: 0, to: 65535)) }, [.serve], others: .anyone,
            default: "\(server.port)", "Port to listen on",
            "Listens on this port; 0 selects a free port and prints it."),
        Flag(
            "host", .text("ADDRESS", \.server.host, "an address"), [.serve], "Address to listen on",
            """
            Listens on this address of the machine, for example ::1. 0.0.0.0 stands for all IPv4 addresses, :: for all \
            IPv4 and IPv6 addresses. An address that other machines can reach requires --public.
            """),
        Flag(
            "public", .on(\.server.isPublic), [.serve], "Accept connections from other machines, under any host name",
            """
            Allows a --host address that other machines can reach, and answers requests for any host name. There is no \
            password.
            """),
        Flag(
            "edit", .on(\.server.isEditable), [.serve], "Let the gallery rate, reject, tag and caption photos",
            """
            Lets the page that is opened by the printed address mark photos: rate them with stars, reject them, tag them \
            and write captions. Marks go to the mirror's ledger and are printed. While a run uses the mirror, they wait \
            for its end. The address contains a secret: do not share it. Not with --public.
            """),
    ]

    private static let server = MirrorServer.Options()
}
