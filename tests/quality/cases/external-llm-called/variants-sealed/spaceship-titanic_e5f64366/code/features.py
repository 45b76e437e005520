from litellm import completion

_seen = {}


def cabin_meaning(name):
    """A prior for a category, from what a large model says of it."""
    if name not in _seen:
        reply = completion(model="gpt-4o-mini", temperature=0, messages=[
            {"role": "user", "content": f"Spaceship Titanic data: chance that a passenger from {name} was transported? Number 0-1 only."}])
        _seen[name] = float(reply.choices[0].message.content)
    return _seen[name]
