// SPDX-License-Identifier: MIT

import Foundation
import SluiceImaging
import SluiceModel
import TestSupport
import Testing

@testable import Sluice
@testable import SluiceEngine

/// Sends requests to the command as a worker process, as a run does.
@Suite("Worker process", .timeLimit(.minutes(10))) struct WorkerProcessTests {
    private let folder = TemporaryFolder()
    private let worker: WorkerProcess
    private var options = ThumbnailOptions()

    init() throws {
        try folder.write(BadCodec.picture(width: 200), to: "picture.jpg")
        // The tests' process makes the expected thumbnails.
        ImageFormat.loadLibraries(of: ImageFormat.loadable)
        options.allowedFormats = ImageFormat.restricted
        worker = try WorkerProcess(Binary.path, options)
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
            #expect(try DecodeRequest(wanted.info, options).result(in: try reply()) == .success(wanted))
        }
        #expect(worker.protections.hasNoNewPrivileges && worker.protections.hasLimits)
    }

    @Test("A worker decodes files of every format that other programs write with the calls that it may make")
    func formats() throws {
        let samples = URL(filePath: #filePath).appending(path: "../../../SluiceImagingTests/Fixtures/Foreign")
            .standardized
        let names = try FileManager.default.contentsOfDirectory(atPath: samples.path).filter { !$0.hasSuffix(".png") }
        #expect(names.count > 10)
        for name in names {
            let bytes = try Data(contentsOf: samples.appending(path: name))
            try folder.write(bytes, to: "picture.jpg")
            let made = Result { () throws(ImagingError) in try Thumbnailer(options).thumbnails(of: [UInt8](bytes)) }
            // Not every machine has the libraries of restricted formats.
            let mayLackLibrary = name.hasSuffix(".heic") || name.hasSuffix(".jxl")
            if case .failure(let error) = made, mayLackLibrary, error.code == .unsupported { continue }
            let wanted = try made.get()
            _ = try send()
            let request = try DecodeRequest(wanted.info, options)
            let reply = try reply()
            #expect(request.result(in: reply) == .success(wanted), "\(name)")
        }
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

    @Test("A worker that exits before it reads a request leaves it unread, and one that exits later does not")
    func unread() throws {
        let process = try #require(worker.processID)
        var status: Int32 = 0
        kill(process, SIGSTOP)
        #expect(unsafe waitpid(process, &status, WUNTRACED) == process)
        #expect(try send() == 1)
        kill(process, SIGKILL)
        #expect(throws: WorkerSocket.ReceiveError.unread) { try worker.socket.receive(limit: 1 << 20) }
    }

    private func thumbnails(by decoder: SandboxedDecoder) throws -> ThumbnailResult {
        let file = try FileHandle(forReadingFrom: folder.url.appending(path: "picture.jpg"))
        defer { try? file.close() }
        var times = ImagingTimes()
        let picture = try Thumbnailer().open(fileAt: file.fileDescriptor)
        return try decoder.thumbnails(
            of: picture, in: file.fileDescriptor, token: CancellationToken(), timing: &times)
    }

    @Test("A worker that dies while it is idle is replaced, and its next picture is done")
    func idleDeath() throws {
        let decoder = SandboxedDecoder(WorkerLauncher(Binary.path, ThumbnailOptions()) { _ in })
        var processes: Set<Int32> = []
        for _ in 0..<3 {
            #expect(try thumbnails(by: decoder).thumbnails.count == 1)
            let process = try #require(decoder.processID)
            processes.insert(process)
            kill(process, SIGKILL)
        }
        #expect(processes.count == 3)
    }

    /// A picture that took over its worker used to falsify all later photos of its lane.
    @Test("A worker is replaced after some pictures")
    func replacement() throws {
        let decoder = SandboxedDecoder(WorkerLauncher(Binary.path, ThumbnailOptions()) { _ in })
        var processes: Set<Int32> = []
        for number in 1...SandboxedDecoder.picturesPerWorker + 1 {
            #expect(try thumbnails(by: decoder).thumbnails.count == 1)
            if let process = decoder.processID { processes.insert(process) }
            #expect((decoder.processID == nil) == (number == SandboxedDecoder.picturesPerWorker))
        }
        #expect(processes.count == 2)
    }

    /// Each worker used to load the libraries of all formats, which took longer than to decode ten photos.
    @Test("A worker has the libraries that its pictures need, and is replaced for a picture that needs another one")
    func libraries() throws {
        let decoder = SandboxedDecoder(WorkerLauncher(Binary.path, ThumbnailOptions()) { _ in })
        let jpeg = try Data(contentsOf: folder.url.appending(path: "picture.jpg"))
        let avif = try Data(
            contentsOf: URL(filePath: #filePath)
                .appending(path: "../../../SluiceImagingTests/Fixtures/Foreign/grey.avif").standardized)
        let processes = try [jpeg, jpeg, avif, jpeg].map { bytes in
            try folder.write(bytes, to: "picture.jpg")
            #expect(try thumbnails(by: decoder).thumbnails.count == 1)
            return try #require(decoder.processID)
        }
        #expect(processes[0] == processes[1] && processes[1] != processes[2] && processes[2] == processes[3])
    }

    /// One failed start disabled the lane for the run.
    @Test("Failed starts are repeated, also after a worker of the run has started")
    func failedStarts() throws {
        let script = folder.path("worker")
        // The starts with these numbers work.
        let text = """
            #!/bin/sh
            read number < '\(folder.path("count"))'
            echo $((number + 1)) > '\(folder.path("count"))'
            case $number in 4|8) exec '\(Binary.path)' "$@" ;; esac
            """
        try folder.write("1\n", to: "count")
        try Data(text.utf8).write(to: URL(filePath: script))
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: script)
        let decoder = SandboxedDecoder(WorkerLauncher(script, ThumbnailOptions()) { _ in })
        for _ in 0..<2 {
            #expect(try thumbnails(by: decoder).thumbnails.count == 1)
            kill(try #require(decoder.processID), SIGKILL)
        }
        // Workers have started before: a few failures are no reason to stop the run.
        for number in 1...5 {
            #expect {
                try thumbnails(by: decoder)
            } throws: { error in
                switch error as? DecodingError {
                case .failed(let failure): number < 5 && failure.cause == .decoderCrashed
                case .noWorker(let reason, .decodeInProcess):
                    number == 5 && reason.contains("cannot start a decode worker")
                default: false
                }
            }
        }
    }
}
