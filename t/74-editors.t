#!/bin/sh
# What editors and shells know: that it is what the compiler's tables say, that Vim and Emacs highlight and
# indent a file by it, and that bash and zsh complete options.
. "${SN_SRCDIR:-.}/t/lib.sh"
command -v perl >/dev/null || skip_all "no perl"
editors=$SN_SRCDIR/editors
cd "$work" || exit 1

# ---- the tables ----

is "the files are what editors/generate.pl makes of the tables" "$(perl "$editors/generate.pl" --check)" ""
cp -R "$SN_SRCDIR/editors" . && mkdir gen
cp -R "$SN_SRCDIR/gen/." gen
chmod -R u+w gen editors
sed -i 's/^BUILTIN(sqrt, .*/&\nBUILTIN(cbrt, 1, FLOAT)/' gen/model/builtins.def
sed -i 's/^OPTION(lsp,.*/&\nOPTION(other, "--other", FLAG, TRYING, "", "is new")/' gen/options.def
is "a new built-in and a new option are missed" "$(perl editors/generate.pl --check | sort | tr '\n' ' ')" \
  "editors/completion/_snodegen editors/completion/snodegen editors/emacs/snode-mode.el \
editors/vim/syntax/snode.vim editors/vscode/syntaxes/snode.tmLanguage.json "
perl editors/generate.pl
is "and then known" "$(grep -l -E 'cbrt|--other' editors/*/* editors/*/*/* 2>/dev/null | wc -l)" 5
# words that the parser asks for where they stand
sed -n -e 's/.*looking_at_word([^,]*, "\([a-z_]*\)").*/\1/p' -e 's/^ *{"\([a-z]*\)", CONSTRUCT_.*/\1/p' \
  -e 's/.*}, *{"\([a-z]*\)", CONSTRUCT_.*/\1/p' "$SN_SRCDIR"/gen/front/parse*.c | sort -u >asked
sed -n -e 's/^WORD(\([a-z]*\))/\1/p' "$SN_SRCDIR/gen/front/words.def" | sort >known
is "gen/front/words.def has all words that the parser asks for" "$(comm -23 asked known)" ""
# types are told by a pattern
for name in $(sed -n -e 's/^    \[TYPE_[A-Z0-9]*\] = {TYPE_[A-Z0-9]*, "\([a-z0-9]*\)".*/\1/p' "$SN_SRCDIR/gen/base/type.c"); do
  echo "$name" | grep -v -x -E 'void|bool|[iu](8|16|32|64)|f(16|32|64)|cell'
done >types
is "the pattern of types has each type" "$(cat types)" ""
if python3 -c 'import json' 2>/dev/null; then
  ok "the files of VS Code are JSON, each pattern an expression" python3 -c '
import json, re, sys
for name in sys.argv[1:]:
    data = json.load(open(name))
def patterns(x):
    if isinstance(x, dict):
        for k, v in x.items():
            if k in ("match", "begin", "end"): re.compile(v)
            else: patterns(v)
    elif isinstance(x, list):
        for v in x: patterns(v)
patterns(json.load(open(sys.argv[3])))' "$editors/vscode/package.json" "$editors/vscode/language-configuration.json" \
    "$editors/vscode/syntaxes/snode.tmLanguage.json"
else
  skip "the files of VS Code are JSON" "no python3"
fi

# ---- Vim ----

cat >sample.sn <<'END'
/// what it is
field f32x3 speed outside clamp;  // not a field
kernel f64 total(in f32 a[3]) {
  [[serial]] foreach (i in speed) print("%d\n", sqrt(2.5));
if (true) {
speed[0] = a; /* for */
}
}
END
# line, column, the group in Vim, the face in Emacs
cat >places <<'END'
1 5 snodeDocumentation font-lock-comment-face
2 1 snodeDeclaration font-lock-keyword-face
2 7 snodeType font-lock-type-face
2 13 none nil
2 19 snodeWord font-lock-builtin-face
2 27 snodeWord font-lock-builtin-face
2 42 snodeComment font-lock-comment-face
3 1 snodeDeclaration font-lock-keyword-face
3 18 snodeOther font-lock-keyword-face
4 5 snodeAttribute font-lock-preprocessor-face
4 14 snodeControl font-lock-keyword-face
4 42 snodeFormat font-lock-string-face
4 49 snodeFunction font-lock-builtin-face
5 1 snodeControl font-lock-keyword-face
5 5 snodeConstant font-lock-constant-face
6 19 snodeComment font-lock-comment-face
END
vim=
for command in vim nvim; do
  if [ -z "$vim" ] && $command -es -u NONE -i NONE -c 'if !has("syntax") | cquit | endif' -c 'qall!' >/dev/null 2>&1; then vim=$command; fi
