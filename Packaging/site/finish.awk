# Gives headings and the options in tables the identifiers that links use, and turns links to Markdown files into links to pages.
# Usage: awk -f finish.awk PAGE
match($0, /^<h[1-6]>/) {
    text = tolower($0)
    gsub(/<[^>]*>/, "", text)
    gsub(/&[a-z]+;/, "", text)
    gsub(/[^a-z0-9 _-]/, "", text)
    gsub(/ /, "-", text)
    sub(/^<h[1-6]/, "& id=\"" text "\"")
}
last == "<tr>" && match($0, /^<td><code>(-[a-zA-Z], )?--[a-z0-9-]+/) {
    option = substr($0, 11, RLENGTH - 10)
    sub(/.* /, "", option)
    if (!seen[option]++) sub(/^<td/, "& id=\"" option "\"")
}
# Keys scroll code that is wider than the page.
{ sub(/^<pre>/, "<pre tabindex=\"0\">") }
{
    last = $0
    while (match($0, /href="[^":#]*\.md[#"]/)) {
        link = substr($0, RSTART, RLENGTH)
        sub(/README\.md/, "index.md", link)
        sub(/\.md/, ".html", link)
        $0 = substr($0, 1, RSTART - 1) link substr($0, RSTART + RLENGTH)
    }
    print
}
