// SPDX-License-Identifier: MIT

internal import SluiceModel
internal import SluiceTransfer

/// Numbered paging without `rel="next"`: the page's links name the address with the next number.
enum PageNumber {
    private static let parameters = ["page", "paged", "p", "pg", "seite"]
    /// The numbers of pages that have a next one.
    private static let numbers = 0...999_999

    /// Returns the address of the next page, if the page links to it.
    static func next(after address: WebAddress, in page: WebPage, _ base: WebAddress?) -> String? {
        let wanted = candidates(after: address.text)
        let numbered = page.links.filter { link in link.address.contains { $0.isNumber } }
        // Most pages have no paging; only links that look like it are resolved.
        for link in numbered.prefix(2000) {
            guard
                parameters.contains(where: { link.address.contains("\($0)=") || "/\(link.address)".contains("/\($0)/") }
                ),
                let target = WebAddress(link.address, relativeTo: base)
            else { continue }
            if wanted.contains(where: { $0 === target.text || $0 + "/" === target.text }) { return target.text }
        }
        return nil
    }

    /// Returns the addresses that the next page can have.
    private static func candidates(after address: String) -> [String] {
        let path = address.prefix { $0 != "?" }
        let query = address.dropFirst(path.count + 1).split(separator: "&").map(String.init)
        var found: [String] = []
        for name in parameters {
            if let index = query.firstIndex(where: { $0.hasPrefix("\(name)=") }) {
                let text = query[index].dropFirst(name.count + 1)
                guard let number = Int(text)?.within(Self.numbers) else { continue }
                var changed = query
                changed[index] = "\(name)=\(number + 1)"
                return ["\(path)?" + changed.joined(separator: "&")]
            }
            found.append("\(path)?" + (query + ["\(name)=2"]).joined(separator: "&"))
        }
        var parts = path.split(separator: "/", omittingEmptySubsequences: false)
        if parts.last == "" { parts.removeLast() }
        let tail = query.isEmpty ? "" : "?" + query.joined(separator: "&")
        if parts.count > 4, parts[parts.count - 2] == "page",
            let number = Int(parts[parts.count - 1])?.within(Self.numbers)
        {
            return [parts.dropLast().joined(separator: "/") + "/\(number + 1)" + tail]
        }
        return found + [parts.joined(separator: "/") + "/page/2" + tail]
    }
}
