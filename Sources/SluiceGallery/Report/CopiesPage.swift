// SPDX-License-Identifier: MIT

/// A page that shows groups of copies with a choice of the photos to keep, and a command that moves the others.
///
/// It opens from disk. Its script and its style are inside it; a content security policy allows them by their hashes.
package struct CopiesPage: Sendable {
    package struct Photo: Sendable {
        var number: Int
        var name: String
        var picture: String?
        var bytes: Int
        /// The size in pixels, the format and the relation to the best photo.
        var facts: String
        var isReference: Bool

        /// Creates a photo; `picture` is a path relative to the folder of the mirror, and `nil` shows none.
        package init(
            _ number: Int, name: String, picture: String?, bytes: Int, facts: String, isReference: Bool = false
        ) {
            (self.number, self.name, self.picture) = (number, name, picture)
            (self.bytes, self.facts, self.isReference) = (bytes, facts, isReference)
        }
    }

    /// The words of the command that moves photos.
    package struct Command: Sendable {
        var start: String
        var drop: String
        var move: String

        /// Creates the words: those at the start, and the options that name the photos and their new folder.
        package init(_ start: String, drop: String, move: String) {
            (self.start, self.drop, self.move) = (start, drop, move)
        }
    }

    package static let maxGroups = 2000

    private let title: String
    private let groups: [[Photo]]
    private let rest: Int
    private let command: Command
    private let folders: (mirror: String, reference: String)

    /// Creates the page of groups of copies, each with the best photo first; an identical one follows another one.
    ///
    /// `folders` are the ways from the page to the folders of the mirror and
    /// of the reference, such as `../photos/`, as text.
    package init(
        _ groups: [[Photo]], of title: String, command: Command, folders: (mirror: String, reference: String)
    ) {
        self.groups = Array(groups.prefix(Self.maxGroups))
        rest = groups.count - self.groups.count
        (self.title, self.command, self.folders) = (title, command, folders)
    }

    package var bytes: [UInt8] {
        Assets.copiesPage.filled([
            "styleHash": html { $0.text(Assets.copiesStyleHash) },
            "scriptHash": html { $0.text(Assets.copiesScriptHash) },
            "style": html { $0.append(Assets.copiesStyle) }, "script": html { $0.append(Assets.copiesScript) },
            "title": html { $0.text(title.shown(upTo: 300) ?? "Copies") }, "counts": html { $0.text(counts) },
            "facts": facts, "command": html { $0.text(firstCommand) },
            "main": main,
        ])
    }

    private var facts: HTML {
        html { html in
            html.attribute("data-command", command.start)
            html.attribute("data-drop", command.drop)
            html.attribute("data-move", command.move)
        }
    }

    private var droppable: [Photo] { groups.flatMap { $0.dropFirst() }.filter { !$0.isReference } }

    private var counts: String {
        let all = groups.reduce(0) { $0 + $1.count }
        return "\(all) photos in \(groups.count == 1 ? "1 group" : "\(groups.count) groups")"
    }

    /// The command that keeps the best photo of each group, for browsers without scripts.
    private var firstCommand: String {
        let numbers = droppable.map { String($0.number) }.joined(separator: ",")
        return numbers.isEmpty ? "" : "\(command.start) \(command.drop) \(numbers) \(command.move) copies"
    }

    private var main: HTML {
        html { html in
            for (index, group) in groups.enumerated() {
                html.markup("<h2>Group ")
                html.number(index + 1)
                html.markup(" <span>")
                html.text("\(group.count) photos")
                html.markup("</span></h2>\n<ul class=\"group\">\n")
                for (place, photo) in group.enumerated() { add(photo, isBest: place == 0, to: &html) }
                html.markup("</ul>\n")
            }
            guard rest > 0 else { return }
            html.markup("<p class=\"rest\">")
            html.text("\(rest) more groups are not on this page. Run the command again after these are moved.")
            html.markup("</p>\n")
        }
    }

    private func add(_ photo: Photo, isBest: Bool, to html: inout HTML) {
        html.markup("<li")
        if photo.isReference { html.markup(" class=\"stays\"") }
        html.markup("><label class=\"photo\"><span class=\"picture\">")
        let folder = photo.isReference ? folders.reference : folders.mirror
        if let address = photo.picture.map(relativeAddress), !address.isEmpty {
            html.markup("<img loading=\"lazy\" decoding=\"async\" alt=\"\"")
            html.attribute("src", pageAddress(ofFolder: folder) + address)
            html.markup(">")
        }
        html.markup("</span><span class=\"facts\"><b>")
        if photo.isReference {
            html.text("Stays, in the reference")
        } else {
            html.markup("<input type=\"checkbox\" autocomplete=\"off\"")
            html.attribute("value", photo.number)
            html.attribute("data-bytes", photo.bytes)
            if isBest { html.markup(" data-best=\"1\" checked") }
            html.markup(">Keep")
        }
        html.markup("</b><bdi>")
        html.text(photo.name.shown(upTo: 200) ?? "")
        html.markup("</bdi>")
        html.text("\(photo.facts), \(NumberFormat.bytes(Double(photo.bytes)))")
        html.markup("</span></label></li>\n")
    }
}

/// The address of a folder, relative to a page; its path may begin with parts that are `..`.
private func pageAddress(ofFolder path: String) -> String {
    let parts = path.split(separator: "/")
    let up = parts.prefix { $0 == ".." }.map { _ in "../" }.joined()
    let rest = relativeAddress(of: parts.drop { $0 == ".." }.joined(separator: "/"))
    return up + (rest.isEmpty ? "" : rest + "/")
}
