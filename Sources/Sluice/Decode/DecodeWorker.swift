// SPDX-License-Identifier: MIT

internal import CSandbox
internal import SluiceImaging

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// The other side of ``Isolation/workers(executable:)``: a process that decodes what it is handed, and can do nothing else.
public enum DecodeWorker {
    /// The one argument of a program that is to be a worker; no user gives it.
    static let word = "decode-worker"

    /// Turns this process into a worker if it was started as one, and never returns then; returns at once if not.
    ///
    /// A program that is named as a run's worker calls it first of all: before there are threads and open files.
    public static func serveIfAsked() {
        var kind = stat()
        guard CommandLine.arguments.dropFirst().elementsEqual([word]),
            unsafe fstat(Int32(csandbox_channel), &kind) == 0, kind.st_mode & S_IFMT == S_IFSOCK
        else { return }
        serve(Channel(descriptor: Int32(csandbox_channel)))
        exit(0)
    }

    /// Answers until the run is over, or is gone.
    private static func serve(_ channel: borrowing Channel) {
        guard let options = options(from: channel) else { return }
        let thumbnailer = Thumbnailer(options)
        var confinement = Confinement.enter(memory: options.limits.memory)
        var hello = Wire()
        guard (try? hello.carry(&confinement)) != nil, channel.send(hello.bytes) else { return }
        while let file = channel.receiveFile() {
            let isHeard = answer(file, by: thumbnailer, over: channel)
            close(file)
            guard isHeard else { return }
        }
    }

    private static func options(from channel: borrowing Channel) -> ThumbnailOptions? {
        var options = ThumbnailOptions()
        guard let frame = try? channel.receive(atMost: 1 << 20) else { return nil }
        var wire = Wire(reading: frame)
        guard (try? wire.carry(&options)) != nil else { return nil }
        return options
    }

    /// Decodes one file; `false` if nobody waits for it any more.
    private static func answer(_ file: Int32, by thumbnailer: Thumbnailer, over channel: borrowing Channel) -> Bool {
        var (answer, times) = (Answer(), PictureTimes())
        do throws(ImagingError) {
            answer = Answer(try thumbnailer.thumbnails(of: thumbnailer.open(fileAt: file), timing: &times))
        } catch {
            answer.failure = error
        }
        answer.times = times
        var wire = Wire()
        guard (try? wire.carry(&answer)) != nil else { return false }
        return channel.send(wire.bytes)
    }
}
