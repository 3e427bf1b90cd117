# Gives headings the identifiers that links use, and turns links to Markdown files into links to pages.
# Usage: awk -f finish.awk PAGE
match($0, /^<h[1-6]>/) {
    text = tolower($0)
    gsub(/<[^>]*>/, "", text)
    gsub(/&[a-z]+;/, "", text)
    gsub(/[^a-z0-9 _-]/, "", text)
    gsub(/ /, "-", text)
    sub(/^<h[1-6]/, "& id=\"" text "\"")
}
{
    while (match($0, /href="[^":#]*\.md[#"]/)) {
        link = substr($0, RSTART, RLENGTH)
        sub(/README\.md/, "index.md", link)
        sub(/\.md/, ".html", link)
        $0 = substr($0, 1, RSTART - 1) link substr($0, RSTART + RLENGTH)
    }
    print
}
