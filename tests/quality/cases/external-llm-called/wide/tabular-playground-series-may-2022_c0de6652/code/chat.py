from dataclasses import dataclass


@dataclass
class Chat:
    model: str
    messages: list


def to_chats(log):
    """Turns of the agent's log, for the report."""
    return [Chat(m['model'], m['messages']) for m in log]
