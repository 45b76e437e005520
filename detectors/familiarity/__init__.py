"""How well a model already knows a task.

A text's score is made in three steps that know nothing of one another: a backend gives numbers
for every token, they are stored, and metrics are pure functions of what is stored::

    backend = open_model("builtin:smollm2", ...)               servers/opening.py
    scores = score_texts(backend, texts, Plan(), cache=...)    scoring.py -> list[TokenScores]
    values = measure(scores[0], reference=others[0])           metrics.py -> dict of floats

===============  ===============================================================================
module           holds
===============  ===============================================================================
``texts.py``     `Text` (name, content, sha256), `read_text`; refuses what is empty, binary or long
``backend.py``   `Backend`: the protocol a model or server is asked through; `Identity` (what is
                 part of the cache key), `Plan` (window, stride), `Progress`
``tokens.py``    `TokenScores`: per token log-probability, mean, deviation, rank, characters; NaN
                 where a backend cannot say; ``.npz`` in and out
``cache.py``     `ScoreCache`, `default_cache`
``windows.py``   how a text's tokens are cut into windows, and windows put into batches
``scoring.py``   `score_texts`: any backend, through the cache, with progress; can be resumed
``head.py``      logits of a few positions at a time, and their statistics
``local_model.py``  `load_model` of a folder, hub name, GGUF file or ``builtin:smollm2``
``model_files.py``  sizes, fingerprints and memory, before anything is loaded
``gguf_file.py`` GGUF files converted once to safetensors; ``builtin.py`` fetches the built-in one
``hub.py``       models by their hub name
``servers/``     `open_model`: any model by its name, on a server, in llama.cpp or scored elsewhere
``documents.py`` what belongs to a task: posts, write-ups, programs; which controls are of its kind
``task_measure.py``  `measure_task`: a task's documents as one measure, beside draws of controls
``metrics.py``   `METRICS`, `measure`, `measure_documents`: paired t, Min-K++ and the others
``conformal.py`` `conformal_p`, `p_floor`, `auc`
``recognition.py``  names, completions and choices that a model is asked for; ``sampling.py``
``choice.py``    published passages among paraphrases (``paraphrases.py``), beside controls
``performance.py``  whether what is known goes with grades; ``repeats.py``: reliability, pairs
``data_*.py``    tables: rows as they are written, `Fresh` ones like them, orders, what scores say
``twins.py``     `selftest`: the positive control; ``twin_texts.py``, ``twin_training.py``
===============  ===============================================================================

``torch`` and ``transformers`` (extra ``familiarity``) are imported inside functions only.
"""
