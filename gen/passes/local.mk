# gen/passes: its files, for the makefile at the top
