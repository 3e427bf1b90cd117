// SPDX-License-Identifier: MIT

internal import SluiceFiles
internal import SluiceImaging
internal import SluiceModel
internal import SluiceTransfer

/// Photos' bytes from a folder that another tool filled.
///
/// The files themselves are only read.
struct AdoptedFiles: Supply {
    /// Feeds round the sizes of renditions, and not all in one way.
    private static let tolerance = 2

    let options: MirrorOptions
    let adoption: Adoption

    var isAskedAgain: Bool { false }
    var asksHosts: Bool { false }

    func bring(
        _ variant: Variant, of item: Item, into partial: PartialFile, unless known: KnownVersion?,
        slot: WorkPool.Slot, judging judge: @escaping Judge, inspecting inspection: Inspection
    ) async throws(Failure) -> Arrival {
        guard let choice = adoption.choice(for: item.seq) else {
            throw Failure(.deferred, "no file of \(adoption.folder) is known as it")
        }
        let arrival = try LocalFile(choice.path, followsLink: false).copy(
            into: partial, limit: options.maxBytes, unless: nil, token: slot.token, judging: judge)
        guard case .whole(var response) = arrival else { return arrival }
        // Nobody is to take the file's own version for one of the host's.
        response.headers = HeaderFields()
        response.url = "file://\(choice.path)"
        do throws(Failure) {
            try choice.checksum?.check(partial.descriptor, sha256: response.sha256)
            try inspection.pass(response)
            try check(try inspection.result(for: response).info, variant, of: item.photo)
        } catch {
            var failure = error
            failure.finalURL = response.url
            throw failure
        }
        if let original = try? OpenFile.reading(choice.path, followsLink: false) { partial.shareBlocks(of: original) }
        return .whole(response)
    }

    /// Refuses another rendition of the photo, which may well have the same name, or one that the tool made smaller.
    private func check(_ info: ImageInfo, _ variant: Variant, of photo: Photo) throws(Failure) {
        // Of a photo's only rendition the size may stand with the photo.
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
        throw Failure(.policy, "it is \(info.width)x\(info.height), and the feed's \(variant.name) is \(words)")
    }
}
