#!/bin/sh
# snodegen --lsp: a scripted client (t/lsp/talk.py), whose noise it withstands, and Neovim's own.
. "${SN_SRCDIR:-.}/t/lib.sh"
python3 -c 'import json' 2>/dev/null || skip_all "no python3"
# sanitizers keep what is freed
PYTHONDONTWRITEBYTECODE=1 SN_FREED_IS_KEPT=$SANITIZER_CFLAGS
export PYTHONDONTWRITEBYTECODE SN_FREED_IS_KEPT

# its tests are counted here
timeout 120 python3 "$SN_SRCDIR/t/lsp/talk.py" "$snodegen" "$work" >"$work/talk" 2>&1
talked=$?
grep -v '^1\.\.' "$work/talk"
tests_done=$(grep -c -E '^(not )?ok ' "$work/talk")
tests_failed=$(grep -c '^not ok ' "$work/talk")
is "the talk came to its end" "$talked" 0

# ---- Neovim ----

if ! command -v nvim >/dev/null || ! nvim --headless -u NONE -c 'lua vim.lsp.start_client' -c 'qall!' >/dev/null 2>&1; then
  skip "Neovim's client" "no nvim with vim.lsp"
else
  printf 'field f32 height;\ntree t { place height; }\nkernel void raise(f32 by) { height += unkown; }\n' >"$work/editor.sn"
  SNODEGEN=$snodegen FILE=$work/editor.sn TOLD=$work/told XDG_STATE_HOME=$work XDG_DATA_HOME=$work \
    XDG_CACHE_HOME=$work timeout 60 nvim --headless -i NONE -u NONE \
    -c "luafile $SN_SRCDIR/t/lsp/neovim.lua" >"$work/nvim.out" 2>&1 || diag "$(cat "$work/nvim.out")"
  contains "Neovim shows the message" "$work/told" "diagnostic 2 38 1 unknown name 'unkown'"
  contains "it finds the definition" "$work/told" "definition 0 10"
  contains "it shows what is told of a name" "$work/told" "field f32 height tree t"
  contains "it completes" "$work/told" "completion field f32 height"
  contains "a mended text has no message" "$work/told" "mended true"
  contains "it ends the server" "$work/told" "stopped true"
fi

# ---- what is refused ----
fails "with a file" 2 "$snodegen" --lsp one.sn
fails "with --watch" 2 "$snodegen" --lsp --watch
done_testing
