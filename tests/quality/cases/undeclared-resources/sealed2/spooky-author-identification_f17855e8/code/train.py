import sagemaker
from sagemaker.huggingface import HuggingFace

role = "arn:aws:iam::104477120199:role/agents"
estimator = HuggingFace(entry_point="fit.py", source_dir="code", role=role, instance_type="ml.p3.2xlarge", instance_count=1, transformers_version="4.36", pytorch_version="2.1", py_version="py310")
estimator.fit({"train": sagemaker.Session().upload_data("/home/data")})
print(estimator.model_data)
