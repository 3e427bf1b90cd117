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
