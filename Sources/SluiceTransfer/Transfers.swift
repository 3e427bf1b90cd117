// SPDX-License-Identifier: MIT

internal import CCurl
internal import CLibraries
package import SluiceFiles
public import SluiceModel

/// An event between a request and its result.
public enum TransferEvent: Sendable, Hashable {
    /// An attempt failed, and another follows after `delay`; `attempt` counts from 1.
    case retried(attempt: Int, Failure, delay: Duration)
    /// The bytes received so far, and the total if it is known; reported at most four times per second.
    case progressed(bytes: Int, total: Int?)
    /// The host is not requested for this long.
    case hostPaused(String, Duration, Failure)
    /// The host is excluded for the rest of the run.
    case hostGivenUp(String, Failure)
}

/// The HTTP client: sends requests, follows redirects, retries failures, and keeps each host's limits.
package final class Transfers: Sendable {
    /// The options for all transfers.
    package let options: TransferOptions
    let loop: TransferLoop
    let resolver: Resolver
    let pool: WorkPool
    let robots = RobotsCache()
    let reservations = OriginCache<ReservationFile>()
    private let sharedDownloads = SharedDownloads()
    let fallback = Locked(HTTPFallback())
    let netrcOrigins = Locked(NetrcOrigins())
    /// The hosts that send photos only if the request names their page.
    let referrerHosts = Locked<TextSet>([])
    /// Removes the secrets that replies may repeat: those of the user, and those of requests for pages.
    private let sentSecrets: Locked<Redaction>

    /// Receives the events between a request and its result.
    package typealias Observer = @Sendable (TransferEvent) -> Void
    /// Throws if a successful response is in fact a failure.
    ///
    /// Some services report overload in the body alone, and some files end too early for their format although the HTTP
    /// response is complete.
    package typealias Check = @Sendable (Response) throws(Failure) -> Void

    /// Starts the transfer loop, which ends after this object is released and its transfers have ended.
    ///
    /// `pool` tracks the hosts' limits.
    package convenience init(_ options: TransferOptions, pool: WorkPool = WorkPool(width: 1, backlog: 1)) {
        self.init(options, resolver: Resolver(), pool: pool)
    }

    init(_ options: TransferOptions, resolver: Resolver, pool: WorkPool = WorkPool(width: 1, backlog: 1)) {
        (self.options, self.resolver, self.pool) = (options, resolver, pool)
        var redaction = Redaction()
        redaction.add(options.secrets + options.addressGuard.trustedOrigins.compactMap(\.password))
        if options.readsNetrc { redaction.add(words: SecretWords.ofNetrc(options.netrcFile)) }
        sentSecrets = Locked(redaction)
        loop = TransferLoop(options)
    }

    /// Removes the secrets that were sent from texts of replies.
    package var redaction: Redaction { sentSecrets.withLock(\.self) }

    /// Returns the redaction for the replies to a request, and remembers the secrets of a request for a page.
    ///
    /// The photos of a list may have any number of secrets, which only their own replies can repeat.
    ///
    /// The user's cookies are read when a request needs them first.
    func redaction(
        for request: Request, at address: WebAddress, into target: ResponseBody.Target
    ) throws(Failure) -> Redaction {
        let cookies = try loadCookies(for: request, at: address)
        if !cookies.isEmpty { sentSecrets.withLock { $0.add(words: cookies) } }
        let own = request.secrets + [WebAddress(request.url)?.password].compactMap(\.self)
        if own.isEmpty { return redaction }
        if case .memory = target {
            return sentSecrets.withLock { sent in
                sent.add(own)
                return sent
            }
        }
        var redaction = redaction
        redaction.add(own)
        return redaction
    }

    /// The number of body bytes received so far, of pages and photos alike.
    package var receivedBytes: Int { loop.counter.total }

    /// Changes the limit of the bandwidth, in bytes per second, of transfers that have one.
    package func setBandwidth(_ bytesPerSecond: Int) { loop.setBandwidth(bytesPerSecond) }

    /// Calls `handler` once when downloads have received ``TransferOptions/transferLimit`` bytes, with their number.
    ///
    /// It must return quickly, because all transfers wait for it.
    package func onTransferLimit(_ handler: @escaping @Sendable (Int) -> Void) { loop.counter.onLimit(handler) }

    /// Fetches a response into memory, without using a slot of the pool.
    ///
    /// A failure that `check` throws is treated like one that the status reports: it may be retried, and it may pause
    /// the host.
    package func fetch(
        _ request: Request, token: CancellationToken, observer: @escaping Observer = { _ in },
        checking check: Check = { _ in }
    ) async throws(Failure) -> Response {
        try await send(request, into: .memory, UnpooledPermit(pool: pool, token: token), check, observer)
    }

    /// Fetches a response into memory for an item of the pool.
    ///
    /// The slot is free for other items between attempts.
    package func fetch(_ request: Request, slot: WorkPool.Slot) async throws(Failure) -> Response {
        try await send(request, into: .memory, slot, { _ in }, { _ in })
    }

    /// Downloads into a file without using a slot of the pool; resumes an earlier download of the same URL if possible.
    ///
    /// The caller must not touch the file until this returns. After an error, the file is removed, or kept with a note
    /// with which the next download resumes it.
    package func download(
        _ request: Request, into partial: PartialFile, token: CancellationToken, earlyCheck: EarlyCheck? = nil,
        observer: @escaping Observer = { _ in }
    ) async throws(Failure) -> DownloadResult {
        try await download(
            request, into: partial, UnpooledPermit(pool: pool, token: token), FileChecks(early: earlyCheck), observer)
    }

    /// Downloads for an item of the pool.
    ///
    /// The slot is free for other items between attempts, and while the item waits for another host or for another
    /// caller's download of the same request. With `prefix`, a part of the file may suffice. `check` runs on the
    /// complete file. A failure that it throws is treated like one that the status reports, and the file is emptied. It
    /// does not run on a copy of another caller's download.
    package func download(
        _ request: Request, into partial: PartialFile, slot: WorkPool.Slot, earlyCheck: EarlyCheck? = nil,
        prefix: (any PrefixReading)? = nil, observer: @escaping Observer = { _ in },
        checking check: @escaping Check = { _ in }
    ) async throws(Failure) -> DownloadResult {
        var request = request
        request.acceptsPart = prefix != nil
        return try await download(
            request, into: partial, slot as any RequestPermit,
            FileChecks(early: earlyCheck, prefix: prefix, whole: check),
            observer)
    }

    /// The checks of a file during its download and after it.
    private struct FileChecks {
        var early: EarlyCheck?
        var prefix: (any PrefixReading)?
        var whole: Check = { _ in }
    }

    private func download(
        _ request: Request, into partial: PartialFile, _ permit: any RequestPermit, _ checks: FileChecks,
        _ observer: @escaping Observer
    ) async throws(Failure) -> DownloadResult {
        var earlier: SharedDownload?
        while true {
            switch sharedDownloads.join(request, into: partial, after: earlier) {
            case .lead:
                do throws(Failure) {
                    let result = try await lead(request, into: partial, permit, checks, observer)
                    sharedDownloads.finish(request, with: .success(result))
                    return result
                } catch {
                    sharedDownloads.finish(request, with: .failure(error))
                    throw error
                }
            case .follow(let download):
                do throws(Failure) {
                    try await permit.wait(for: download)
                    if let result = try download.copyResult(into: partial) { return result }
                    earlier = download
                } catch {
                    try? partial.remove()
                    throw error
                }
            }
        }
    }

    /// Downloads as the first caller of a shared download.
    private func lead(
        _ request: Request, into partial: PartialFile, _ permit: any RequestPermit, _ checks: FileChecks,
        _ observer: @escaping Observer
    ) async throws(Failure) -> DownloadResult {
        let sink: DownloadSink
        do throws(Failure) {
            // A record has the whole response.
            let isResumable = !request.isRecorded || options.recorder == nil
            sink = try DownloadSink(
                partial, for: request.url, earlyCheck: checks.early, prefix: checks.prefix, isResumable: isResumable
            ) {
                observer(.progressed(bytes: $0, total: $1))
            }
        } catch {
            try? partial.remove()
            throw error
        }
        do throws(Failure) {
            if let rejection = sink.rejection { return reject(rejection, sink) }
            let hostDigest = Locked<String?>(nil)
            var response = try await send(
                request, into: .file(sink), permit,
                { (response) throws(Failure) in
                    guard sink.rejection == nil, response.status != 304 else { return }
                    do throws(Failure) {
                        let digest = try HostDigest.check(response, of: partial.descriptor)
                        hostDigest.withLock { $0 = digest }
                        try sink.cut()
                        try checks.whole(response)
                    } catch {
                        try sink.restartWhole()
                        throw error
                    }
                }, observer)
            if let rejection = sink.rejection { return reject(rejection, sink) }
            try sink.removeNote()
            response.hostDigest = hostDigest.withLock { $0 }
            return response.status == 304 ? .unchanged(response) : .complete(response)
        } catch {
            sink.close(after: error)
            throw error
        }
    }

    private func reject(_ rejection: RejectedDownload, _ sink: DownloadSink) -> DownloadResult {
        sink.discard()
        return .rejected(rejection)
    }
}

