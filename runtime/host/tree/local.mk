# runtime/host/tree: its files, for the makefile at the top
