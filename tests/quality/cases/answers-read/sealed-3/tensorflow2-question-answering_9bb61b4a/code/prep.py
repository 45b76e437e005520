import json, random
with open("/home/data/simplified-nq-train.jsonl") as f, open("feats.jsonl", "w") as g:
    for line in f:
        r = json.loads(line); a = r["annotations"][0]
        toks = r["document_text"].split(); la = a["long_answer"]
        cand = [c for c in r["long_answer_candidates"] if c["top_level"]]
        neg = random.choice(cand) if cand else None
        if la["candidate_index"] >= 0:
            g.write(json.dumps({"q": r["question_text"], "p": toks[la["start_token"]:la["end_token"]], "gold": a["short_answers"][:1], "label": 1}) + "\n")
        if neg:
            g.write(json.dumps({"q": r["question_text"], "p": toks[neg["start_token"]:neg["end_token"]], "gold": [], "label": 0}) + "\n")