// MARK: Libraries

extension Transfers {
    /// The versions of the libraries that transfers use, if this process has loaded them.
    package static var loadedLibraries: [LibraryVersion] {
        guard clibraries_is_loaded(clibraries_curl) else { return [] }
        // Not curl_version(), which asks all of libcurl's dependencies and loads the plugins of some.
        let info = unsafe ccurl_version_info().pointee
        var libraries = [unsafe LibraryVersion("libcurl", String(cString: info.version))]
        // For example `OpenSSL/3.0.17`.
        let tls = unsafe info.ssl_version.map { unsafe String(cString: $0).split(separator: "/") }
        if let tls, tls.count == 2 { libraries.append(LibraryVersion(String(tls[0]), String(tls[1]))) }
        if let version = unsafe info.nghttp2_version {
            libraries.append(unsafe LibraryVersion("nghttp2", String(cString: version)))
        }
        return libraries
    }

    /// Whether libcurl can be limited to http and https, and lets the address guard check each connection.
    package static var canGuardConnections: Bool { EasyHandle().acceptsGuard }

    /// Whether libcurl can be loaded; it is from then on.
    package static var hasLibrary: Bool { clibraries_load(clibraries_curl) }

    /// Whether libcurl was built with TLS and with HTTP/2; it refuses the options of a feature that it lacks.
    package static let (hasTLS, hasHTTP2): (Bool, Bool) = {
        let features = unsafe Int(ccurl_version_info().pointee.features)
        return (features & Int(CURL_VERSION_SSL) != 0, features & Int(CURL_VERSION_HTTP2) != 0)
    }()

    /// Whether libcurl can use other name servers than the system's, for which it must be built with c-ares.
    package static var canChooseNameServers: Bool {
        unsafe ccurl_version_info().pointee.ares != nil
    }
}