done
if [ -z "$vim" ]; then
  skip "Vim" "no vim or nvim with syntax"
else
  {
    echo "set nocompatible runtimepath^=$editors/vim"
    echo 'filetype plugin indent on'
    echo 'syntax on'
    echo 'edit sample.sn'
    echo "redir! > groups"
    while read -r line column group face; do
      echo "silent echo '$line $column ' . synIDattr(synID($line, $column, 1), 'name')"
    done <places
    echo "silent echo &filetype &commentstring"
    echo "redir END"
    echo "normal! gg=G"
    echo "write! indented"
    echo "qall!"
  } >script.vim
  timeout 60 $vim -es -u NONE -i NONE -S script.vim >vim.out 2>&1
  is "$vim tells .sn files" "$(tail -n 1 groups)" "snode // %s"
  awk '{ print $1, $2 ($3 == "none" ? " " : " " $3) }' places >expected
  grep '^[0-9]' groups >got
  same "$vim highlights" got expected
  is "$vim indents" "$(sed -n '5,8p' indented | tr '\n' '|')" "  if (true) {|    speed[0] = a; /* for */|  }|}|"
fi

# ---- Emacs ----

if ! command -v emacs >/dev/null; then
  skip "Emacs" "there is none"
else
  cp "$editors/emacs/snode-mode.el" .
  emacs -Q --batch --eval '(setq byte-compile-error-on-warn t)' -f batch-byte-compile snode-mode.el >said 2>&1
  is "Emacs compiles the mode without a warning" "$? $(cat said)" "0 "
  {
    echo '(load (expand-file-name "snode-mode.el") nil t)(find-file "sample.sn")(font-lock-ensure)'
    echo '(princ (format "%s\n" major-mode))'
    while read -r line column group face; do
      echo "(goto-char (point-min))(forward-line $((line - 1)))(forward-char $((column - 1)))"
      echo "(princ (format \"$line $column %s\\n\" (get-text-property (point) 'face)))"
    done <places
    echo '(indent-region (point-min) (point-max))(write-region nil nil "emacs-indented")'
  } >script.el
  emacs -Q --batch -l script.el >faces 2>said || diag "$(cat said)"
  is "Emacs tells .sn files" "$(head -n 1 faces)" "snode-mode"
  awk '{ print $1, $2, $4 }' places >expected
  grep '^[0-9]' faces >got
  same "Emacs highlights" got expected
  is "Emacs indents" "$(sed -n '5,8p' emacs-indented | tr '\n' '|')" "  if (true) {|    speed[0] = a; /* for */|  }|}|"
fi

# ---- shells ----

if ! command -v bash >/dev/null; then
  skip "bash" "there is none"
else
  # completed WORD...: what bash offers for the last one
  completed() {
    bash -c '. "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _snodegen; echo ${COMPREPLY[*]}' \
      "$editors/completion/snodegen" "$@" 2>said
  }
  is "bash: an option" "$(completed snodegen --bou)" "--bounds="
  is "bash: its values" "$(completed snodegen --bounds = z)" "zero"
  is "bash: all of them" "$(completed snodegen --bounds =)" "trap zero none"
  is "bash: in one word" "$(completed snodegen --bounds=t)" "trap"
  is "bash: the next of a list" "$(completed snodegen --emit=c,ma)" "c,main"
  is "bash: a warning" "$(completed snodegen -Wno-tw)" "-Wno-two-trees"
  is "bash: a file" "$(touch other.c; completed snodegen sam)" "sample.sn"
fi
if ! command -v zsh >/dev/null; then
  skip "zsh" "there is none"
else
  ok "zsh reads its completion" zsh -f -n "$editors/completion/_snodegen"
  # what _arguments is given is seen by a function of that name
  zsh -f -c '_arguments() { print -l -- "$@" }; . "$0"' "$editors/completion/_snodegen" >specs
  contains "zsh: an option with its values" specs ":MODE:(trap zero none)"
  is "zsh: a line for each option" "$(grep -c '\[' specs)" "$(grep -c '^OPTION(' "$SN_SRCDIR/gen/options.def")"
fi
done_testing
