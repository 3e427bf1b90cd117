// SPDX-License-Identifier: MIT

import SluiceModel
import Testing

@Suite("Terms of use", .timeLimit(.minutes(5))) struct UsageTermsTests {
    @Test(
        "Statements that reserve the training of models",
        arguments: [
            "x-robots-tag: noai", "x-robots-tag: googlebot: noindex, noml", "x-robots-tag: all, noimageai",
            "tdm-reservation: 1", "content-usage: train-ai=n", "content-usage: search=y, train-ai=n",
            "robots.txt content-usage: train-ai=n", "robots.txt content-signal: search=yes,ai-train=no",
            "iptc data-mining: DMI-PROHIBITED", "iptc data-mining: DMI-PROHIBITED-GENAIMLTRAINING",
            "c2pa.training-mining: c2pa.ai_inference=allowed, c2pa.ai_training=notAllowed",
            "cawg.training-mining: cawg.ai_training=allowed, cawg.data_mining=constrained",
            "tdmrep.json tdm-reservation: 1", "tdm-reservation: 2; tdmrep.json tdm-reservation: 1",
            "x-robots-tag: noindex; tdm-reservation: 1; tdm-policy: https://a.test/p",
        ])
    func reserved(text: String) {
        #expect(UsageTerms(text: text).reservesTraining)
        #expect(UsageTerms(text: text).text == text)
    }

    @Test(
        "Other statements",
        arguments: [
            "iptc data-mining: DMI-ALLOWED", "iptc data-mining: DMI-UNSPECIFIED",
            "c2pa.training-mining: c2pa.ai_inference=notAllowed, c2pa.ai_training=allowed",
            "x-robots-tag: noindex", "tdm-reservation: 0", "tdm-reservation: 0; tdmrep.json tdm-reservation: 1",
            "content-usage: train-ai=y", "tdm-policy: https://a.test/1",
            "robots.txt content-signal: ai-train=yes, ai-input=no", "robots.txt license: https://a.test/noai", "noai",
            "",
        ])
    func free(text: String) {
        #expect(!UsageTerms(text: text).reservesTraining)
    }

    @Test("A value cannot add statements, and their number and length are limited")
    func hostile() {
        let terms = UsageTerms([UsageTerms.Statement("x-robots-tag", "all; tdm-reservation: 1\n")])
        #expect(terms.text == "x-robots-tag: all tdm-reservation: 1" && !terms.reservesTraining)
        let many = UsageTerms(
            (0..<1000).map { _ in UsageTerms.Statement("content-usage", String(repeating: "x", count: 10_000)) })
        #expect(many.text?.utf8.count ?? 0 < 10_000)
    }
}
