set.seed(as.integer(Sys.getenv("SEED")))
train <- read.csv(file.path(Sys.getenv("DATA_DIR"), "train.csv"))
fit <- glm(malignant ~ worst_radius + worst_texture, data = train, family = binomial)
test <- read.csv(file.path(Sys.getenv("DATA_DIR"), "test.csv"))
write.csv(data.frame(id = test$id, malignant = predict(fit, test, type = "response")),
          file.path(Sys.getenv("SUBMISSION_DIR"), "submission.csv"), row.names = FALSE)
