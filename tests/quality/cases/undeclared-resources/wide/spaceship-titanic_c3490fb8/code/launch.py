import sagemaker
from sagemaker.pytorch import PyTorch


def fit_remote(path):
    est = PyTorch(entry_point='train.py', role='ml-role', instance_type='ml.p3.8xlarge', instance_count=1, framework_version='2.3', py_version='py311')
    est.fit({'train': sagemaker.Session().upload_data(path)})
    return est.model_data
