# report.awk -v form=md|json|svg [-v missing=REASON] results.tsv: what turns.c wrote, as
# a table, as JSON, as a plot.  Fields: row, unit, compiler, who, ratio, quartiles,
# ns, MiB, its growth.
BEGIN { FS = "\t" }
{
  if (!($1 in seen)) { seen[$1] = 1; rows[++row_count] = $1; unit[$1] = $2 }
  if (!($3 in known)) { known[$3] = 1; compilers[++compiler_count] = $3 }
  key = $1 SUBSEP $4
  if (!(key in listed)) { listed[key] = 1; whos[$1, ++who_count[$1]] = $4 }
  key = $1 SUBSEP $4 SUBSEP $3
  ratio[key] = $5; low[key] = $6; high[key] = $7; ns[key] = $8; mib[key] = $9; growth[key] = $10
}
END {
  if (form == "json") json()
  else if (form == "svg") svg()
  else table()
}

# ---- table ----

function table(    r, w, c, head, rule, key, line) {
  head = "| row | contender |"
  rule = "| --- | --- |"
  for (c = 1; c <= compiler_count; c++) {
    head = head " " compilers[c] " | half of the rounds | ns | MiB |"
    rule = rule " --- | --- | --- | --- |"
  }
  print head "\n" rule
  for (r = 1; r <= row_count; r++)
    for (w = 1; w <= who_count[rows[r]]; w++) {
      line = "| " rows[r] " | " whos[rows[r], w] " |"
      for (c = 1; c <= compiler_count; c++) {
        key = rows[r] SUBSEP whos[rows[r], w] SUBSEP compilers[c]
        if (!(key in ratio)) line = line " | | | |"
        else if (ratio[key] == "-") line = line " - | " low[key] " | | |"
        else line = line sprintf(" %.2f | %.2f to %.2f | %s | %.0f%s |", ratio[key], low[key],
                                 high[key], digits(ns[key]), mib[key],
                                 growth[key] > 1.1 ? " and growing" : "")
      }
      print line
    }
  if (missing != "") print "\nTaichi is not in the table: " missing
}

function digits(x) { return x < 10 ? sprintf("%.2f", x) : sprintf("%.0f", x) }

# ---- JSON: an array of objects ----

function json(    r, w, c, key, before) {
  printf "["
  for (r = 1; r <= row_count; r++)
    for (w = 1; w <= who_count[rows[r]]; w++)
      for (c = 1; c <= compiler_count; c++) {
        key = rows[r] SUBSEP whos[rows[r], w] SUBSEP compilers[c]
        if (!(key in ratio) || ratio[key] == "-") continue
        printf "%s\n{\"row\":\"%s\",\"unit\":\"%s\",\"compiler\":\"%s\",\"contender\":\"%s\",", before,
               rows[r], unit[rows[r]], compilers[c], whos[rows[r], w]
        printf "\"ratio\":%s,\"low\":%s,\"high\":%s,\"ns\":%s,\"mib\":%s,\"growth\":%s}", ratio[key],
               low[key], high[key], ns[key], mib[key], growth[key]
        before = ","
      }
  print "\n]"
}

# ---- plot: a line for each row, the ratios on a logarithmic scale from 1/32 to 32 ----

function across(x) {
  x = x < 1 / 32 ? 1 / 32 : x > 32 ? 32 : x
  return 200 + (log(x) / log(2) + 5) * 52
}

function svg(    r, w, c, key, y, step, height, colour, other) {
  step = 14 * compiler_count + 8
  height = row_count * step + 70
  printf "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"760\" height=\"%d\" ", height
  print "font-family=\"sans-serif\" font-size=\"12\">"
  print "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>"
  print "<text x=\"10\" y=\"18\">time of each contender over ours, in turn; right of 1 ours is faster</text>"
  for (x = 1 / 32; x <= 32; x *= 2) {
    printf "<line x1=\"%.1f\" x2=\"%.1f\" y1=\"46\" y2=\"%d\" stroke=\"%s\"/>\n", across(x), across(x),
           height - 20, x == 1 ? "black" : "#ddd"
    printf "<text x=\"%.1f\" y=\"40\" text-anchor=\"middle\">%s</text>\n", across(x),
           x < 1 ? "1/" 1 / x : x
  }
  for (r = 1; r <= row_count; r++) {
    y = 60 + (r - 1) * step
    printf "<text x=\"10\" y=\"%d\">%s</text>\n", y + 4, rows[r]
    for (c = 1; c <= compiler_count; c++) {
      printf "<text x=\"150\" y=\"%d\" font-size=\"9\" fill=\"#888\">%s</text>\n", y + 14 * (c - 1) + 4,
             compilers[c]
      for (w = 1; w <= who_count[rows[r]]; w++) {
        key = rows[r] SUBSEP whos[rows[r], w] SUBSEP compilers[c]
        if (!(key in ratio) || ratio[key] == "-" || whos[rows[r], w] == "ours") continue
        mark(whos[rows[r], w], ratio[key], low[key], high[key], y + 14 * (c - 1))
      }
    }
  }
  y = height - 6
  print "<text x=\"200\" y=\"" y "\" fill=\"#c40\">Taichi 1.7.4</text>"
  print "<text x=\"300\" y=\"" y "\" fill=\"#06a\">C by hand</text>"
  print "<text x=\"390\" y=\"" y "\" fill=\"#7ab\">C, another way</text>"
  print "</svg>"
}

function mark(who, at, from, to, y,    colour) {
  colour = who == "Taichi" ? "#c40" : who == "C" ? "#06a" : "#7ab"
  printf "<line x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%d\" stroke=\"%s\" stroke-width=\"2\"/>\n",
         across(from), across(to), y, y, colour
  printf "<circle cx=\"%.1f\" cy=\"%d\" r=\"4\" fill=\"%s\"><title>%s %.2f</title></circle>\n",
         across(at), y, colour, who, at
}
