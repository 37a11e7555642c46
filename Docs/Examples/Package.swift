// swift-tools-version: 6.2
import PackageDescription

let features: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("ImmutableWeakCaptures"),
    .enableUpcomingFeature("InferIsolatedConformances"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

let package = Package(
    name: "Examples",
    platforms: [.iOS(.v18), .macOS(.v15), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "Adapters", targets: ["Adapters"]),
        .library(name: "EmbeddedStore", targets: ["EmbeddedStore"]),
        .library(name: "FaultServer", targets: ["FaultServer"]),
        .executable(name: "shop", targets: ["Shop"]),
    ],
    dependencies: [
        .package(name: "ProductKit", path: "../.."),
        .package(url: "https://github.com/swhitty/FlyingFox.git", from: "0.27.1"),
        .package(url: "https://github.com/apple/swift-argument-parser.git", from: "1.8.2"),
    ],
    targets: [
        .target(
            name: "Adapters",
            dependencies: [.product(name: "ProductKit", package: "ProductKit")],
            swiftSettings: features
        ),
        .target(
            name: "EmbeddedStore",
            dependencies: [
                .product(name: "FlyingFox", package: "FlyingFox"),
                .product(name: "FlyingSocks", package: "FlyingFox"),
            ],
            swiftSettings: features
        ),
        .target(
            name: "FaultServer",
            dependencies: [.product(name: "FlyingSocks", package: "FlyingFox")],
            swiftSettings: features
        ),
        .executableTarget(
            name: "Shop",
            dependencies: [
                "Adapters",
                "EmbeddedStore",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "ProductKit", package: "ProductKit"),
            ],
            swiftSettings: features
        ),
        .testTarget(
            name: "AdaptersTests",
            dependencies: [
                "Adapters",
                .product(name: "FlyingFox", package: "FlyingFox"),
                .product(name: "FlyingSocks", package: "FlyingFox"),
                .product(name: "ProductKit", package: "ProductKit"),
            ],
            swiftSettings: features
        ),
        .testTarget(
            name: "ExamplesTests",
            dependencies: [
                "EmbeddedStore",
                "Shop",
                .product(name: "FlyingFox", package: "FlyingFox"),
                .product(name: "FlyingSocks", package: "FlyingFox"),
                .product(name: "ProductKit", package: "ProductKit"),
            ],
            swiftSettings: features
        ),
    ],
    swiftLanguageModes: [.v6]
)
