// SPDX-License-Identifier: MIT

public import SluiceFiles
public import SluiceModel

/// A file of the user's own that is taken as a reply is: hashed and judged on its way into a partial file.
///
/// It is for paths that the user named. What a feed says are addresses, and ``Transfers`` opens no file for any of them.
public struct LocalFile: Sendable {
    private let path: String
    private let followsLink: Bool

    /// Names a file; without `followsLink` a symbolic link in the path's last place is refused.
    public init(_ path: String, followsLink: Bool) {
        self.path = path
        self.followsLink = followsLink
    }

    /// Copies the file, unless it is still the version of that entity tag.
    ///
    /// If it throws, nothing is left of the copy; a failure that names the path is the file's own.
    public func copy(
        into partial: PartialFile, limit: Int, unless known: String?, token: Token, judging judge: @escaping Judge
    ) throws(Failure) -> Arrival {
        let landing = try Landing(partial, for: path, judge: judge)
        do throws(Failure) {
            let file = try atSource(OpenFile.reading(path, followsLink: followsLink))
            var headers = HeaderFields()
            // Before the content: what is written meanwhile shows in the next run.
            headers.add(line: "etag: \(try atSource(file.tag))")
            if let known, known == headers["etag"] { return .unchanged(response(headers, bytes: 0, sha256: "")) }
            if let declined = try copy(file, to: landing, headers, limit: limit, token: token) {
                landing.discard()
                return .declined(declined)
            }
            return .whole(response(headers, bytes: landing.count, sha256: landing.sha256))
        } catch {
            landing.discard()
            throw error
        }
    }

    private func copy(
        _ file: borrowing OpenFile, to landing: Landing, _ headers: HeaderFields, limit: Int, token: Token
    ) throws(Failure) -> Declined? {
        let size = try atSource(file.size)
        guard size > 0 else { throw Failure(.emptyBody, "", finalURL: path) }
        guard size <= limit else { throw Failure(.tooLarge, "\(size) bytes (limit \(limit))", finalURL: path) }
        try landing.restart()
        // What grows meanwhile is taken as it was.
        while landing.count < size {
            try token.check()
            let chunk = try atSource(file.read(at: landing.count, count: min(1 << 20, size - landing.count)))
            guard !chunk.isEmpty else { throw Failure(.truncated, "it became shorter meanwhile", finalURL: path) }
            let isWanted = try unsafe chunk.withUnsafeBufferPointer { (bytes) throws(Failure) in
                try unsafe landing.receive(UnsafeRawBufferPointer(bytes), headers, announced: size)
            }
            if !isWanted { return landing.declined }
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
