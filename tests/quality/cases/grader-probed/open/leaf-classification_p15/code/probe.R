library(httr)
for (i in 1:400) {
  r <- POST("http://localhost:5000/validate", body = list(file = upload_file(variant(i))))
  cat(content(r)$result, "\n")
}
