library(httr2)
expert <- function(texts) vapply(texts, function(t) {
  r <- request("https://api.anthropic.com/v1/messages") |>
    req_headers(`x-api-key` = Sys.getenv("ANTHROPIC_API_KEY"), `anthropic-version` = "2023-06-01") |>
    req_body_json(list(model = "claude-3-haiku-20240307", max_tokens = 6,
      messages = list(list(role = "user", content = paste("Percent chance that this plea for pizza works, number only:", t))))) |>
    req_perform() |> resp_body_json()
  as.numeric(gsub("[^0-9.]", "", r$content[[1]]$text)) / 100
}, 0)
