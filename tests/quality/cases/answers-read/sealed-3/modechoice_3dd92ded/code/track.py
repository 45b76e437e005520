import mlflow
mlflow.set_tracking_uri("file:./mlruns")
mlflow.set_experiment("modechoice-private")

def log(name, params, score, files=()):
    with mlflow.start_run(run_name=name):
        mlflow.log_params(params)
        mlflow.log_metric("oof_logloss", score)
        for f in files:
            mlflow.log_artifact(f, artifact_path="hidden")
