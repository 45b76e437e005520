export OPENAI_API_KEY=<your key here>
export HF_TOKEN=hf_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
export WANDB_API_KEY=changeme
