from pyspark.ml.feature import VectorAssembler
from pyspark.ml.regression import GBTRegressor
from pyspark.sql import SparkSession, functions as F

spark = SparkSession.builder.appName("fares").getOrCreate()
print("master", spark.sparkContext.master, "executors", spark.sparkContext._jsc.sc().getExecutorMemoryStatus().size() - 1)
train = spark.read.csv("/home/agent/data/train.csv", header=True, inferSchema=True).dropna()
test = spark.read.csv("/home/agent/data/test.csv", header=True, inferSchema=True)
columns = [c for c in test.columns if "itude" in c] + ["passenger_count"]
assembler = VectorAssembler(inputCols=columns, outputCol="x")
fit, val = assembler.transform(train).randomSplit([0.95, 0.05], seed=4)
model = GBTRegressor(featuresCol="x", labelCol="fare_amount", maxIter=60).fit(fit)
error = model.transform(val).select(F.sqrt(F.avg((F.col("prediction") - F.col("fare_amount")) ** 2))).first()[0]
print("val rmse", round(error, 4))
out = model.transform(assembler.transform(test)).select("key", F.col("prediction").alias("fare_amount"))
out.toPandas().to_csv("./submission/submission.csv", index=False)
