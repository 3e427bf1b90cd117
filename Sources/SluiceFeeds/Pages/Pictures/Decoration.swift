// SPDX-License-Identifier: MIT

internal import SluiceTransfer

/// Recognises pictures that are no photos: icons, logos, trackers, spacers, drawings.
struct Decoration {
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

    private static let words: Set<Substring> = [
        "icon", "icons", "ico", "favicon", "logo", "logos", "sprite", "sprites", "spacer", "pixel", "avatar", "avatars",
        "gravatar", "emoji", "emoticon", "smiley", "smilies", "badge", "badges", "button", "buttons", "btn", "btns",
        "loader", "loading", "spinner", "placeholder", "blank", "transparent", "clear", "tracking", "tracker", "beacon",
        "captcha", "bullet", "arrow", "arrows", "rss", "counter", "ads", "advert", "advertisement", "adserver",
        "userpic",
        "profilepic", "1x1", "shim", "pix", "trans", "grey", "dot", "hamburger", "caret", "social", "share",
    ]
    /// The classes and ids that mark decoration; fewer than in addresses, because they are used for layout, too.
    private static let classWords: Set<Substring> = [
        "icon", "icons", "logo", "sprite", "avatar", "avatars", "gravatar", "emoji", "smiley", "badge", "spinner",
        "pixel", "tracking", "wp-smiley", "userpic", "headshot", "mugshot",
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

    /// Returns why a picture with these absolute addresses is left out; `nil` if it is not.
    func reason(for picture: PagePicture, at sources: [ResolvedSource]) -> Reason? {
        let others = sources.filter { !PictureAddress.isVector($0.address.text) }
        guard let best = others.first else { return .drawing }
        if Self.hosts.contains(best.address.host) { return .icon }
        // A thumbnail may be small if the large version is behind it.
        let isLinked = others.contains { $0.source.isFull }
        if !isLinked, isSmall(picture, others) { return .small }
        if picture.isInMargin, !isLinked { return .icon }
        if picture.words.contains(where: { Self.has($0[...], Self.classWords) }), !isLinked { return .icon }
        let components = best.address.pathComponents.suffix(2)
        return components.contains { Self.has($0[...], Self.words) } && !isLinked ? .icon : nil
    }

    private func isSmall(_ picture: PagePicture, _ sources: [ResolvedSource]) -> Bool {
        // A picture that is shown small may have a larger file, but then the page states that file's width.
        if let width = sources.compactMap(\.width).max(), width >= 3 * max(minWidth, 1) { return false }
        if let width = picture.width, width < minWidth { return true }
        if let height = picture.height, height < minHeight { return true }
        if picture.width == nil, let width = sources.compactMap(\.width).max(), width < minWidth { return true }
        return false
    }

    /// Whether a name contains one of the words; words are letters and digits, and numbers are not among them.
    private static func has(_ name: Substring, _ words: Set<Substring>) -> Bool {
        let name = Substring(name.lowercased())
        return words.contains(name)
            || name.split { !$0.isLetter && !$0.isNumber }.prefix(32).contains { word in
                words.contains(word) || words.contains(Substring(word.reversed().drop(while: \.isNumber).reversed()))
            }
    }
}

/// A source of a picture with its absolute address.
struct ResolvedSource {
    let source: PagePicture.Source
    let address: WebAddress
    let rendition: PictureAddress

    /// The width in pixels, as the page or the address states it.
    var width: Int? { source.width ?? rendition.width }
}
