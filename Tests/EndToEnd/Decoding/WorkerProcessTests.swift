// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

@testable import Sluice

/// The command as a worker, asked as a run asks it.
@Suite("Worker process", .timeLimit(.minutes(10))) struct WorkerProcessTests {
    private let folder: TemporaryFolder
    private let worker: WorkerProcess

    init() throws {
        folder = try TemporaryFolder()
        try BadCodec.picture(width: 200).write(to: folder.url.appending(path: "picture.jpg"))
        worker = try WorkerProcess(Binary.path, ThumbnailOptions())
    }

    /// Asks for the picture's thumbnails; `nil` if the worker takes no question any more.
    private func ask() throws -> Int? {
        let file = try FileHandle(forReadingFrom: folder.url.appending(path: "picture.jpg"))
        defer { try? file.close() }
        return worker.ask(for: file.fileDescriptor, seconds: 60)
    }

    private func answer() throws -> Answer {
        var answer = Answer()
        var wire = Wire(reading: try worker.channel.receive(atMost: 1 << 20))
        try wire.carry(&answer)
        return answer
    }

    @Test("It makes the bytes that this process makes, one picture after the other")
    func bytes() throws {
        let wanted = try Thumbnailer().thumbnails(of: folder.bytes(of: "picture.jpg"))
        for question in 1...3 {
            #expect(try ask() == question)
            let sizes = ThumbnailOptions().sizes
            #expect(try answer().result(of: wanted.info, sizes: sizes) == wanted)
        }
        #expect(worker.confinement.hasNoNewPrivileges && worker.confinement.hasLimits)
    }

    /// A call that came late, for a photo that was done, would have ended the next one's decoder.
    @Test("Who calls off a picture ends the worker, unless it works on another one by then")
    func interrupts() throws {
        let first = try #require(try ask())
        _ = try answer()
        let second = try #require(try ask())
        worker.interrupt(first)
        #expect(try answer().failure == nil)
        worker.interrupt(second)
        #expect(try ask() == nil)
        #expect(worker.end() == .signal(SIGKILL) && worker.end() == nil)
    }
}
