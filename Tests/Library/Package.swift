// swift-tools-version: 6.2
// SPDX-License-Identifier: MIT

import PackageDescription

// A program outside of this package that uses its three libraries, as `Scripts/library-test` builds it.
let package = Package(
    name: "Sample",
    dependencies: [.package(name: "Sluice", path: Context.environment["CHECKOUT"] ?? "../..")],
    targets: [
        .executableTarget(
            name: "sample",
            dependencies: [
                .product(name: "Sluice", package: "Sluice"), .product(name: "SluiceImaging", package: "Sluice"),
                .product(name: "SluiceTransfer", package: "Sluice"),
            ], path: "Sources")
    ])
