// swift-tools-version: 6.2
// SPDX-License-Identifier: MIT

import PackageDescription

/// The benchmark programs, in a separate package so that building Sluice does not build them.
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
