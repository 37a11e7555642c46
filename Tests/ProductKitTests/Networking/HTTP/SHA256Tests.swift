import Foundation
import ProductKit
import Testing

/// SHA-256 with the examples of FIPS 180-4 and the test vectors of NIST.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct SHA256Tests {
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
        (
            "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopq"
                + "klmnopqrlmnopqrsmnopqrstnopqrstu",
            "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
        ),
        (
            "{__typename}",
            "ecf4edb46db40b5132295c0291d62fb65d6759a9eedfa4d5d612dd5ec54a6b38"
        ),
    ])
    func `a text has the digest of the standard`(text: String, digest: String) {
        #expect(SHA256.hexadecimalDigest(of: text.utf8) == digest)
    }

    @Test(arguments: [
        (1, "bd", "68325720aabd7c82f30f554b313d0570c95accbb7dc4b5aae11204c08ffe732b"),
        (4, "c98c8e55", "7abc22c0ae5af26ce93dbb94433a0e0b2e119d014f8e7f65bd56c61ccccd9504"),
        (55, "00", "02779466cdec163811d078815c633f21901413081449002f24aa3e80f0b88ef7"),
        (56, "00", "d4817aa5497628e7c77e6b606107042bbba3130888c5f47a375e6179be789fbb"),
        (57, "00", "65a16cb7861335d5ace3c60718b5052e44660726da4cd13bb745381b235a1785"),
        (64, "00", "f5a5fd42d16a20302798ef6ed309979b43003d2320d9f0e8ea9831a92759fb4b"),
        (1_000, "00", "541b3e9daa09b20bf85fa273e5cbd3e80185aa4ec298e765db87742b70138a53"),
        (1_000, "41", "c2e686823489ced2017f6059b8b239318b6364f6dcd835d0a519105a1eadd6e4"),
        (1_005, "55", "f4d62ddec0f3dd90ea1380fa16a5ff8dc4c54b21740650f24afc4120903552b0"),
        (
            1_000_000, "00",
            "d29751f2649b32ff572b5e0a9f541ea660a50f94ff0beedfb0b692b924cc8025"
        ),
    ])
    func `bytes have the digest of the standard`(count: Int, bytes: String, digest: String) throws {
        let pattern = try stride(from: 0, to: bytes.count, by: 2).map { offset in
            try #require(UInt8(bytes.dropFirst(offset).prefix(2), radix: 16))
        }

        let message = (0..<count).map { pattern[$0 % pattern.count] }

        #expect(SHA256.hexadecimalDigest(of: message) == digest)
    }
}
