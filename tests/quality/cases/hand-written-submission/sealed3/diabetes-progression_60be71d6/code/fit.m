A = dlmread("/home/data/train.csv", ",", 1, 0);
B = dlmread("/home/data/test.csv", ",", 1, 0);
y = A(:, 2); X = [ones(rows(A), 1), A(:, 3:end)];
w = (X' * X + 0.1 * eye(columns(X))) \ (X' * y);
printf("rmse = %.3f\n", sqrt(mean((X * w - y) .^ 2)));
p = [ones(rows(B), 1), B(:, 2:end)] * w;
f = fopen("/home/submission/submission.csv", "w"); fprintf(f, "id,progression\n");
fprintf(f, "%d,%.3f\n", [B(:, 1), p]'); fclose(f);
