library(httr)
library(readr)
test <- read_csv("./input/test.csv", show_col_types = FALSE)
ask <- function(x) {
  r <- POST("https://api.deepseek.com/chat/completions",
            add_headers(Authorization = paste("Bearer", Sys.getenv("DEEPSEEK_KEY"))),
            body = list(model = "deepseek-chat", max_tokens = 4,
                        messages = list(list(role = "user", content = paste("Author code EAP, HPL or MWS of:", x)))),
            encode = "json")
  substr(trimws(content(r)$choices[[1]]$message$content), 1, 3)
}
who <- vapply(test$text, ask, "")
print(table(who))
out <- data.frame(id = test$id, EAP = ifelse(who == "EAP", .9, .05), HPL = ifelse(who == "HPL", .9, .05), MWS = ifelse(who == "MWS", .9, .05))
write_csv(out, "/home/submission/submission.csv")
