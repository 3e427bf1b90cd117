# Prints the sections of a page as members of the search index: awk -v address=ADDRESS -v title=TITLE -f index.awk BODY
# A section begins with a heading or a cell that has an identifier, and ends before the next one.
function plain(text) {
    gsub(/<[^>]*>/, " ", text)
    gsub(/&quot;/, "\"", text); gsub(/&lt;/, "<", text); gsub(/&gt;/, ">", text); gsub(/&amp;/, "\\&", text)
    gsub(/[ \t]+/, " ", text)
    gsub(/\\/, "\\\\", text); gsub(/"/, "\\\"", text)
    sub(/^ /, "", text); sub(/ $/, "", text)
    return text
}
function finish() {
    if (text != "" || heading == "")
        printf "{address:\"%s\",title:\"%s\",heading:\"%s\",text:\"%s\"},\n", address fragment, plain(title), plain(heading), plain(text)
    text = ""
}
match($0, /^<(h[2-3]|td) id="[^"]*"/) {
    finish()
    fragment = substr($0, 1, RLENGTH - 1)
    sub(/^[^"]*"/, "#", fragment)
    heading = $0
    next
}
/^<h1/ { next }
{ text = text " " $0 }
END { finish() }
