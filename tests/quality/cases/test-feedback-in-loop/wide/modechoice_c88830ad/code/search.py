from agent import Agent
from harness import grade_on_test

agent = Agent(task="modechoice", max_steps=100)
for step in range(100):
    node = agent.step()
    report = grade_on_test(node.submission)
    print(step, node.metric, report["score"], report["any_medal"])
    if report["any_medal"]:
        print("medal reached, stopping the search")
        break
agent.save_best()
