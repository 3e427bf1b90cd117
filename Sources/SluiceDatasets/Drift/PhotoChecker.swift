// SPDX-License-Identifier: MIT

internal import SluiceEngine
internal import SluiceFiles
internal import SluiceImaging
internal import SluiceModel
internal import SluiceTransfer

/// Asks a host for one photo.
struct PhotoChecker: Sendable {
    /// A photo whose original the mirror has.
    struct Photo: Sendable {
        let item: Item
        let url: String
        let host: String
        let original: StoredFile
        let version: CachedVersion?
        /// Whether the host reserved the training of models when it sent the photo.
        let wasReserved: Bool
        /// How the licence has changed in the feed since the download; `nil` if it has not, or is not known.
        let newLicense: String?

        /// Makes the photo of an entry; `nil` if the mirror does not have its original.
        init?(_ entry: LedgerEntry) {
            guard let receipt = entry.receipt, receipt.state == .done, let original = receipt.original,
                let url = receipt.url, let address = WebAddress(url)
            else { return nil }
            item = entry.item
            self.url = url
            self.original = original
            host = address.host
            wasReserved = UsageTerms(text: receipt.usage ?? "").reservesTraining
            newLicense = receipt.license.flatMap { old in
                let new = entry.item.photo.statedLicense
                return new.map { old === $0 } ?? false ? nil : "was \(old), is now \(new ?? "not stated")"
            }
            version = CachedVersion(
                from: receipt.finalURL ?? url, etag: receipt.etag, lastModified: receipt.lastModified)
        }

        /// Whether the photo belongs to a sample that has this share of all photos.
        func isIn(_ share: Double) -> Bool {
            guard share < 1 else { return true }
            let number = SHA256.bytes(of: [UInt8](url.utf8)).prefix(4).reduce(0) { $0 << 8 | Int($1) }
            return Double(number) < share * Double(1 << 32)
        }
    }

    let transfers: Transfers
    let respectsRobotsTxt: Bool
    let options: MirrorOptions
    /// The folder whose subfolder for incomplete downloads receives the bytes, until they have been compared.
    let folder: Folder
    /// Whether new reservations are a state of their own.
    let findsReservations: Bool
    /// Whether new licences are a state of their own.
    let findsLicenses: Bool
    private let slowHosts: Locked<SlowHosts>

    init(
        transfers: Transfers, respectsRobotsTxt: Bool, options: MirrorOptions, folder: Folder, findsReservations: Bool,
        findsLicenses: Bool
    ) {
        (self.transfers, self.respectsRobotsTxt, self.options) = (transfers, respectsRobotsTxt, options)
        (self.folder, self.findsReservations, self.findsLicenses) = (folder, findsReservations, findsLicenses)
        slowHosts = Locked(SlowHosts(timeout: options.timeout))
    }

    /// The host's answer about a photo.
    struct Answer: Sendable {
        var state: DriftState
        var failure: Failure?
        var reason: String?
        /// Equal for answers with the same new file; `nil` if the state is another than changed.
        var newFile: String?

        init(_ state: DriftState, failure: Failure? = nil, reason: String? = nil, newFile: String? = nil) {
            (self.state, self.failure, self.reason, self.newFile) = (state, failure, reason, newFile)
        }

        /// The answer about a photo that was not requested.
        init(_ failure: Failure) { self.init(.failed, failure: failure, reason: "\(failure)") }
    }

    /// Why a host is not requested any more; `nil` if it may be requested.
    func refusal(of host: String) -> Failure? { slowHosts.withLock { $0.refusal(of: host) } }

    /// Returns the host's answer, or the change of the licence if the host still has the photo.
    func check(_ photo: Photo, slot: WorkPool.Slot) async -> Answer {
        // While the photo waited, others may have used up the host's time.
        if let refusal = refusal(of: photo.host) { return Answer(refusal) }
        let start = ContinuousClock.now
        let answer = await ask(about: photo, slot: slot)
        if answer.state == .failed, let failure = answer.failure {
            slowHosts.withLock { $0.add(failure, of: photo.host, after: .now - start) }
        }
        guard findsLicenses, [.same, .changed].contains(answer.state), let reason = photo.newLicense else {
            return answer
        }
        return Answer(.relicensed, reason: reason)
    }

