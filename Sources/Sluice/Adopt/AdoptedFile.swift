// SPDX-License-Identifier: MIT

internal import SluiceEngine
internal import SluiceFiles
internal import SluiceImaging
internal import SluiceModel
internal import SluiceTransfer

/// A file of an adopted folder that was matched to a photo, before its content is checked.
///
/// It is copied; the folder's files are only read, never changed or moved.
struct AdoptedFile: FetchedInput, Hashable {
    /// The allowed difference in pixels: feeds round the sizes of their variants differently.
    private static let tolerance = 2

    let path: String
    /// The checksum that the file must have, from the feed or an earlier receipt; `nil` if neither states one.
    let checksum: Checksum?
    var sidecars: [String] = []

    func isCurrent(_ variant: Variant, as known: CachedVersion?) -> Bool { true }

    func fetch(_ request: FetchRequest, of item: Item) async throws(Failure) -> DownloadResult {
        let partial = request.partial
        let arrival = try LocalFile(path, followsLink: false).copy(
            into: partial, limit: request.limit, unless: nil, token: request.slot.token,
            earlyCheck: request.earlyCheck)
        guard case .complete(var response) = arrival else { return arrival }
        // Validators of the local file must not be sent to the photo's host later.
        response.headers = HeaderFields()
        response.url = PathText.isAddress(path) ? path : "file://\(path)"
        do throws(Failure) {
            try checksum?.check(partial.descriptor, sha256: response.sha256)
            try request.arrivalCheck.validate(response)
            try check(try request.arrivalCheck.result(for: response).info, request.variant, of: item.photo)
        } catch {
            var failure = error
            (failure.finalURL, failure.scope) = (response.url, .item)
            throw failure
        }
        if let original = try? OpenFile.reading(path, followsLink: false) { partial.shareBlocks(of: original) }
        return .complete(response)
    }

    /// Rejects another variant of the photo, which may have the same name, or a copy that the tool made smaller.
    private func check(_ info: ImageInfo, _ variant: Variant, of photo: Photo) throws(Failure) {
        // A feed may state the size of an only variant on the photo itself.
        let isOnly = photo.variants.count == 1
        let stated = (
            width: variant.width ?? (isOnly ? photo.width : nil),
            height: variant.height ?? (isOnly ? photo.height : nil)
        )
        let isAsStated = [(info.width, info.height), (info.height, info.width)].contains { width, height in
            abs(width - (stated.width ?? width)) <= Self.tolerance
                && abs(height - (stated.height ?? height)) <= Self.tolerance
        }
        guard !isAsStated else { return }
        let words = "\(stated.width.map(String.init) ?? "")x\(stated.height.map(String.init) ?? "")"
        throw Failure(
            .policy, "the file is \(info.width)x\(info.height), but the feed states \(words) for '\(variant.name)'")
    }
}
