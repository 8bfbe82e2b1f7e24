" SPDX-License-Identifier: BSD-3-Clause
autocmd BufNewFile,BufRead *.sn setfiletype snode
