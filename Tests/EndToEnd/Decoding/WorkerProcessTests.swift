// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

@testable import Sluice

/// Sends requests to the command as a worker process, as a run does.
@Suite("Worker process", .timeLimit(.minutes(10))) struct WorkerProcessTests {
    private let folder: TemporaryFolder
    private let worker: WorkerProcess

    init() throws {
        folder = try TemporaryFolder()
        try BadCodec.picture(width: 200).write(to: folder.url.appending(path: "picture.jpg"))
        worker = try WorkerProcess(Binary.path, ThumbnailOptions())
    }

    /// Requests the picture's thumbnails and returns the request's number; `nil` if the worker has exited.
    private func send() throws -> Int? {
        let file = try FileHandle(forReadingFrom: folder.url.appending(path: "picture.jpg"))
        defer { try? file.close() }
        return worker.send(file.fileDescriptor, timeLimit: 60)
    }

    private func reply() throws -> DecodeReply {
        var reply = DecodeReply()
        var coder = WorkerCoder(reading: try worker.socket.receive(limit: 1 << 20))
        try coder.code(&reply)
        return reply
    }

    @Test("A worker makes the same thumbnails as this process, for several pictures in a row")
    func bytes() throws {
        let wanted = try Thumbnailer().thumbnails(of: folder.bytes(of: "picture.jpg"))
        for request in 1...3 {
            #expect(try send() == request)
            let sizes = ThumbnailOptions().sizes
            #expect(try reply().result(of: wanted.info, sizes: sizes) == wanted)
        }
        #expect(worker.protections.hasNoNewPrivileges && worker.protections.hasLimits)
    }

    /// A late cancellation of a finished photo used to kill the decoder of the next photo.
    @Test("Cancelling a request kills the worker only while it works on that request")
    func cancellation() throws {
        let first = try #require(try send())
        _ = try reply()
        let second = try #require(try send())
        worker.cancel(first)
        #expect(try reply().failure == nil)
        worker.cancel(second)
        #expect(try send() == nil)
        #expect(worker.terminate() == .signal(SIGKILL) && worker.terminate() == nil)
    }
}
