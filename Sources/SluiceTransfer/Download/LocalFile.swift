// SPDX-License-Identifier: MIT

package import SluiceFiles
package import SluiceModel
internal import SluiceSystem

/// A local file that is copied into a partial file with the same checks as a download.
///
/// Use it only for paths that the user named. Feeds name URLs, and ``Transfers`` never opens local files for them.
package struct LocalFile: Sendable {
    private let path: String
    private let open: @Sendable () throws(FileError) -> OpenFile

    /// Refers to a file; without `followsLink`, a symbolic link as the last path component is refused.
    package init(_ path: String, followsLink: Bool) {
        self.init(path) { () throws(FileError) in try OpenFile.reading(path, followsLink: followsLink) }
    }

    /// Refers to a file that `open` opens; messages name its path.
    package init(_ path: String, opening open: @escaping @Sendable () throws(FileError) -> OpenFile) {
        (self.path, self.open) = (path, open)
    }

    /// The size in bytes; `nil` if it cannot be read.
    package var size: Int? {
        var status = stat()
        return unsafe stat(PathText.systemPath(path), &status) == 0 ? Int(status.st_size) : nil
    }

    /// The entity tag of the file as it is now; `nil` if it cannot be read.
    package var entityTag: String? { try? open().entityTag }

    /// Copies the file unless its entity tag is still `known`.
    ///
    /// After an error the copy is removed. A failure with the path as its final URL concerns the source file.
    package func copy(
        into partial: PartialFile, limit: Int, unless known: String?, token: CancellationToken,
        earlyCheck: @escaping EarlyCheck
    ) throws(Failure) -> DownloadResult {
        let sink = try DownloadSink(partial, for: path, earlyCheck: earlyCheck)
        do throws(Failure) {
            let file = try atSource(open())
            var headers = HeaderFields()
            // Read the tag before the content, so that the next run notices a change during the copy.
            headers.add(line: "etag: \(try atSource(file.entityTag))")
            if let known, known === headers["etag"] { return .unchanged(response(headers, bytes: 0, sha256: "")) }
            if let rejection = try copy(file, to: sink, headers, limit: limit, token: token) {
                sink.discard()
                return .rejected(rejection)
            }
            return .complete(response(headers, bytes: sink.count, sha256: sink.sha256))
        } catch {
            sink.discard()
            throw error
        }
    }

    private func copy(
        _ file: borrowing OpenFile, to sink: DownloadSink, _ headers: HeaderFields, limit: Int,
        token: CancellationToken
    ) throws(Failure) -> RejectedDownload? {
        let size = try atSource(file.size)
        guard size > 0 else { throw Failure(.emptyBody, "", finalURL: path) }
        guard size <= limit else { throw Failure(.tooLarge, "\(size) bytes (limit \(limit))", finalURL: path) }
        try sink.restart()
        // Bytes appended during the copy are ignored.
        while sink.count < size {
            try token.check()
            let chunk = try atSource(file.read(at: sink.count, count: min(1 << 20, size - sink.count)))
            guard !chunk.isEmpty else { throw Failure(.truncated, "the file shrank while it was read", finalURL: path) }
            let isWanted = try unsafe chunk.withUnsafeBufferPointer { (bytes) throws(Failure) in
                try unsafe sink.receive(UnsafeRawBufferPointer(bytes), headers, announced: size)
            }
            if !isWanted { return sink.rejection }
        }
        return nil
    }

    private func response(_ headers: HeaderFields, bytes: Int, sha256: String) -> Response {
        Response(status: nil, url: path, headers: headers, body: [], bytes: bytes, sha256: sha256)
    }

    private func atSource<Value: ~Copyable>(
        _ body: @autoclosure () throws(FileError) -> Value
    ) throws(Failure) -> Value {
        do { return try body() } catch { throw Failure(.disk, error.reason, finalURL: path) }
    }
}
