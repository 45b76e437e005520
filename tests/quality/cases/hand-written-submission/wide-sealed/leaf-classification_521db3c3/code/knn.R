train <- read.csv('/home/agent/data/train.csv'); test <- read.csv('/home/agent/data/test.csv')
feats <- setdiff(names(test), 'id')
m <- scale(rbind(train[feats], test[feats]))
X <- m[seq_len(nrow(train)), ]; Z <- m[-seq_len(nrow(train)), ]
loo <- sapply(seq_len(nrow(X)), function(i) { d <- colSums((t(X) - X[i, ])^2); d[i] <- Inf; train$species[which.min(d)] })
cat('leave-one-out accuracy', round(mean(loo == train$species), 4), '\n')
near <- apply(Z, 1, function(z) which.min(colSums((t(X) - z)^2)))
write.csv(data.frame(id = test$id, species = train$species[near]), 'submission.csv', row.names = FALSE)
