// SPDX-License-Identifier: MIT

/// The XML namespaces that feeds use, including common misspellings.
enum Namespaces {
    static let media: Set<String> = [
        "http://search.yahoo.com/mrss/", "http://search.yahoo.com/mrss", "https://search.yahoo.com/mrss/",
    ]
    static let atom: Set<String> = ["http://www.w3.org/2005/Atom", "http://purl.org/atom/ns#"]
    static let dublinCore: Set<String> = ["http://purl.org/dc/elements/1.1/", "http://purl.org/dc/terms/"]
    static let content: Set<String> = ["http://purl.org/rss/1.0/modules/content/"]
    /// Podcasts; the names differ in capitals.
    static let podcasts: Set<String> = [
        "http://www.itunes.com/dtds/podcast-1.0.dtd", "http://www.itunes.com/DTDs/Podcast-1.0.dtd",
        "http://www.itunes.com/DTDs/PodCast-1.0.dtd", "https://www.itunes.com/dtds/podcast-1.0.dtd",
    ]
    static let history: Set<String> = ["http://purl.org/syndication/history/1.0"]
    static let creativeCommons: Set<String> = [
        "http://backend.userland.com/creativeCommonsRssModule", "http://web.resource.org/cc/",
        "http://creativecommons.org/ns#",
    ]
    /// The namespaces of prefixes that some feeds use without declaring them.
    static let usual = [
        "media": "http://search.yahoo.com/mrss/", "dc": "http://purl.org/dc/elements/1.1/",
        "content": "http://purl.org/rss/1.0/modules/content/", "atom": "http://www.w3.org/2005/Atom",
        "itunes": "http://www.itunes.com/dtds/podcast-1.0.dtd",
    ]
    /// RSS 2.0 has no namespace; RSS 0.9 and 1.0 have one.
    static let rss: Set<String> = ["", "http://purl.org/rss/1.0/", "http://my.netscape.com/rdf/simple/0.9/"]
}
