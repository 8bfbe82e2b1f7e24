# runtime/device: its files, for the makefile at the top
