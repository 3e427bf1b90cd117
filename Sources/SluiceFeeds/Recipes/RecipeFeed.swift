// SPDX-License-Identifier: MIT

internal import SluiceModel
internal import SluiceTransfer

/// A service that a recipe describes, read page by page.
struct RecipeFeed: Feed {
    let recipe: Recipe
    let transfers: Transfers
    let options: FeedOptions

    var name: String { recipe.name }
    var defaultVariant: String { recipe.defaultVariant }

    func page(_ number: Int, at cursor: Cursor?, token: Token) async throws(Failure) -> Page {
        let url = cursor?.rawValue ?? firstPage
        var request = Request(url, headers: options.headers, limit: 16 << 20, timeout: .seconds(60))
        request.acceptsCompression = true
        let response = try await transfers.fetch(request, token: token)
        var page = Page(number: number, photos: [])
        for (index, record) in try records(in: response).enumerated() {
            if let photo = recipe.photo(from: record) {
                page.photos.append(photo)
            } else {
                page.notes.append("page \(number): record \(index + 1) has no id or no variant, and was passed over")
            }
        }
        page.next = try next(behind: response)
        page.total = recipe.totalHeader.flatMap { response.headers[$0] }.flatMap { Int($0) }
        return page
    }

    private var firstPage: String {
        var parameters = recipe.parameters
        if let order = options.order, let name = recipe.orderParameter { parameters.append((name, order)) }
        parameters.append((recipe.pageParameter, "1"))
        parameters.append((recipe.sizeParameter, String(options.perPage ?? recipe.pageSize)))
        return recipe.listing + "?"
            + parameters.map { "\(encoded($0.name))=\(encoded($0.value))" }.joined(separator: "&")
    }

    private func records(in response: Response) throws(Failure) -> [JSON] {
        let json: JSON
        do {
            json = try JSON(parsing: response.body)
        } catch {
            throw Failure(.feedParse, "\(error)", status: response.status)
        }
        guard let records = json.elements else {
            throw Failure(.feedParse, "the reply is no list of photos", status: response.status)
        }
        return records
    }

    /// The next page's address, which must stay with this one's host: a key must not follow it to another.
    private func next(behind response: Response) throws(Failure) -> Cursor? {
        guard let link = LinkHeader(response.headers.all("link"))["next"] else { return nil }
        guard let here = WebAddress(response.url), let next = WebAddress(link, relativeTo: here) else { return nil }
        guard next.hasOrigin(of: here) else { throw Failure(.crossOriginNext, next.text) }
        return Cursor(rawValue: next.text)
    }
}

/// Encodes text for a place among an address's parameters.
private func encoded(_ text: String) -> String {
    var result = ""
    for byte in text.utf8 {
        let scalar = Unicode.Scalar(byte)
        if scalar.isASCII,
            scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) || "-._~".unicodeScalars.contains(scalar)
        {
            result.unicodeScalars.append(scalar)
        } else {
            result += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        }
    }
    return result
}
