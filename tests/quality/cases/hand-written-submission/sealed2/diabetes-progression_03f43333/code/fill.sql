create table s(a integer, b real);
insert into s values (500, 50.3), (503, 45.7), (506, 50.9), (509, 55.5), (512, 53.7), (515, 54.6), (518, 47.3), (521, 66.3), (524, 34.6), (527, 67.3), (530, 42.8), (533, 40.9), (536, 41.5), (539, 53.5);
.headers on
.mode csv
.output /home/submission/submission.csv
select a as 'id', b as 'progression' from s;
