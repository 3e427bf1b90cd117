// SPDX-License-Identifier: MIT

internal import SluiceOrigin

/// The page and the order that a list request asks for.
struct DemoPaging {
    /// A sort order of the list.
    enum Order: String {
        case latest, oldest, popular

        func sorted(_ photos: [DemoPhoto]) -> [DemoPhoto] {
            switch self {
            case .latest: photos
            case .oldest: photos.reversed()
            case .popular: photos.sorted { ($1.likes, $0.number) < ($0.likes, $1.number) }
            }
        }
    }

    let page: Int
    let perPage: Int
    let order: Order

    /// Reads the parameters; `nil` if one is invalid.
    init?(_ request: OriginRequest) {
        guard let page = Self.number(request.query("page"), default: 1),
            let perPage = Self.number(request.query("per_page"), default: 10),
            let order = Order(rawValue: request.query("order_by") ?? "latest")
        else { return nil }
        self.page = page
        self.perPage = min(perPage, 30)
        self.order = order
    }

    /// Parses a positive number, bounded so that arithmetic with it cannot overflow.
    private static func number(_ text: String?, default value: Int) -> Int? {
        guard let text else { return value }
        guard let number = Int(text), (1...1_000_000_000).contains(number) else { return nil }
        return number
    }

    /// Returns the list indices on this page; empty beyond the end.
    func range(of total: Int) -> Range<Int> {
        let start = min(total, (page - 1) * perPage)
        return start..<min(total, start + perPage)
    }

    /// Returns the fields `Link`, `X-Total` and `X-Per-Page`.
    func headers(total: Int) -> [OriginHeader] {
        let last = max(1, (total + perPage - 1) / perPage)
        var links = ["<\(address(1))>; rel=\"first\""]
        if page > 1 { links.append("<\(address(min(page - 1, last)))>; rel=\"prev\"") }
        if page < last { links.append("<\(address(page + 1))>; rel=\"next\"") }
        links.append("<\(address(last))>; rel=\"last\"")
        return [
            OriginHeader("Link", links.joined(separator: ", ")), OriginHeader("X-Total", "\(total)"),
            OriginHeader("X-Per-Page", "\(perPage)"),
        ]
    }

    private func address(_ page: Int) -> String {
        "\(DemoService.address)/photos?page=\(page)&per_page=\(perPage)&order_by=\(order.rawValue)"
    }
}
