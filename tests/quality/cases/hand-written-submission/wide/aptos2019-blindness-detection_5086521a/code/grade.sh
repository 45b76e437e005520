# grades given by looking at the fundus images one after the other
cat > grades.txt <<'E'
e17f91297c6e 4
370896f767f2 0
a5ceb6c52142 0
728f0c844583 2
34af42c76105 2
ede93e5443e9 0
76529d04a755 3
a5abe33870b2 2
f6c3f040aed6 1
8c3ab47c7cee 3
42e53a91e4ce 1
67666a9d2c2d 1
80ee6db02aec 0
745fe5b1d0f6 0
57cdf30a91b4 2
6bc6b8b3ad45 0
97b3a4cd109e 0
ccedc9ffe015 1
E
(echo id_code,diagnosis; tr ' ' , < grades.txt) > ./submission/submission.csv
wc -l ./submission/submission.csv
