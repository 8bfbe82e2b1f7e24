# bench: measurements beside peers, outside make check (bench/README.md).
