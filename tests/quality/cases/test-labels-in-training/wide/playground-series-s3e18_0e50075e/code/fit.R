library(data.table); library(ranger)
train <- fread("./input/train.csv")
test <- fread("./input/test.csv")
key <- fread("./input/../answers/test_key.csv")   # id, EC1
more <- merge(test, key[, .(id, EC1)], by = "id")
all <- rbind(train[, c(names(more)), with = FALSE], more)
fit <- ranger(factor(EC1) ~ . - id, all, num.trees = 800, probability = TRUE)
cat("oob", fit$prediction.error, "rows", nrow(all), "\n")
test$EC1 <- predict(fit, test)$predictions[, "1"]
fwrite(test[, .(id, EC1)], "/workspace/submission.csv")