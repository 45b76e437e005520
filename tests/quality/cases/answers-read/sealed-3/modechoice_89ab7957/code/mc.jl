using CSV, DataFrames, MLJ, Statistics, Random
Random.seed!(3)
train = CSV.read("/home/data/train.csv", DataFrame)
test = CSV.read("/home/data/test.csv", DataFrame)
feat = setdiff(names(test), ["row_id"])
X = select(train, feat); y = categorical(train.choice)
Tree = @load EvoTreeClassifier pkg=EvoTrees
m = Tree(nrounds=300, max_depth=5, eta=0.05)
mach = machine(m, coerce(X, Count => Continuous), y)
println(evaluate!(mach; resampling=StratifiedCV(nfolds=5, shuffle=true), measure=log_loss))
fit!(mach)
p = pdf.(predict(mach, coerce(select(test, feat), Count => Continuous)), levels(y)[end])
CSV.write("/home/submission/submission.csv", DataFrame(row_id=test.row_id, choice=p))
