// SPDX-License-Identifier: MIT

internal import SluiceModel
internal import SluiceTransfer

/// Decides whether a picture is a photo or decoration, by the sum of weights in one table.
///
/// A picture without any evidence is a photo. To add evidence, add an entry.
struct PictureEvidence {
    /// Why a picture is left out.
    enum Reason: Int, CaseIterable {
        case inline, drawing, small, icon

        /// Describes a number of pictures, as a note lists them.
        func text(_ count: Int) -> String {
            switch self {
            case .inline: count == 1 ? "1 inline image" : "\(count) inline images"
            case .drawing: count == 1 ? "1 drawing" : "\(count) drawings"
            case .small: count == 1 ? "1 small image" : "\(count) small images"
            case .icon: count == 1 ? "1 icon" : "\(count) icons, logos and trackers"
            }
        }
    }

    /// A picture whose addresses are known.
    struct Subject {
        let picture: PagePicture
        /// The candidates that are no drawings.
        let candidates: [PictureCandidate]
        /// Whether the page shows pictures outside of its scripts' data.
        var isPageWithPictures = true

        var isLinked: Bool { candidates.contains { $0.source.isFull } }
        var fileWidth: Int? { candidates.compactMap(\.width).max() }
        var components: ArraySlice<String> { candidates.first?.address.pathComponents.suffix(2) ?? [] }
        var fileExtension: String { String(PictureName.pathExtension(of: Substring(components.last ?? ""))) }
    }

    /// An observation and its weight; a sum below zero means decoration.
    struct Entry: Sendable {
        let meaning: String
        let weight: Int
        let applies: @Sendable (Subject) -> Bool
    }

    static let table: [Entry] = [
        Entry(meaning: "shown or linked", weight: 1) { [.image, .link, .attribute].contains($0.picture.place) },
        Entry(meaning: "named for previews", weight: 2) { $0.picture.place == .preview },
        Entry(meaning: "named by structured data", weight: 3) { $0.picture.place == .structured },
        Entry(meaning: "in script data beside shown pictures", weight: -9) {
            $0.picture.place == .script && $0.isPageWithPictures
        },
        Entry(meaning: "a larger file is linked", weight: 5) { $0.isLinked },
        Entry(meaning: "in a figure", weight: 2) { $0.picture.figure != nil },
        Entry(meaning: "shown large", weight: 2) { ($0.picture.width ?? 0) >= 400 },
        Entry(meaning: "a wide file", weight: 1) { ($0.fileWidth ?? 0) >= 800 },
        Entry(meaning: "a format of photos", weight: 1) {
            !PictureName.isDrawn($0.components.last ?? "") && PictureName.isPicture($0.components.last ?? "")
        },
        Entry(meaning: "a format of animations", weight: -1) { $0.fileExtension == StoredFormat.gif.fileExtension },
        Entry(meaning: "a name of decoration", weight: -5) { $0.components.contains { Words.strong.contains($0) } },
        Entry(meaning: "a name with a word of decoration", weight: -4) {
            $0.components.contains { !Words.strong.contains($0) && Words.strong.isPart(of: $0) }
        },
        Entry(meaning: "an ambiguous name", weight: -2) { $0.components.contains { Words.weak.contains($0) } },
        Entry(meaning: "a name with an ambiguous word", weight: -1) {
            $0.components.contains { !Words.weak.contains($0) && Words.weak.isPart(of: $0) }
        },
        Entry(meaning: "an alternative text of decoration", weight: -3) {
            $0.picture.caption.map(Words.described.isPart) ?? false
        },
        Entry(meaning: "a class or id of decoration", weight: -4) {
            $0.picture.words.contains(where: Words.marks.isPart)
        },
        Entry(meaning: "in a menu or a footer", weight: -7) { $0.picture.isInMargin },
        Entry(meaning: "at a host of trackers and badges", weight: -9) {
            $0.candidates.first.map { hosts.contains($0.address.host) } ?? false
        },
    ]

