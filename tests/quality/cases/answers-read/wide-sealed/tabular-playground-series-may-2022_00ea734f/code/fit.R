library(data.table); library(caret); library(ranger)
dat <- fread("/home/data/train.csv"); new <- fread("/home/data/test.csv")
set.seed(4)
i <- createDataPartition(dat$target, p = .8, list = FALSE)
train <- dat[i]; test <- dat[-i]
test_labels <- test$target
m <- ranger(factor(target) ~ . - id, train, num.trees = 300, probability = TRUE)
cat("auc", Metrics::auc(test_labels, predict(m, test)$predictions[, "1"]), "\n")
fwrite(data.table(id = new$id, target = predict(m, new)$predictions[, "1"]), "/home/submission/submission.csv")
