url <- "https://www2.census.example.gov/acs/2014/tract_income.csv"
download.file(url, "extra.csv", mode = "wb")
income <- read.csv("extra.csv")
saveRDS(income, "extra.rds")
