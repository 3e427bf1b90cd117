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
        /// How often the page shows the picture.
        var uses = 1
        /// Whether it is in a link to the first page of the site.
        var leadsHome = false
        /// Whether it is in a link to a page with its name.
        var hasOwnPage = false
        /// Whether it is one of the thumbnails that make the page an index.
        var isOfIndex = false

        let isLinked: Bool
        let fileWidth: Int?
        /// The last two components of the address without extensions and numbers, the words in them, and their parts.
        let names: [String]
        let words: [String]
        let fileName: String
        let folders: ArraySlice<String>

        init(_ picture: PagePicture, _ candidates: [PictureCandidate]) {
            (self.picture, self.candidates) = (picture, candidates)
            isLinked = candidates.contains { $0.source.isFull }
            fileWidth = candidates.compactMap(\.width).max()
            let components = candidates.first?.address.pathComponents ?? []
            folders = components.dropLast().prefix(32)
            fileName = components.last ?? ""
            names = components.suffix(2).map { name in Words.plain(name.lowercased().prefix { $0 != "." }) }
            words = components.suffix(2).flatMap(Words.split)
        }

        var fileExtension: Substring { PictureName.pathExtension(of: fileName[...]) }

        /// Whether a side of the picture on the page has a size in a range.
        func isShown(_ sizes: Range<Int>) -> Bool {
            [picture.width, picture.height].contains { $0.map(sizes.contains) ?? false }
        }
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
        Entry(meaning: "a page with its name is linked", weight: 3) { $0.hasOwnPage },
        Entry(meaning: "in a figure", weight: 2) { $0.picture.figure != nil },
        Entry(meaning: "shown large", weight: 2) {
            ($0.picture.width ?? 0) >= 400 && ($0.picture.height ?? 400) >= 200
        },
        Entry(meaning: "a wide file", weight: 1) { ($0.fileWidth ?? 0) >= 800 },
        Entry(meaning: "a format of photos", weight: 1) {
            !PictureName.isDrawn($0.fileName) && PictureName.isPicture($0.fileName)
        },
        // Forums send attachments by a script.
        Entry(meaning: "an alternative text with a file's name", weight: 3) {
            $0.picture.caption.map(PictureName.mayOccur) ?? false
        },
        Entry(meaning: "a format of animations", weight: -1) { $0.fileExtension == StoredFormat.gif.fileExtension },
        Entry(meaning: "shown small", weight: -1) { $0.isShown(1..<150) },
        Entry(meaning: "shown as a strip", weight: -2) {
            ($0.picture.width ?? 0) > 3 * max($0.picture.height ?? .max / 4, 1)
        },
        Entry(meaning: "shown five times or more", weight: -2) { $0.uses > 4 },
        Entry(meaning: "a link to the first page of the site", weight: -4) { $0.leadsHome },
        Entry(meaning: "the address of a page", weight: -3) { subject in
            subject.candidates.allSatisfy { WebDocument.hasPageName($0.rendition.key) }
        },
        Entry(meaning: "a file of the site's design", weight: -2) { !Words.design.isDisjoint(with: $0.folders) },
        Entry(meaning: "a name of decoration", weight: -6) { !Words.strong.isDisjoint(with: $0.names) },
        Entry(meaning: "a name with a word of decoration", weight: -5) {
            Words.strong.isDisjoint(with: $0.names) && !Words.strong.isDisjoint(with: $0.words)
        },
        Entry(meaning: "a name with a part of such a word", weight: -2) {
            Words.strong.isDisjoint(with: $0.words) && Words.hasPart($0.words)
        },
        Entry(meaning: "an ambiguous name", weight: -2) { !Words.weak.isDisjoint(with: $0.names) },
        Entry(meaning: "a name with an ambiguous word", weight: -1) {
            Words.weak.isDisjoint(with: $0.names) && !Words.weak.isDisjoint(with: $0.words)
        },
        Entry(meaning: "an alternative text of decoration", weight: -3) {
            $0.picture.caption.map { !Words.described.isDisjoint(with: Words.split($0)) } ?? false
        },
        Entry(meaning: "a class or id of decoration", weight: -4) {
            $0.picture.words.contains { !Words.marks.isDisjoint(with: Words.split($0)) }
        },
        Entry(meaning: "in a menu or a footer", weight: -7) { $0.picture.region == .margin },
        Entry(meaning: "in a header", weight: -2) { $0.picture.region == .header },
        Entry(meaning: "beside the text", weight: -1) { $0.picture.region == .aside },
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

    /// Returns the entries of the table that apply to a picture, and why it is left out; no reason for a photo.
    func verdict(on subject: Subject) -> (reason: Reason?, entries: [Entry]) {
        if subject.candidates.isEmpty { return (.drawing, []) }
        // A thumbnail may be small if the large version is linked.
        if !subject.isLinked, !subject.isOfIndex, isSmall(subject) { return (.small, []) }
        let entries = Self.table.filter { $0.applies(subject) }
        return (entries.reduce(0) { $0 + $1.weight } < 0 ? .icon : nil, entries)
    }

    private func isSmall(_ subject: Subject) -> Bool {
        // A picture that is shown small may have a larger file, but then the page states that file's width.
        if let width = subject.fileWidth, width >= 3 * max(minWidth, 1) { return false }
        // The thumbnail of a photo with a page of its own is larger than the icons that have one.
        let part = subject.hasOwnPage ? 2 : 1
        if let width = subject.picture.width, width < minWidth / part { return true }
        if let height = subject.picture.height, height < minHeight / part { return true }
        return subject.picture.width == nil && (subject.fileWidth ?? .max) < minWidth
    }
}

