// swift-tools-version: 6.2
import PackageDescription

// Two programs of strangers: one in Swift 5 mode, one in Swift 6 mode, both without the upcoming
// features that the library is written with. They share their source through a link.
let package = Package(
    name: "Clients",
    platforms: [.iOS(.v18), .macOS(.v15), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    dependencies: [.package(name: "ProductKit", path: "../..")],
    targets: [
        .executableTarget(
            name: "ClientInSwift5",
            dependencies: ["ProductKit"],
            swiftSettings: [.swiftLanguageMode(.v5)]
        ),
        .executableTarget(
            name: "ClientInSwift6",
            dependencies: ["ProductKit"],
            swiftSettings: [.swiftLanguageMode(.v6)]
        ),
    ]
)
