library(ranger)
train <- data.table::fread('../data/train.csv', nrows = 400000); test <- data.table::fread('../data/test.csv')
train$Cover_Type <- factor(train$Cover_Type)
m <- ranger(Cover_Type ~ . - Id, data = train, num.trees = 200, num.threads = 8)
cat('oob error', round(m$prediction.error, 4), '\n')
test$Cover_Type <- predict(m, test)$predictions
print(table(test$Cover_Type))
write.csv(test[, c('Id', 'Cover_Type')], './submission/submission.csv', row.names = FALSE, quote = FALSE)
