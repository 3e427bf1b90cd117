// SPDX-License-Identifier: MIT

internal import SluiceFiles
public import SluiceModel
internal import SluiceTransfer

extension Blocklist {
    /// Reads a list from a file, or from an `https` address with the network options of a run.
    public init(at location: String, options: MirrorOptions = MirrorOptions()) async throws(MirrorError) {
        let shown = Userinfo.split(location).url
        let bytes: [UInt8]
        if let address = WebAddress(location), ["http", "https"].contains(address.scheme) {
            bytes = try await Self.download(location, from: address, options)
        } else {
            bytes = try Self.bytes(ofFile: location)
        }
        guard bytes.count <= Self.maxBytes else {
            throw MirrorError(.usage, "cannot read blocklist '\(shown)': larger than \(Self.maxBytes >> 20) MB")
        }
        do throws(InvalidText) { try self.init(bytes) } catch {
            throw MirrorError(.usage, "cannot read blocklist '\(shown)': \(error)")
        }
    }

    private static func bytes(ofFile path: String) throws(MirrorError) -> [UInt8] {
        do throws(FileError) {
            var file = try InputFile(path)
            return try file.readRest(limit: maxBytes)
        } catch {
            throw MirrorError(.usage, "cannot read blocklist '\(path)': \(error.reason)")
        }
    }

    private static func download(
        _ location: String, from address: WebAddress, _ options: MirrorOptions
    ) async throws(MirrorError) -> [UInt8] {
        let shown = Userinfo.split(location).url
        // Who can change the list on its way can unblock photos.
        guard address.scheme == "https" || ["127.0.0.1", "localhost", "[::1]"].contains(address.host) else {
            throw MirrorError(.usage, "cannot read blocklist '\(shown)': only https addresses are allowed")
        }
        var transferOptions = try TransferOptions(
            options, agent: options.userAgent ?? "Sluice/\(Version.number)", width: 1)
        transferOptions.addressGuard.trust([address], writtenBy: .user)
        let loader = MemoryLoader(width: 1, options: transferOptions)
        let request = Request(location, limit: maxBytes, timeout: options.timeout, acceptsCompression: true)
        do throws(Failure) {
            return try await loader.response(to: request).body
        } catch {
            throw MirrorError(.feed, "cannot read blocklist '\(shown)': \(error)")
        }
    }
}
