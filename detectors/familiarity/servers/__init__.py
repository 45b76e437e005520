"""Models that are not loaded here: on a server, in llama.cpp, or scored elsewhere.

==================  ============================================================================
module              holds
==================  ============================================================================
``opening.py``      `open_model`: any model by its name; `fitted`: a plan that it can keep
``client.py``       `Client`: JSON over HTTP with time-outs, back-off and a key that is not shown
``interfaces.py``   `INTERFACES`: the ways in which vLLM, SGLang, TGI and OpenAI return numbers
``pieces.py``       `lay`: decoded tokens laid on the characters of the prompt
``alignment.py``    `self_test`: whether a server's numbers belong to its tokens
``probing.py``      `open_server`: which interface a server has, or why it has none
``asked_text.py``   `scores_of`: a text asked window by window
``server_model.py`` `ServerModel`: the `Backend`
``fingerprints.py`` `weights_of`: servers told apart by what they answer
``chat.py``         `asking_server`: answers of a model on a server, for what only samples
``llama_cpp.py``    `LlamaCppModel`: a GGUF file in the package llama-cpp-python
``stored.py``       `StoredScores`, `write_logprobs`: scores in a JSON-lines file
==================  ============================================================================
"""
