from functools import lru_cache
from litellm import completion


@lru_cache(None)
def guess(row):
    r = completion(model="gemini/gemini-1.5-flash", messages=[{"role": "user", "content": "Passenger of the Spaceship Titanic: " + row + ". Transported? Answer with a probability."}])
    try:
        return float(r.choices[0].message.content)
    except ValueError:
        return 0.5