extension PictureEvidence {
    /// Words that occur in names of decoration.
    private enum Words {
        /// Words that rarely occur in the names of photos.
        static let strong: TextSet = [
            "icon", "icons", "ico", "favicon", "logo", "logos", "sprite", "sprites", "spacer", "avatar", "avatars",
            "gravatar", "emoji", "emoticon", "smiley", "smilies", "badge", "badges", "button", "buttons", "btn", "btns",
            "loader", "spinner", "placeholder", "tracking", "tracker", "captcha", "advert", "advertisement", "adserver",
            "userpic", "profilepic", "hamburger", "caret", "88x31",
        ]
        /// Words of decoration that also name what photos show.
        static let weak: TextSet = [
            "pixel", "loading", "blank", "transparent", "clear", "beacon", "bullet", "arrow", "arrows", "rss",
            "counter", "ads", "1x1", "shim", "pix", "trans", "grey", "dot", "social", "share",
        ]
        /// Words in the alternative texts of decoration.
        static let described: TextSet = ["logo", "icon", "avatar", "gravatar", "favicon", "spacer", "spinner"]
        /// Classes and ids of decoration; fewer than in addresses, because they are used for layout, too.
        static let marks: TextSet = [
            "icon", "icons", "logo", "sprite", "avatar", "avatars", "gravatar", "emoji", "smiley", "badge", "spinner",
            "pixel", "tracking", "userpic", "headshot", "mugshot",
        ]
        /// Folders of files that belong to the design of a site.
        static let design: TextSet = [
            "themes", "plugins", "skins", "skin", "templates", "sitedesign", "icons", "css", "profile_images",
        ]
        private static let parts = ["logo", "icon", "button", "badge"]

        /// Returns the words of a text in lower case without the numbers at their ends; a capital letter after a small
        /// one begins a word.
        static func split(_ text: String) -> [String] {
            var (words, word, isSmall): ([String], String, Bool) = ([], "", false)
            for character in text.prefix(512) {
                let isPart = character.isLetter || character.isNumber
                if !word.isEmpty, !isPart || isSmall && character.isUppercase {
                    words.append(plain(word[...]))
                    word = ""
                }
                if isPart { word += character.lowercased() }
                isSmall = character.isLowercase
            }
            return word.isEmpty ? words : words + [plain(word[...])]
        }

        /// Returns a word without the number at its end.
        static func plain(_ word: Substring) -> String {
            guard word.last?.isNumber == true, word.first?.isNumber == false else { return String(word) }
            return String(word.reversed().drop(while: \.isNumber).reversed())
        }

        /// Whether a longer word begins or ends like one of decoration.
        static func hasPart(_ words: [String]) -> Bool {
            words.contains { word in parts.contains { word.hasPrefix($0) || word.hasSuffix($0) } }
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
