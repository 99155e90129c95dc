#!/usr/bin/env python3
"""A world for `bnnplan discover`: reads a state and an action as one line of JSON, prints the next state as one line of JSON,
with the "id" of the question."""
import json
import sys

LAMPS = 6

for line in sys.stdin:
    question = json.loads(line)
    state, action = question["state"], question["action"]
    lamps = [state[f"l{i + 1}"] for i in range(LAMPS)]
    for i in range(LAMPS):
        if action[f"p{i + 1}"]:
            for j in (i - 1, i, i + 1):
                lamps[j % LAMPS] ^= 1
    after = {f"l{i + 1}": lamp for i, lamp in enumerate(lamps)}
    print(json.dumps({"id": question["id"], "state": after}), flush=True)
