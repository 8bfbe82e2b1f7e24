autocmd BufNewFile,BufRead *.sn setfiletype snode