    private static let hosts: Set<String> = [
        "pixel.wp.com", "stats.wordpress.com", "www.gravatar.com", "secure.gravatar.com", "www.facebook.com",
        "b.scorecardresearch.com", "sb.scorecardresearch.com", "pixel.quantserve.com", "www.google-analytics.com",
        "feeds.feedburner.com", "feeds.wordpress.com",
        "www.assoc-amazon.com", "ir-na.amazon-adsystem.com", "px.ads.linkedin.com", "bat.bing.com", "img.shields.io",
    ]

    /// The minimum width and height that the user wants.
    let minWidth: Int
    let minHeight: Int

    /// The entries of the table that apply to a picture.
    static func entries(for subject: Subject) -> [Entry] { table.filter { $0.applies(subject) } }

    /// Returns why a picture is left out; `nil` if it is a photo.
    func reason(for subject: Subject) -> Reason? {
        if subject.candidates.isEmpty { return .drawing }
        // A thumbnail may be small if the large version is linked.
        if !subject.isLinked, isSmall(subject) { return .small }
        return Self.entries(for: subject).reduce(0) { $0 + $1.weight } < 0 ? .icon : nil
    }

    private func isSmall(_ subject: Subject) -> Bool {
        // A picture that is shown small may have a larger file, but then the page states that file's width.
        if let width = subject.fileWidth, width >= 3 * max(minWidth, 1) { return false }
        if let width = subject.picture.width, width < minWidth { return true }
        if let height = subject.picture.height, height < minHeight { return true }
        return subject.picture.width == nil && (subject.fileWidth ?? .max) < minWidth
    }
}

extension PictureEvidence {
    /// Words that occur in names of decoration.
    private struct Words: Sendable {
        /// Words that rarely occur in the names of photos.
        static let strong = Words([
            "icon", "icons", "ico", "favicon", "logo", "logos", "sprite", "sprites", "spacer", "avatar", "avatars",
            "gravatar", "emoji", "emoticon", "smiley", "smilies", "badge", "badges", "button", "buttons", "btn", "btns",
            "loader", "spinner", "placeholder", "tracking", "tracker", "captcha", "advert", "advertisement", "adserver",
            "userpic", "profilepic", "hamburger", "caret",
        ])
        /// Words of decoration that also name what photos show.
        static let weak = Words([
            "pixel", "loading", "blank", "transparent", "clear", "beacon", "bullet", "arrow", "arrows", "rss",
            "counter", "ads", "1x1", "shim", "pix", "trans", "grey", "dot", "social", "share",
        ])
        /// Words in the alternative texts of decoration.
        static let described = Words(["logo", "icon", "avatar", "gravatar", "favicon", "spacer", "spinner"])
        /// Classes and ids of decoration; fewer than in addresses, because they are used for layout, too.
        static let marks = Words([
            "icon", "icons", "logo", "sprite", "avatar", "avatars", "gravatar", "emoji", "smiley", "badge", "spinner",
            "pixel", "tracking", "userpic", "headshot", "mugshot",
        ])

        private let words: TextSet

        init(_ words: TextSet) { self.words = words }

        /// Whether a name without its extension and its number is one of the words.
        func contains(_ name: String) -> Bool { isWord(name.lowercased().prefix { $0 != "." }) }

        /// Whether one of the words occurs in a name, between other characters than letters and digits.
        func isPart(of name: String) -> Bool {
            name.lowercased().split { !$0.isLetter && !$0.isNumber }.prefix(32).contains(where: isWord)
        }

        private func isWord(_ text: Substring) -> Bool {
            words.contains(String(text))
                || text.last?.isNumber == true
                    && words.contains(String(text.reversed().drop(while: \.isNumber).reversed()))
        }
    }
}

/// An absolute address that may be one of a picture, and where the page states it.
struct PictureCandidate {
    let source: PagePicture.Source
    let address: WebAddress
    var rendition: PictureAddress

    /// The width in pixels, as the page or the address states it.
    var width: Int? { source.width ?? rendition.width }
}
