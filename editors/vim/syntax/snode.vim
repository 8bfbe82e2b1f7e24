" SPDX-License-Identifier: BSD-3-Clause
" Vim syntax of snode's .sn files. Made by editors/generate.pl from the compiler's tables: do not edit.
if exists('b:current_syntax')
  finish
endif

syntax case match
syntax keyword snodeDeclaration
      \ param const field tree func kernel instance import struct
syntax keyword snodeControl
      \ if else while do for foreach break continue return
syntax keyword snodeOther
      \ in out inout print assert block vec mat
syntax keyword snodeConstant
      \ true false
syntax keyword snodeKind
      \ dense bitmasked pointer dynamic hash
syntax keyword snodeWord
      \ chunk cols dual grad identity merge node offset outside place rows soa split under unit
      \ with within zero virtual local device hosted constant shared per_queue default clamp
      \ wrap
" built-in functions are names elsewhere: only where they are called
syntax match snodeFunction /\<\%(abs\|acos\|activate\|all\|any\|append\|asin\|atan\|atan2\|atomic_add\|atomic_and\|atomic_compare_exchange\|atomic_exchange\|atomic_max\|atomic_min\|atomic_mul\|atomic_or\|atomic_sub\|atomic_xor\|bitcast\|ceil\|clamp\|clz\|cos\|cosh\|cross\|ctz\|deactivate\|deactivate_all\|determinant\|distance\|dot\|exp\|floor\|floordiv\|floormod\|fma\|inverse\|is_active\|length\|log\|max\|min\|mix\|norm\|norm_sqr\|normalize\|outer\|polar\|popcount\|pow\|product\|randn\|random\|rescale\|round\|rsqrt\|select\|sign\|sin\|sinh\|sqr\|sqrt\|sum\|svd\|sym_eig\|tan\|tanh\|trace\|transpose\|trunc\)\>\ze\s*(/
syntax match snodeAttribute /\[\[\s*\zs\%(unroll\|serial\|schedule\|block_dim\|unique\|cache\)\>/
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
