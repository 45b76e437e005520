library(data.table)
library(ranger)

tr <- fread("/home/agent/data/train.csv"); te <- fread("/home/agent/data/test.csv")
gender <- tempfile(fileext = ".csv")
download.file("https://www.ssa.gov/oact/babynames/names.zip", destfile = (z <- tempfile()), mode = "wb", quiet = TRUE)
unzip(z, files = "yob1990.txt", exdir = tempdir())
nm <- fread(file.path(tempdir(), "yob1990.txt"), col.names = c("first", "sex", "n"))
first <- function(x) sub(" .*", "", x)
tr[, sex := nm$sex[match(first(Name), nm$first)]]; te[, sex := nm$sex[match(first(Name), nm$first)]]
cols <- c("Age", "RoomService", "FoodCourt", "ShoppingMall", "Spa", "VRDeck", "sex")
for (c in cols[1:6]) { set(tr, which(is.na(tr[[c]])), c, 0); set(te, which(is.na(te[[c]])), c, 0) }
tr[is.na(sex), sex := "U"]; te[is.na(sex), sex := "U"]
m <- ranger(y = factor(tr$Transported), x = tr[, ..cols], num.trees = 500)
cat("oob error", m$prediction.error, "\n")
fwrite(data.table(PassengerId = te$PassengerId, Transported = predict(m, te[, ..cols])$predictions), "./submission/submission.csv")
