// SPDX-License-Identifier: MIT

internal import CSandbox
internal import SluiceImaging
internal import SluiceSystem

/// The worker side of ``Isolation/workers(executable:)``: a sandboxed process that decodes the files it receives.
public enum DecodeWorker {
    /// The only argument of a worker process.
    ///
    /// It is not a command for users.
    static let argument = "decode-worker"

    /// Serves decode requests and exits if this process was started as a worker; otherwise returns immediately.
    ///
    /// A program that ``Isolation/workers(executable:)`` names must call this first, before it starts threads or opens
    /// files.
    public static func serveIfAsked() {
        var kind = stat()
        guard ProcessArguments.all == .success([argument]),
            unsafe fstat(Int32(csandbox_worker_socket), &kind) == 0, kind.st_mode & S_IFMT == S_IFSOCK
        else { return }
        serve(WorkerSocket(descriptor: Int32(csandbox_worker_socket)))
        exit(0)
    }

    /// Serves requests until the run closes its end of the socket.
    private static func serve(_ socket: borrowing WorkerSocket) {
        guard let (options, libraries) = receiveOptions(from: socket) else { return }
        let thumbnailer = Thumbnailer(options)
        ImageFormat.loadLibraries(of: libraries.intersection(options.libraries))
        var protections = SandboxProtections.apply(memory: options.limits.memory)
        var greeting = WorkerCoder()
        guard (try? greeting.code(&protections)) != nil, socket.send(greeting.bytes) else { return }
        while let file = socket.receiveDescriptor() {
            let wasSent = reply(to: file, with: thumbnailer, over: socket)
            close(file)
            guard wasSent else { return }
        }
    }

    /// Receives the options, and the formats whose libraries the worker loads.
    private static func receiveOptions(
        from socket: borrowing WorkerSocket
    ) -> (options: ThumbnailOptions, libraries: Set<ImageFormat>)? {
        var (options, libraries) = (ThumbnailOptions(), Set<ImageFormat>())
        guard let frame = try? socket.receive(limit: 1 << 20) else { return nil }
        var coder = WorkerCoder(reading: frame)
        guard (try? coder.code(&options)) != nil, (try? libraries.code(with: &coder)) != nil else { return nil }
        return (options, libraries)
    }

    /// Decodes one file and sends the reply.
    ///
    /// Returns `false` if the run has closed the socket.
    private static func reply(
        to file: Int32, with thumbnailer: Thumbnailer, over socket: borrowing WorkerSocket
    ) -> Bool {
        var (reply, times) = (DecodeReply(), ImagingTimes())
        do throws(ImagingError) {
            reply = DecodeReply(try thumbnailer.thumbnails(of: thumbnailer.open(fileAt: file), timing: &times))
        } catch {
            reply.failure = error
        }
        reply.times = times
        var coder = WorkerCoder()
        guard (try? coder.code(&reply)) != nil else { return false }
        return socket.send(coder.bytes)
    }
}

#if os(Linux)
    internal import CLinux
#endif

/// The memory arenas of the C library's allocator.
///
/// Several arenas let threads allocate without waiting for each other.
package enum MallocArenas {
    /// Limits the number of arenas to twice the number of cores and four more, one for each thread that usually works.
    ///
    /// Call this before the program starts threads.
    ///
    /// By default, glibc creates up to eight arenas per core as threads come and go, and each keeps nearly all memory
    /// that it ever used: sixteen on two cores made the memory of a long run twice that of a short one. With as many
    /// arenas as cores, threads wait for each other: a run then takes a tenth more time, and 6 MB less after 100,000
    /// photos.
    package static func limit() {
        #if os(Linux)
            _ = clinux_limit_arenas(Int32(clamping: 2 * Machine.cores + 4))
        #endif
    }
}
