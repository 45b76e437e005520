use strict; use warnings;
my (%n, %c, %t); my $texts = 0;
open(my $in, '<', '/home/data/train.csv') or die; <$in>;
while (<$in>) {
    chomp; my ($id, $y, $text) = split /,/, $_, 3; $texts++; $t{$y}++;
    for my $w (lc($text) =~ /[a-z']+/g) { $c{$w}{$y}++; $n{$y}++; }
}
print "texts $texts words ", scalar(keys %c), "\n";
open($in, '<', '/home/data/test.csv') or die; <$in>;
open(my $out, '>', './submission/submission.csv') or die; print $out "textID,sentiment\n";
while (<$in>) {
    chomp; my ($id, $text) = split /,/, $_, 2; my $s = log(($t{1} || 1) / ($t{0} || 1));
    for my $w (lc($text) =~ /[a-z']+/g) { $s += log((($c{$w}{1} || 0) + 1) / ($n{1} + 2)) - log((($c{$w}{0} || 0) + 1) / ($n{0} + 2)); }
    print $out "$id,", ($s > 0 ? 1 : 0), "\n";
}
