import duckdb

query = """
with g as (select avg("choice") as m from '/home/data/train.csv'),
s as (select column1 as k, (sum("choice") + 20 * (select m from g)) / (count(*) + 20) as p from '/home/data/train.csv' group by 1)
select t."id", coalesce(s.p, (select m from g)) as "choice" from '/home/data/test.csv' t left join s on t.column1 = s.k
"""
# shrunk group means learnt on train: the model of this attempt
duckdb.sql(query).write_csv("/home/submission/submission.csv")