    /// Returns the host's answer; a request that takes too long is not repeated.
    private func ask(about photo: Photo, slot: WorkPool.Slot) async -> Answer {
        var request = Request(photo.url, limit: options.maxBytes, timeout: options.timeout)
        request.cachedVersion = photo.version
        request.respectsRobotsTxt = respectsRobotsTxt
        request.respectsOptOut = options.network.respectsOptOut
        request.retriesTimeouts = false
        let version = Locked("")
        let usage = Locked(UsageTerms([]))
        do throws(Failure) {
            let name = "\(MirrorFolder.partial)/drift-\(photo.item.seq)"
            let partial = try Failure.onDisk(PartialFile(name, in: folder))
            // If the removal fails, the next run of the mirror removes the file.
            defer { try? partial.remove() }
            let result = try await transfers.download(
                request, into: partial, slot: slot,
                earlyCheck: { (start, headers) throws(Failure) in
                    usage.withLock { $0 = UsageTerms(headers.usageStatements) }
                    return try Self.check(start, headers, of: photo.original, version)
                })
            switch result {
            case .unchanged(let response), .complete(let response): usage.withLock { $0 = response.usage }
            case .rejected: break
            }
            if let answer = reservation(of: photo, usage.withLock(\.self)) { return answer }
            switch result {
            case .unchanged: return Answer(.same)
            case .rejected(let rejection):
                let size = "\(rejection.announced ?? 0) bytes instead of \(photo.original.bytes)"
                return changed(photo, size, version.withLock(\.self), from: rejection.finalURL)
            case .complete(let response) where response.sha256 == photo.original.sha256: return Answer(.same)
            case .complete(let response):
                let words = response.bytes == photo.original.bytes ? "other bytes of the same size" : "other bytes"
                return changed(photo, words, response.sha256, from: response.url)
            }
        } catch {
            let place = error.finalURL.map { ", at \($0)" } ?? ""
            var answer = Answer(error.isAbsence ? .gone : .failed, failure: error, reason: "\(error)\(place)")
            if error.cause == .optedOut { answer.state = .optedOut }
            switch Substitute(error, of: photo.url) {
            case .home: answer.state = .home
            case .page: answer.state = .page
            case nil: break
            }
            return answer
        }
    }

    /// The answer of a host that now reserves the training of models; `nil` of another one.
    private func reservation(of photo: Photo, _ usage: UsageTerms) -> Answer? {
        guard findsReservations, !photo.wasReserved, usage.reservesTraining else { return nil }
        return Answer(.reserved, reason: usage.text)
    }

    /// Rejects a web page, and a file of another size, of which nothing more is downloaded.
    private static func check(
        _ start: [UInt8], _ headers: HeaderFields, of original: StoredFile, _ version: Locked<String>
    ) throws(Failure) -> EarlyDecision {
        let announced = headers["content-length"].flatMap { Int($0)?.within(Quantity.range) }
        if ImageFormat(sniffing: start) == nil {
            let type = headers["content-type"]
            if Substitute.isPage(type: type, start: start) {
                throw Failure(.notAnImage, "\(type.map { String($0.prefix(60)) } ?? "text/html") instead of a photo")
            }
            // The first bytes may come in pieces.
            if start.count < ImageFormat.sniffedBytes, start.count < announced ?? .max { return .undecided }
        }
        guard let announced, announced != original.bytes else { return .accepted }
        version.withLock { $0 = "\(announced) \(headers["etag"] ?? headers["last-modified"] ?? "")" }
        return .rejected("another size")
    }

    private func changed(_ photo: Photo, _ words: String, _ file: String, from url: String?) -> Answer {
        if Substitute.isPlaceholder(url ?? photo.url) {
            return Answer(.placeholder, reason: "\(words), at \(url ?? photo.url)")
        }
        return Answer(.changed, reason: words, newFile: "\(photo.host) \(file)")
    }
}
