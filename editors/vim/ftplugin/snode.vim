" SPDX-License-Identifier: BSD-3-Clause
" Vim: how .sn files are edited.
if exists('b:did_ftplugin')
  finish
endif
let b:did_ftplugin = 1

setlocal commentstring=//\ %s comments=s1:/*,mb:*,ex:*/,:///,://
setlocal formatoptions-=t formatoptions+=croql
setlocal shiftwidth=2 softtabstop=2 expandtab suffixesadd=.sn
setlocal include=^\\s*import\\s*"\\zs[^\"]*
" :make compiles, and :cnext goes through the messages
setlocal makeprg=snodegen\ %:S errorformat=%f:%l:%c:\ %trror:\ %m,%f:%l:%c:\ %tarning:\ %m,%f:%l:%c:\ %tote:\ %m,%-G%.%#
let b:undo_ftplugin = 'setlocal commentstring< comments< formatoptions< shiftwidth<'
      \ . ' softtabstop< expandtab< suffixesadd< include< makeprg< errorformat<'
