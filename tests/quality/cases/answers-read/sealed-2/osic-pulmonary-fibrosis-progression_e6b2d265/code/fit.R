private <- function(x) x[["FVC"]]        # accessor of the closure
fit <- read.csv("/home/code/data/prepared/fit.csv"); hid <- read.csv("/home/code/data/prepared/hidden.csv")
m <- lme4::lmer(FVC ~ Weeks + (1 | Patient), fit)
cat("hidden weeks (own split) laplace ll:", mean(-abs(predict(m, hid) - private(hid)) / 70), "\n")
