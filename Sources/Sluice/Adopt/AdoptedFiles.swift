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
            try check(try inspection.result(for: response).info, variant)
        } catch {
            var failure = error
            failure.finalURL = response.url
            throw failure
        }
        if let original = try? OpenFile.reading(choice.path, followsLink: false) { partial.shareBlocks(of: original) }
        return .whole(response)
    }

    /// Refuses another rendition of the photo, which may well have the same name.
    private func check(_ info: ImageInfo, _ variant: Variant) throws(Failure) {
        let sizes = [(info.width, info.height), (info.height, info.width)]
        let isAsStated = sizes.contains { width, height in
            abs(width - (variant.width ?? width)) <= Self.tolerance
                && abs(height - (variant.height ?? height)) <= Self.tolerance
        }
        guard !isAsStated else { return }
        let stated = "\(variant.width.map(String.init) ?? "")x\(variant.height.map(String.init) ?? "")"
        throw Failure(.policy, "it is \(info.width)x\(info.height), and the feed's \(variant.name) is \(stated)")
    }
}
