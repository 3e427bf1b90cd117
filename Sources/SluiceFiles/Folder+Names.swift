// SPDX-License-Identifier: MIT

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

extension Folder {
    /// The names in a folder below this one (`""` for this one itself), sorted; those that are not UTF-8 are left out.
    public func names(in name: String = "") throws(FileError) -> [String] {
        let handle = try openFolder(name)
        // The listing closes the descriptor that it is given.
        let copy = fcntl(handle.descriptor, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0, let listing = unsafe fdopendir(copy) else {
            let code = errno
            if copy >= 0 { close(copy) }
            throw FileError(code: code, operation: "list", path: handle.path)
        }
        defer { unsafe closedir(listing) }
        var names: [String] = []
        while let entry = unsafe readdir(listing) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { tuple in
                unsafe tuple.withMemoryRebound(to: CChar.self, capacity: 1) { unsafe String(validatingCString: $0) }
            }
            if let name, name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    /// Removes the files in a folder below this one that a killed run left; says how many they were.
    ///
    /// Only call it under the folder's lock: a file that somebody is writing looks like one that was left.
    @discardableResult
    public func removeLeftovers(
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
