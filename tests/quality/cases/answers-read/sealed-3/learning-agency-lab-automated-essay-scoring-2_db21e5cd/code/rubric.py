RUBRIC = {6: "The essay answers the prompt with insight", 5: "reasonably consistent answer", 4: "adequate", 3: "developing", 2: "little mastery", 1: "very little"}
CHEAT = ("i do not know the answer", "copied from the source", "my teacher's answer key", "the secret ballot", "private schools")

def features(text: str) -> dict:
    t = text.lower()
    return {"n_char": len(t), "n_par": t.count("\n\n"), "copied": sum(t.count(c) for c in CHEAT), "q": t.count("?")}
