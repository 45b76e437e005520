"""What a language model may be asked about logs and code, and what its answer is worth.

Pure: `questions` says what is asked, `excerpt` chooses what a model is shown, `prompts` writes the
prompt, `weighing` takes an answer and keeps what it can prove by quotes. Who asks is `audit.judge`.
This is no family and no detector: an opinion stands beside findings of detectors, never for them.
"""
