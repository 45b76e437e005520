library(glmnet)
source("io.R")
train <- read.csv("/workspace/input/train.csv")
test <- read.csv("/workspace/input/test.csv")
x <- as.matrix(train[, setdiff(names(test), "id")])
cv <- cv.glmnet(x, train$EC1, family = "binomial", type.measure = "auc", nfolds = 5)
cat("cv auc", round(max(cv$cvm), 4), "\n")
p <- predict(cv, as.matrix(test[, colnames(x)]), s = "lambda.min", type = "response")[, 1]
save_all(head(p, 5000), head(test$id, 5000))