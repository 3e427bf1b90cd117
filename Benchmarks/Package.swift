// swift-tools-version: 6.2
// SPDX-License-Identifier: MIT

import PackageDescription

/// The programs that measure Sluice, in a package of their own: whoever builds Sluice builds none of them.
let package = Package(
    name: "Benchmarks",
    platforms: [.macOS(.v26)],
    dependencies: [.package(name: "Sluice", path: "..")],
    targets: [
        .executableTarget(
            name: "imaging", dependencies: [.product(name: "SluiceImaging", package: "Sluice")],
            path: "Imaging/Sluice"),
        .executableTarget(
            name: "transfer", dependencies: [.product(name: "SluiceTransfer", package: "Sluice")],
            path: "Transfer/Sluice"),
        .executableTarget(
            name: "cancelling", dependencies: [.product(name: "SluiceTransfer", package: "Sluice")],
            path: "Transfer/Cancelling"),
    ],
    swiftLanguageModes: [.v6]
)
