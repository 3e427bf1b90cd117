// swift-tools-version: 6.2
// SPDX-License-Identifier: MIT

import PackageDescription

// A separate package, because it runs the built command from outside; see `Scripts/crash-test`.
let package = Package(
    name: "Crash",
    platforms: [.macOS(.v26)],
    products: [.library(name: "Interposer", type: .dynamic, targets: ["Interposer"])],
    targets: [
        .executableTarget(name: "Crash", dependencies: ["CSQLite"]),
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3"),
        .target(name: "Interposer"),
    ],
    swiftLanguageModes: [.v6]
)
