// SPDX-License-Identifier: MIT

package import SluiceFiles
package import SluiceModel

extension Transfers {
    /// Sends a request, and blocks the calling thread until the whole response has arrived.
    ///
    /// Throws if there is no complete response; a response with any status is a result.
    package func send(_ request: ServiceRequest, token: CancellationToken) throws(Failure) -> ServiceResponse {
        let response = try send(request, into: .memory, token: token)
        return ServiceResponse(
            status: response.status, headers: response.headers, body: response.body, bytes: response.bytes)
    }

    /// Sends a request, and writes the body of a successful response to a file; resumes an earlier download of the same
    /// address if possible.
    ///
    /// Blocks the calling thread. After an error, the file is empty, or has a note with which the next download resumes
    /// it. It is empty if the response has another status than 200, and removed if `earlyCheck` rejects it.
    package func send(
        _ request: ServiceRequest, into partial: PartialFile, earlyCheck: EarlyCheck? = nil, token: CancellationToken
    ) throws(Failure) -> ServiceResponse {
        let sink: DownloadSink
        do throws(Failure) {
            sink = try DownloadSink(partial, for: request.url, earlyCheck: earlyCheck)
        } catch {
            try? partial.remove()
            throw error
        }
        do throws(Failure) {
            if let rejection = sink.rejection { return reject(rejection, sink) }
            let response = try send(request, into: .file(sink), token: token)
            guard response.isSuccess, response.status != 304 else {
                try sink.restart()
                return ServiceResponse(
                    status: response.status, headers: response.headers, body: response.body, bytes: response.bytes)
            }
            if let rejection = sink.rejection { return reject(rejection, sink) }
            try sink.removeNote()
            return ServiceResponse(
                status: 200, headers: response.headers, body: [], sha256: sink.sha256, bytes: sink.count)
        } catch {
            sink.suspend(after: error)
            throw error
        }
    }

    private func reject(_ rejection: RejectedDownload, _ sink: DownloadSink) -> ServiceResponse {
        sink.discard()
        return ServiceResponse(
            status: 200, headers: HeaderFields(), body: [], bytes: rejection.received, rejection: rejection)
    }

    private func send(
        _ request: ServiceRequest, into target: ResponseBody.Target, token: CancellationToken
    ) throws(Failure) -> RawResponse {
        guard let address = WebAddress(request.url), ["http", "https"].contains(address.scheme) else {
            throw Failure(.policy, "\(request.url) is not a valid address")
        }
        try options.addressGuard.check(address)
        var spec = RequestSpec(request, at: address, into: target)
        spec.http = options.http
        while true {
            try token.check()
            let response = try loop.performBlocking(spec, options: options, token: token).result.get()
            // Each of these happens at most once: the next request has no range, and uses a new connection.
            if response.needsFullRequest {
                spec = RequestSpec(request, at: address, into: target)
                spec.http = options.http
            } else if response.needsNewConnection {
                spec.needsNewConnection = true
            } else {
                return response
            }
        }
    }
}
