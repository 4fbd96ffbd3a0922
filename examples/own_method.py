"""A method of one's own for table placement, to be compared with the optimum: the instance comes as JSON on standard input,
the decision goes as JSON to standard output. docs/studies.md says what each holds.

    shardproof compare instances/paper/autoshard-0.yaml --method-file '{command: python3 examples/own_method.py}'
"""

import json
import sys

problem = json.load(sys.stdin)["problem"]
costs = [0.0] * len(problem["hbmBytes"])
room = list(problem["hbmBytes"])
shards = [table["options"][0]["shards"][0] for table in problem["tables"]]
places = [0] * len(shards)
# Longest processing time first: the table that costs most, on the device that costs least and has room for it.
for table in sorted(range(len(shards)), key=lambda table: -shards[table]["cost"]):
    having = [device for device in range(len(costs)) if room[device] >= shards[table]["hbmBytes"]]
    device = min(having, key=lambda device: costs[device], default=0)
    places[table] = device
    costs[device] += shards[table]["cost"]
    room[device] -= shards[table]["hbmBytes"]
json.dump(places, sys.stdout)
