// swift-tools-version: 6.2
import PackageDescription

// An implementation of Networking with another HTTP client, and tests over TLS. It is a separate
// package because it resolves about 24 repositories, which would slow down the other packages.
let features: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("ImmutableWeakCaptures"),
    .enableUpcomingFeature("InferIsolatedConformances"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

// OpenSSL calls this replacement in CInterposition; others are exported anyway.
let interposition = LinkerSetting.unsafeFlags(
    ["-Xlinker", "--export-dynamic-symbol=fopen64"],
    .when(platforms: [.linux])
)

let package = Package(
    name: "Transports",
    platforms: [.iOS(.v18), .macOS(.v15), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "AsyncHTTPClientNetworking", targets: ["AsyncHTTPClientNetworking"]),
        .executable(name: "compare-transports", targets: ["CompareTransports"]),
    ],
    dependencies: [
        .package(name: "ProductKit", path: "../.."),
        .package(name: "Benchmarks", path: "../Benchmarks"),
        .package(name: "Examples", path: "../Examples"),
        .package(url: "https://github.com/swift-server/async-http-client.git", from: "1.37.0"),
        .package(url: "https://github.com/apple/swift-nio.git", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras.git", from: "1.35.2"),
        .package(url: "https://github.com/apple/swift-nio-http2.git", from: "1.46.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl.git", from: "2.37.6"),
        .package(url: "https://github.com/apple/swift-asn1.git", from: "1.7.4"),
        .package(url: "https://github.com/apple/swift-certificates.git", from: "1.21.1"),
        .package(url: "https://github.com/apple/swift-crypto.git", from: "4.5.2"),
    ],
    targets: [
        .target(
            name: "AsyncHTTPClientNetworking",
            dependencies: [
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHPACK", package: "swift-nio-http2"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHTTP2", package: "swift-nio-http2"),
                .product(name: "NIOHTTPCompression", package: "swift-nio-extras"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "ProductKit", package: "ProductKit"),
            ],
            swiftSettings: features
        ),
        .target(
            name: "SecuredServer",
            dependencies: [
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "SwiftASN1", package: "swift-asn1"),
                .product(name: "X509", package: "swift-certificates"),
            ],
            swiftSettings: features
        ),
        .executableTarget(
            name: "CompareTransports",
            dependencies: [
                "AsyncHTTPClientNetworking",
                "CInterposition",
                "SecuredServer",
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "Benchmarking", package: "Benchmarks"),
                .product(name: "Loads", package: "Benchmarks"),
                .product(name: "ProductKit", package: "ProductKit"),
            ],
            swiftSettings: features,
            linkerSettings: [interposition]
        ),
        .systemLibrary(name: "CMalloc", path: "Tests/CMalloc"),
        .target(name: "CInterposition", path: "Tests/CInterposition"),
        .testTarget(
            name: "TransportsTests",
            dependencies: [
                "AsyncHTTPClientNetworking",
                "CInterposition",
                "CMalloc",
                "SecuredServer",
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "FaultServer", package: "Examples"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHPACK", package: "swift-nio-http2"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHTTP2", package: "swift-nio-http2"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "ProductKit", package: "ProductKit"),
            ],
            swiftSettings: features,
            linkerSettings: [interposition]
        ),
    ],
    swiftLanguageModes: [.v6]
)
