import os, sys
import pandas as pd
from dotenv import load_dotenv
from openai import OpenAI

load_dotenv()
client = OpenAI(base_url=os.environ["BASE_URL"], api_key=os.environ["XAI_KEY"], max_retries=5)
t = pd.read_csv(sys.argv[1])
t["vote"] = [client.chat.completions.create(model=os.environ["MODEL"], max_tokens=1, messages=[{"role": "user", "content": f"1 if insulting, else 0: {c}"}]).choices[0].message.content for c in t["Comment"]]
t.to_csv(sys.argv[2], index=False)
print(len(t), "rows judged")
