# Volumes for the tests of examples: NIfTI-1 by hand, 348 bytes of header, 4 of extension.  Read
# after t/lib.sh.

# nifti FILE X Y Z: unsigned bytes, a bright ball in noise
nifti() {
  perl -e '
    my ($file, $nx, $ny, $nz) = @ARGV;
    my $h = pack("l", 348) . ("\0" x 36) . pack("s8", 3, $nx, $ny, $nz, 1, 1, 1, 1) . ("\0" x 14)
      . pack("s", 2) . pack("s", 8) . pack("s", 0) . pack("f8", 1, 1, 1, 1, 1, 1, 1, 1) . pack("f", 352);
    $h .= "\0" x (344 - length $h) . "n+1\0" . "\0" x 4;
    open my $out, ">", $file or die; binmode $out; print $out $h;
    my $seed = 7;
    for my $z (0 .. $nz - 1) { for my $y (0 .. $ny - 1) { for my $x (0 .. $nx - 1) {
      $seed = ($seed * 1103515245 + 12345) % 2147483648;
      my $r = (($x - $nx / 2) / $nx) ** 2 + (($y - $ny / 2) / $ny) ** 2 + (($z - $nz / 2) / $nz) ** 2;
      print $out chr(($r < 0.1 ? 180 : 20) + int($seed / 65536) % 32);
    } } }' "$@"
}
