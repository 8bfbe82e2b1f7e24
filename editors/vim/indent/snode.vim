" SPDX-License-Identifier: BSD-3-Clause
" Vim: .sn files are indented as C is, with two columns a level.
if exists('b:did_indent')
  finish
endif
let b:did_indent = 1

setlocal cindent cinoptions=:0,l1,(0,W4,J1 cinkeys=0{,0},0),0],!^F,o,O,e
let b:undo_indent = 'setlocal cindent< cinoptions< cinkeys<'
