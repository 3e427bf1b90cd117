// SPDX-License-Identifier: MIT

internal import SluiceEngine
internal import SluiceFiles
internal import SluiceImaging
internal import SluiceModel
internal import SluiceTransfer

/// Copies photos' originals from an adopted folder, which another tool filled.
///
/// The folder's files are only read, never changed or moved.
struct AdoptedOriginals: OriginalsProvider {
    /// The allowed difference in pixels: feeds round the sizes of their variants differently.
    private static let tolerance = 2

    let options: MirrorOptions
    let adoption: Adoption

    var revalidatesExisting: Bool { false }
    var usesNetwork: Bool { false }

    func fetch(
        _ variant: Variant, of item: Item, into partial: PartialFile, unless known: CachedVersion?,
        slot: WorkPool.Slot, earlyCheck: @escaping EarlyCheck, checking arrivalCheck: ArrivalCheck
    ) async throws(Failure) -> DownloadResult {
        guard let choice = adoption.choice(for: item.seq) else {
            throw Failure(.deferred, "no file in '\(adoption.folder)' matches this photo")
        }
        let arrival = try LocalFile(choice.path, followsLink: false).copy(
            into: partial, limit: options.maxBytes, unless: nil, token: slot.token, earlyCheck: earlyCheck)
        guard case .complete(var response) = arrival else { return arrival }
        // Validators of the local file must not be sent to the photo's host later.
        response.headers = HeaderFields()
        response.url = "file://\(choice.path)"
        do throws(Failure) {
            try choice.checksum?.check(partial.descriptor, sha256: response.sha256)
            try arrivalCheck.validate(response)
            try check(try arrivalCheck.result(for: response).info, variant, of: item.photo)
        } catch {
            var failure = error
            (failure.finalURL, failure.scope) = (response.url, .item)
            throw failure
        }
        if let original = try? OpenFile.reading(choice.path, followsLink: false) { partial.shareBlocks(of: original) }
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
