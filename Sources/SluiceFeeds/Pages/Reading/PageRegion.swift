// SPDX-License-Identifier: MIT

internal import SluiceModel

/// Recognises what the elements of a page are for, by their names, roles and classes.
enum PageRegion {
    /// The classes of elements that hold a picture and its caption.
    static let figureClasses: Set<String> = ["wp-caption", "gallery-item", "thumbinner", "image-with-caption"]
    /// The classes of captions inside a figure.
    static let captionClasses: Set<String> = [
        "wp-caption-text", "gallery-caption", "thumbcaption", "caption", "image-caption",
    ]
    private static let creditClasses: Set<String> = [
        "credit", "credits", "photo-credit", "image-credit", "copyright", "wp-media-credit", "media-credit",
    ]
    private static let creditProperties: Set<String> = ["copyrightholder", "credittext", "copyrightnotice"]
    private static let marginRoles: Set<String> = ["navigation", "contentinfo", "menu", "menubar"]
    private static let marginNames: Set<String> = [
        "footer", "site-footer", "page-footer", "global-footer", "nav", "navbar", "navigation", "main-nav", "site-nav",
        "mainmenu", "main-menu",
    ]
    private static let headerNames: Set<String> = [
        "header", "site-header", "page-header", "banner", "masthead", "topbar", "top-bar", "site-branding",
    ]
    private static let asideNames: Set<String> = ["sidebar", "complementary", "widget-area", "aside"]

    /// A part of a page.
    enum Kind {
        case body
        /// An article or the main part.
        case text
        /// The head of the page, or a part beside the text.
        case header, aside
        /// A menu or the foot of the page.
        case margin
    }

    /// Returns the part that an element inside another part begins or belongs to.
    static func kind(_ name: String, _ attributes: HTMLAttributes, in parent: Kind) -> Kind {
        if parent == .margin { return .margin }
        switch name {
        case "nav", "footer": return .margin
        case "article", "main": return parent == .body ? .text : parent
        case "header": return parent == .body ? .header : parent
        case "aside": return .aside
        case "div", "section", "ul", "table":
            let names =
                [attributes["role"], attributes["id"]].compactMap { $0?.lowercased() } + attributes.words("class")
            if names.contains(where: { marginRoles.contains($0) || marginNames.contains($0) }) { return .margin }
            if parent == .body, names.contains(where: headerNames.contains) { return .header }
            return parent != .text && names.contains(where: asideNames.contains) ? .aside : parent
        default: return parent
        }
    }

    /// Whether an element of a figure holds its credit.
    static func isCredit(_ classes: [String], _ property: String?) -> Bool {
        classes.contains { creditClasses.contains($0) }
            || property.map { creditProperties.contains($0.lowercased()) } ?? false
    }

    /// The size at which an image is shown, from its attributes or its style.
    static func size(_ attributes: HTMLAttributes) -> (width: Int?, height: Int?) {
        var (width, height) = (attributes["width"].flatMap(pixels), attributes["height"].flatMap(pixels))
        // AMP states ratios, such as 3 to 2, for pictures that fill the width.
        if attributes["layout"] == "responsive", (width ?? 0) < 48 { (width, height) = (nil, nil) }
        guard let style = attributes["style"]?.lowercased().prefix(1 << 10) else { return (width, height) }
        for declaration in style.split(separator: ";").prefix(32) {
            let parts = declaration.split(separator: ":", maxSplits: 1).map { String($0).trimmed }
            guard parts.count == 2, parts[1].hasSuffix("px") else { continue }
            if parts[0] == "width" { width = width ?? pixels(parts[1]) }
            if parts[0] == "height" { height = height ?? pixels(parts[1]) }
        }
        return (width, height)
    }

    /// Returns a number of pixels, such as `640` or `640px`; `nil` for a percentage and other texts.
    static func pixels(_ text: String) -> Int? {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        let unit = text.dropFirst(digits.count).drop { $0 == "." || $0.isNumber }
        guard ["", "px", ";"].contains(unit), let number = Int(digits), number <= 1_000_000 else { return nil }
        return number
    }
}
