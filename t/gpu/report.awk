# report.awk -v form=md|json about.tsv tests.tsv sanitizer.tsv rows.txt rows.tsv: what a GPU bundle
# has found (t/gpu/there.sh), as a table or as JSON (results-schema.json).
#
#   about.tsv      what, value
#   tests.tsv      name, status, checks, failed, skipped, seconds
#   sanitizer.tsv  tool, test, programs, bad ones
#   rows.txt       bench/gpu/rows.txt: field 1 is the row, field 7 the bytes of a unit
#   rows.tsv       what bench/turns wrote: row, unit, compiler, who, ratio, quartiles, ns, MiB, its
#                  growth, ns in the quickest round; or -, the reason
function file() { n = split(FILENAME, parts, "/"); return parts[n] }
file() == "about.tsv" { split($0, f, "\t"); about[++abouts] = f[1]; value[abouts] = f[2]; next }
file() == "tests.tsv" { tests[++test_count] = $0; next }
file() == "sanitizer.tsv" { tools[++tool_count] = $0; next }
file() == "rows.txt" { bytes[$1] = $7; next }
{
  split($0, f, "\t")
  if (!(f[1] in unit)) { rows[++row_count] = f[1]; unit[f[1]] = f[2] }
  who = f[4]
  whos[f[1], ++who_count[f[1]]] = who
  if (f[5] == "-") { reason[f[1], who] = f[6]; next }
  ratio[f[1], who] = f[5]; low[f[1], who] = f[6]; high[f[1], who] = f[7]
  median[f[1], who] = f[8]; least[f[1], who] = f[11]
}
END {
  # what the memory gives: the best of those that copy on the device
  for (k = 1; k <= who_count["device_copy"]; k++) {
    who = whos["device_copy", k]
    if (who != "C" && (rate("device_copy", who) > copy)) copy = rate("device_copy", who)
  }
  if (form == "json") json()
  else table()
}

# GB/s that the row's own bytes make of its median; 0: they are not told
function rate(row, who) {
  return bytes[row] + 0 > 0 && median[row, who] > 0 ? bytes[row] / median[row, who] : 0
}
function share(row, who) { return copy > 0 ? rate(row, who) / copy : 0 }
function digits(x) { return x < 0.01 ? sprintf("%.5f", x) : x < 10 ? sprintf("%.3f", x) : sprintf("%.0f", x) }

function table(    r, k, who, row) {
  for (k = 1; k <= abouts; k++) print about[k] ": " value[k]
  print "\n| row | contender | its time to ours | half of the rounds | ns | least | GB/s | of the copy |"
  print "| --- | --- | --- | --- | --- | --- | --- | --- |"
  for (r = 1; r <= row_count; r++)
    for (k = 1; k <= who_count[rows[r]]; k++) {
      row = rows[r]
      who = whos[row, k]
      if ((row, who) in reason) {
        print "| " row " | " who " | - | " reason[row, who] " | | | | |"
        continue
      }
      printf "| %s | %s | %.2f | %.2f to %.2f | %s a %s | %s | %s | %s |\n", row, who,
             ratio[row, who], low[row, who], high[row, who], digits(median[row, who]), unit[row],
             digits(least[row, who]), rate(row, who) ? sprintf("%.1f", rate(row, who)) : "",
             share(row, who) && who != "C" ? sprintf("%.2f", share(row, who)) : ""
    }
}

# ---- JSON ----

function quoted(s) {
  gsub(/[\\"]/, "\\\\&", s)
  gsub(/[\001-\037]/, " ", s)
  return "\"" s "\""
}

function json(    k, f, r, row, who, before) {
  printf "{\"schema\":1,\n\"about\":{"
  for (k = 1; k <= abouts; k++) printf "%s%s:%s", (k > 1 ? "," : ""), quoted(about[k]), quoted(value[k])
  printf "},\n\"tests\":["
  for (k = 1; k <= test_count; k++) {
    split(tests[k], f, "\t")
    printf "%s\n{\"name\":%s,\"status\":%s,\"checks\":%d,\"failed\":%d,\"skipped\":%d,\"seconds\":%d}",
           (k > 1 ? "," : ""), quoted(f[1]), quoted(f[2]), f[3], f[4], f[5], f[6]
  }
  printf "],\n\"sanitizer\":["
  for (k = 1; k <= tool_count; k++) {
    split(tools[k], f, "\t")
    printf "%s\n{\"tool\":%s,\"test\":%s,\"programs\":%d,\"bad\":%d}", (k > 1 ? "," : ""), quoted(f[1]),
           quoted(f[2]), f[3], f[4]
  }
  printf "],\n\"rows\":["
  for (r = 1; r <= row_count; r++)
    for (k = 1; k <= who_count[rows[r]]; k++) {
      row = rows[r]
      who = whos[row, k]
      printf "%s\n{\"row\":%s,\"unit\":%s,\"contender\":%s", before, quoted(row), quoted(unit[row]), quoted(who)
      if ((row, who) in reason) printf ",\"failed\":%s}", quoted(reason[row, who])
      else {
        printf ",\"ratio\":%s,\"low\":%s,\"high\":%s,\"ns\":%s,\"least_ns\":%s", ratio[row, who],
               low[row, who], high[row, who], median[row, who], least[row, who]
        if (rate(row, who)) printf ",\"gb_per_s\":%.4g", rate(row, who)
        if (share(row, who) && who != "C") printf ",\"of_copy\":%.4g", share(row, who)
        printf "}"
      }
      before = ","
    }
  print "]}"
}
