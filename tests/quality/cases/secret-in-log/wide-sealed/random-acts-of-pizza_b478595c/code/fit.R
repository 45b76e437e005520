readRenviron('.Renviron')
train <- read.csv('/home/data/train.csv'); test <- read.csv('/home/data/test.csv')
num <- names(which(sapply(test, is.numeric)))
y <- setdiff(names(train), names(test))[1]
m <- ranger::ranger(x = train[num], y = as.numeric(train[[y]]), num.trees = 500)
print(paste('cv rmse', round(sqrt(m$prediction.error), 4)))
write.csv(setNames(data.frame(test[[1]], predict(m, test[num])$predictions), c(names(test)[1], y)), '/workspace/submission.csv', row.names = FALSE)
