" SPDX-License-Identifier: BSD-3-Clause
" Vim syntax of snode's .sn files. Made by editors/generate.pl from the compiler's tables: do not edit.
if exists('b:current_syntax')
  finish
endif

syntax case match
syntax keyword snodeDeclaration
      \ @vim DECLARES@
syntax keyword snodeControl
      \ @vim CONTROLS@
syntax keyword snodeOther
      \ @vim OTHERS@
syntax keyword snodeConstant
      \ @vim CONSTANTS@
syntax keyword snodeKind
      \ @vim KINDS@
syntax keyword snodeWord
      \ @vim WORDS@
" built-in functions are names elsewhere: only where they are called
syntax match snodeFunction /\<\%(@vimor BUILTINS@\)\>\ze\s*(/
syntax match snodeAttribute /\[\[\s*\zs\%(@vimor ATTRIBUTES@\)\>/
syntax match snodeType /\<\%(void\|bool\|[iu]\%(8\|16\|32\|64\)\|f\%(16\|32\|64\)\)\%(x\d\+\)\{,2}\>/
syntax match snodeNumber /\<\d[0-9a-zA-Z_]*\%(\.\d[0-9a-zA-Z_]*\)\?\%([eE][-+]\?\d\+f\?\)\?/
syntax region snodeString start=/"/ skip=/\\./ end=/"/ oneline contains=snodeEscape,snodeFormat
syntax match snodeEscape /\\./ contained
syntax match snodeFormat /%[-+ #0]*\d*\%(\.\d\+\)\?[a-zA-Z%]/ contained
syntax keyword snodeTodo TODO FIXME contained
syntax match snodeComment /\/\/.*/ contains=snodeTodo,@Spell
syntax region snodeComment start=/\/\*/ end=/\*\// contains=snodeTodo,@Spell
syntax match snodeDocumentation /\/\/\/\%(\/\)\@!.*/ contains=snodeTodo,@Spell
syntax sync ccomment snodeComment

highlight default link snodeDeclaration Statement
highlight default link snodeControl Conditional
highlight default link snodeOther Statement
highlight default link snodeConstant Boolean
highlight default link snodeKind StorageClass
highlight default link snodeWord Label
highlight default link snodeFunction Function
highlight default link snodeAttribute PreProc
highlight default link snodeType Type
highlight default link snodeNumber Number
highlight default link snodeString String
highlight default link snodeEscape SpecialChar
highlight default link snodeFormat SpecialChar
highlight default link snodeTodo Todo
highlight default link snodeComment Comment
highlight default link snodeDocumentation SpecialComment

let b:current_syntax = 'snode'
