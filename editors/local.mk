# editors: what editors and shells know of .sn files and of snodegen, for the makefile at the top.
# editors/generate.pl has made what is in a template from the compiler's tables.
bashcompletiondir = $(datadir)/bash-completion/completions
dist_bashcompletion_DATA = editors/completion/snodegen
zshcompletiondir = $(datadir)/zsh/site-functions
dist_zshcompletion_DATA = editors/completion/_snodegen

# share/snode/editors/vim and so on, as the folders lie here
snodesharedir = $(datadir)/snode
nobase_dist_snodeshare_DATA = \
  editors/emacs/snode-mode.el \
  editors/vim/ftdetect/snode.vim \
  editors/vim/ftplugin/snode.vim \
  editors/vim/indent/snode.vim \
  editors/vim/syntax/snode.vim \
  editors/vscode/language-configuration.json \
  editors/vscode/package.json \
  editors/vscode/syntaxes/snode.tmLanguage.json

EXTRA_DIST += \
  editors/generate.pl \
  editors/templates
