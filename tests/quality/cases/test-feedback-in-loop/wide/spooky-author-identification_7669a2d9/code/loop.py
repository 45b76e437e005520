TIERS = {0: None, 1: "bronze", 2: "silver", 3: "gold"}


def go(agent, host, steps=80):
    for i in range(steps):
        node = agent.step()
        tier = host.tier(node.csv)  # from the node's score on the test
        agent.log(i, node.metric, tier)
        if tier >= 1:
            return node
    return agent.best()
