from google.cloud import aiplatform as vx

SPEC = {'machine_type': 'a2-highgpu-1g', 'accelerator_type': 'NVIDIA_TESLA_A100', 'accelerator_count': 1}


def run(script):
    job = vx.CustomJob.from_local_script('fit', script, container_uri='us-docker.pkg.dev/vertex-ai/training/pytorch-gpu.2-3:latest', **SPEC)
    job.run(sync=True)
    return job.state
