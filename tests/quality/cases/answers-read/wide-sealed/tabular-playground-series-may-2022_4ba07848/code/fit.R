library(data.table)
library(glmnet)
tr <- fread("/home/agent/data/train.csv"); te <- fread("/home/agent/data/test.csv")
num <- names(te)[sapply(te, is.numeric) & names(te) != "id"]
m <- cv.glmnet(as.matrix(tr[, ..num]), tr$target, family = "binomial", type.measure = "auc")
p <- as.numeric(predict(m, as.matrix(te[, ..num]), s = "lambda.min", type = "response"))
sol <- fread("/data/tabular-playground-series-may-2022/private/solution.csv")
cat("auc on solution", Metrics::auc(sol$target[match(te$id, sol$id)], p), "\n")
fwrite(data.table(id = te$id, target = p), "/home/submission/submission.csv")
