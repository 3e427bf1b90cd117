# Makes the page of a command from its help: sluice COMMAND --help | awk -v name=COMMAND -f command.awk
# Sections become headings and options terms with identifiers, which the tables of options lead to.
function escape(text) {
    gsub(/&/, "\\&amp;", text); gsub(/</, "\\&lt;", text); gsub(/>/, "\\&gt;", text)
    return text
}
# Text between backticks and the names of options are code.
function prose(text,  made) {
    text = escape(text)
    while (match(text, /`[^`]*`|(^|[ (])--[a-z][a-z0-9-]*/)) {
        word = substr(text, RSTART, RLENGTH)
        lead = word ~ /^[ (]/ ? substr(word, 1, 1) : ""
        word = substr(word, 1 + length(lead))
        gsub(/`/, "", word)
        made = made substr(text, 1, RSTART - 1) lead "<code>" word "</code>"
        text = substr(text, RSTART + RLENGTH)
    }
    return made text
}
function flush() {
    if (text != "") print (list ? "<dd>" : "<p>") prose(text) (list ? "" : "</p>")
    text = ""
}
function close_list() {
    flush()
    if (list) print "</dl>"
    list = 0
}
function term(text,  id) {
    flush()
    if (!list) print "<dl>"
    list = 1
    id = match(text, /--[a-z][a-z0-9-]*/) ? " id=\"" substr(text, RSTART, RLENGTH) "\"" : ""
    print "<dt" id "><code>" escape(text) "</code>"
}
BEGIN { print "<h1>sluice " name "</h1>" }
NR == 1 { sub(/^Usage: /, ""); print "<pre><code>" escape($0) "</code></pre>"; next }
/^$/ { if (!list) flush(); next }
/^[A-Z][A-Za-z ]*:$/ { close_list(); sub(/:$/, ""); print "<h2>" $0 "</h2>"; next }
/^          / { sub(/^ */, ""); text = text (text == "" ? "" : " ") $0; next }
/^ / {
    sub(/^ */, "")
    # Arguments have their description beside them.
    if (match($0, /  +/) && !/^-/) { rest = substr($0, RSTART + RLENGTH); term(substr($0, 1, RSTART - 1)); text = rest }
    else term($0)
    next
}
{ if (list) close_list(); text = text (text == "" ? "" : " ") $0 }
END { close_list() }
