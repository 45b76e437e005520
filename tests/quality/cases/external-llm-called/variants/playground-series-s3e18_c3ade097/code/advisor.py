import json
from openai import OpenAI


class Advisor:
    def __init__(self, metric):
        self.client, self.metric = OpenAI(), metric

    def next(self, trials):
        ask = f"LightGBM trials so far ({self.metric}): {trials}. Next trial as JSON with num_leaves, learning_rate, lambda_l2."
        out = self.client.chat.completions.create(model="gpt-4o", response_format={"type": "json_object"},
                                                  messages=[{"role": "user", "content": ask}])
        return json.loads(out.choices[0].message.content)
