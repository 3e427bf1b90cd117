// SPDX-License-Identifier: MIT

internal import SluiceModel
internal import SluiceSystem

extension Folder {
    /// The names in a folder, sorted.
    package struct Listing: Sendable {
        /// Names that are valid UTF-8.
        package fileprivate(set) var names: [String] = []
        /// The bytes of names that are not valid UTF-8.
        package fileprivate(set) var invalidNames: [[UInt8]] = []
        /// The names of everything that the folder does not call a regular file.
        ///
        /// Some file systems name no types, so that a regular file may be among them.
        fileprivate(set) var otherNames: TextSet = []
    }

    /// Lists the names in a subfolder (`""` for this folder), sorted; names that are not valid UTF-8 are omitted.
    package func names(in name: String = "") throws(FileError) -> [String] { try listing(of: name).names }

    /// Lists the names in a subfolder (`""` for this folder).
    package func listing(of name: String = "") throws(FileError) -> Listing {
        let handle = try openFolder(name)
        // closedir() closes the descriptor, so it gets a copy.
        let copy = fcntl(handle.descriptor, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0, let listing = unsafe fdopendir(copy) else {
            let code = errno
            if copy >= 0 { close(copy) }
            throw FileError(code: code, operation: "list", path: handle.path)
        }
        defer { unsafe closedir(listing) }
        var all = Listing()
        while true {
            // The error number alone distinguishes an error from the end.
            errno = 0
            guard let entry = unsafe readdir(listing) else { break }
            let isFile = unsafe entry.pointee.d_type == UInt8(DT_REG)
            unsafe withUnsafePointer(to: &entry.pointee.d_name) { tuple in
                unsafe tuple.withMemoryRebound(to: CChar.self, capacity: 1) { name in
                    if let name = unsafe String(validatingCString: name) {
                        if name == "." || name == ".." { return }
                        all.names.append(name)
                        if !isFile { all.otherNames.insert(name) }
                    } else {
                        all.invalidNames.append(
                            unsafe UnsafeBufferPointer(start: name, count: strlen(name)).map { UInt8(bitPattern: $0) })
                    }
                }
            }
        }
        guard errno == 0 else { throw FileError(code: errno, operation: "list", path: handle.path) }
        all.names = all.names.sortedByBytes()
        all.invalidNames.sort { $0.lexicographicallyPrecedes($1) }
        return all
    }

    /// Opens the subfolder whose name has these bytes; its path is an address of ``PathText``.
    package func folder(named name: [UInt8]) throws(FileError) -> Folder {
        let path = PathText.address(of: name, in: try resolvedPath())
        let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
        let descriptor = unsafe DescriptorReserve.admit(openat(handle.descriptor, Self.terminated(name), flags))
        guard descriptor >= 0 else { throw FileError(code: errno, operation: "open folder", path: path) }
        return Folder(OpenFile(owning: descriptor, path: path))
    }

    /// Describes the file whose name has these bytes by its text for ``PathText`` and its modification time, which is
    /// `nil` if it is not a regular file.
    package func file(named name: [UInt8]) throws(FileError) -> (path: String, modificationTime: Int?) {
        var status = stat()
        let path = PathText.address(of: name, in: try resolvedPath())
        let isFile =
            unsafe fstatat(handle.descriptor, Self.terminated(name), &status, AT_SYMLINK_NOFOLLOW) == 0
            && status.st_mode & S_IFMT == S_IFREG
        return (path, isFile ? Self.modificationTime(status) : nil)
    }

    private static func terminated(_ name: [UInt8]) -> [CChar] { name.map { CChar(bitPattern: $0) } + [0] }

    /// Removes the leftover files of killed runs from a subfolder, and returns their number.
    ///
    /// Call it only while holding the folder's lock, because a file in progress looks like a leftover.
    @discardableResult
    package func removeLeftovers(
        in name: String = "", where isLeftover: (String) -> Bool = { $0.hasSuffix(NewFile.suffix) }
    ) throws(FileError) -> Int {
        let folder = try folder(name)
        var count = 0
        for file in try folder.names() where isLeftover(file) && folder.size(of: file) != nil {
            try folder.remove(file)
            count += 1
        }
        return count
    }
}

/// Texts for paths whose bytes need not be valid UTF-8.
///
/// A valid path is its own text. The text of any other is an address, `file:///photos/caf%E9.jpg`, in which `%E9`
/// stands for a byte. Every text stands for one path only, because no walked path begins like an address.
package enum PathText {
    private static let scheme = "file://"

    /// Whether a text is the address of a path that is not valid UTF-8.
    package static func isAddress(_ text: String) -> Bool { text.utf8.starts(with: "\(scheme)/".utf8) }

    /// Returns the address of the file with these bytes as its name, in a folder with this absolute path or address.
    static func address(of name: [UInt8], in folder: String) -> String {
        (isAddress(folder) ? folder : scheme + escaped(Array(folder.utf8))) + "/" + escaped(name)
    }

    /// Escapes the bytes that are not valid UTF-8, and those with a meaning in addresses: `caf%E9.jpg`.
    package static func escaped(_ bytes: [UInt8]) -> String {
        var text = ""
        var rest = bytes[...]
        while !rest.isEmpty {
            var iterator = rest.makeIterator()
            var parser = Unicode.UTF8.ForwardParser()
            switch parser.parseScalar(from: &iterator) {
            case .valid(let encoded):
                let scalar = Unicode.UTF8.decode(encoded)
                if scalar.value < 0x20 || scalar.value == 0x7F || "%?#".unicodeScalars.contains(scalar) {
                    escape(rest.prefix(1), into: &text)
                } else {
                    text.unicodeScalars.append(scalar)
                }
                rest = rest.dropFirst(encoded.count)
            case .error(let length):
                escape(rest.prefix(length), into: &text)
                rest = rest.dropFirst(length)
            case .emptyInput: return text
            }
        }
        return text
    }

    private static func escape(_ bytes: ArraySlice<UInt8>, into text: inout String) {
        text += String(decoding: bytes.flatMap(\.percentEncoded), as: UTF8.self)
    }

    /// The path that a text stands for, with a zero byte at the end, as the system takes it.
    package static func systemPath(_ text: String) -> [CChar] {
        guard isAddress(text) else { return text.utf8CString.map { $0 } }
        let path = text.utf8.dropFirst(scheme.utf8.count).percentDecoded
        // An escaped zero would end the path early.
        return path.map { CChar(bitPattern: $0 == 0 ? UInt8(ascii: "%") : $0) } + [0]
    }
}
