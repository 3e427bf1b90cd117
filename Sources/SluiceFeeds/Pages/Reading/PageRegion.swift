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

    /// Whether an element is a menu or the foot of a page.
    static func isMargin(_ name: String, _ attributes: HTMLAttributes) -> Bool {
        switch name {
        case "nav", "footer": return true
        case "div", "section", "ul", "table":
            if let role = attributes["role"]?.lowercased(), marginRoles.contains(role) { return true }
            if let id = attributes["id"]?.lowercased(), marginNames.contains(id) { return true }
            return attributes.words("class").contains { marginNames.contains($0) }
        default: return false
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
