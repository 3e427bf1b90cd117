# Makes links of the commands in the tables of options: awk -f options.awk OPTIONS.HTML
# The first cell of a row names a command or, after its identifier, an option; the second one the option's commands.
last == "<tr>" && match($0, /<code>sluice [a-z]+/) {
    name = substr($0, RSTART + 13, RLENGTH - 13)
    sub(/<code>/, "<a href=\"commands/" name ".html\">&"); sub(/<\/code>/, "&</a>")
}
last ~ /^<td id="--/ && match($0, />[a-z, ]+</) {
    count = split(substr($0, RSTART + 1, RLENGTH - 2), names, ", ")
    links = ""
    for (i = 1; i <= count; i++)
        links = links (i > 1 ? ", " : "") (names[i] == "all" ? "all" : "<a href=\"commands/" names[i] ".html#" option "\">" names[i] "</a>")
    $0 = "<td>" links "</td>"
}
{ last = $0 }
match(last, /id="[^"]*"/) { option = substr(last, RSTART + 4, RLENGTH - 5) }
{ print }
