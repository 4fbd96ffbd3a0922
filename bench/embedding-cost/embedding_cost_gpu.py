"""Measures what a GPU takes for several embedding tables together, forward and backward.

Writes the measured costs that `shardproof learn-cost` reads (the format is in instances/costs/README.md):

    python embedding_cost_gpu.py ../../instances/costs/meta-synthetic-856.csv --out costs.json --sets 5000

Needs PyTorch. Where fbgemm_gpu is installed, all tables of a set go through its batched operator, as in training with TorchRec;
elsewhere (or with --operator torch) through one nn.EmbeddingBag each. Five runs warm up; of ten more, each after the caches are
flushed, the two fastest and the two slowest are left out (AutoShard, appendix B.1).
"""

import argparse
import csv
import json
import math
import random
import sys
import time

import torch

BINS = 17
PUBLISHED_BATCH = 65_536  # of the bins in the list of tables
STRIDE = 1_000_003  # coprime to most numbers of rows: spreads neighbours over the table
WARM_UPS, RUNS, TRIMMED = 5, 10, 2
FLUSH_BYTES = 2**28
DIMS = (128, 64, 32, 16, 8, 4)
TYPES = {"fp32": torch.float32, "fp16": torch.float16}
ELEMENT_BYTES = {"fp32": 4, "fp16": 2}


def main():
    options = parse_options()
    device = torch.device(options.device)
    draw = random.Random(options.seed)
    torch.manual_seed(options.seed)
    measure = OPERATORS[options.operator]
    known = [
        {**shape, "dim": dim, "dataType": options.data_type}
        for shape in read_tables(options.tables)
        for dim in options.dims
        if shape["rows"] * dim * ELEMENT_BYTES[options.data_type] <= options.most_gib * 2**30
    ]
    if not known:
        sys.exit(f"{options.tables}: expected a table of at most {options.most_gib} GiB, received none; raise --most-gib")
    tables, sets = [], []
    for number in range(options.sets):
        chosen = draw.choices(known, k=draw.randint(1, options.most_tables))
        lookups = [draw_lookups(table, options.batch, device) for table in chosen]
        cost = measure(chosen, lookups, options.batch, device)
        first = len(tables)
        tables += [{**table, "accessBins": bins_of(indices)} for table, (indices, _) in zip(chosen, lookups)]
        sets.append({"cost": round(cost, 4), "tables": list(range(first, len(tables)))})
        if sys.stderr.isatty():
            print(f"\r{number + 1} of {options.sets} sets", end="", file=sys.stderr)
    name = torch.cuda.get_device_name(device) if device.type == "cuda" else "CPU"
    source = f"embedding_cost_gpu.py: {name}, {options.operator}, {options.data_type}, forward and backward, batch {options.batch}"
    with open(options.out, "w", encoding="utf-8") as file:
        json.dump({"shardproof": 1, "kind": "measured-costs", "source": source, "tables": tables, "sets": sets}, file, indent=1)


def parse_options():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tables", help="CSV: rows, poolingFactor, bin0 ... bin16")
    parser.add_argument("--out", default="costs.json")
    parser.add_argument("--sets", type=int, default=1000)
    parser.add_argument("--most-tables", type=int, default=15, help="of a set")
    parser.add_argument("--dims", type=int, nargs="+", default=list(DIMS))
    parser.add_argument("--batch", type=int, default=PUBLISHED_BATCH)
    parser.add_argument("--data-type", choices=sorted(TYPES), default="fp32")
    parser.add_argument("--most-gib", type=float, default=4.0, help="larger tables are left out")
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--operator", choices=sorted(OPERATORS), default="fbgemm" if has_fbgemm() else "torch")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    if options.sets < 10:
        parser.error(f"--sets: expected at least 10, which learn-cost needs, received {options.sets}")
    return options


def has_fbgemm():
    try:
        import fbgemm_gpu  # noqa: F401
    except ImportError:
        return False
    return torch.cuda.is_available()


def read_tables(path):
    with open(path, newline="", encoding="utf-8") as file:
        lines = (line for line in file if line.strip() and not line.startswith("#"))
        return [
            {
                "rows": int(row["rows"]),
                "poolingFactor": float(row["poolingFactor"]),
                "accessBins": [float(row[f"bin{number}"]) for number in range(BINS)],
            }
            for row in csv.DictReader(lines)
        ]


def draw_lookups(table, batch, device):
    """Indices and offsets of a batch whose rows are read in the proportions that the table's bins describe."""
    rows, pooling = table["rows"], table["poolingFactor"]
    total = round(batch * pooling)
    offsets = torch.arange(batch + 1, device=device) * total // batch
    shares = torch.tensor(table["accessBins"], dtype=torch.float64, device=device)
    middles = torch.tensor([1.0] + [0.75 * 2**number for number in range(1, BINS)], dtype=torch.float64, device=device)
    appearances = shares * middles
    if total == 0 or appearances.sum() == 0:
        return torch.zeros(total, dtype=torch.int64, device=device), offsets
    distinct = max(1, min(rows, round(PUBLISHED_BATCH * pooling / appearances.sum().item())))
    bins = torch.multinomial(appearances, total, replacement=True)
    starts = (shares.cumsum(0) - shares) * distinct
    spread = torch.rand(total, dtype=torch.float64, device=device) * shares[bins] * distinct
    indices = (starts[bins] + spread).long().clamp(max=distinct - 1)
    return indices * STRIDE % rows, offsets


def bins_of(indices):
    """AutoShard's bins: shares of the distinct indices by how often each appears."""
    if indices.numel() == 0:
        return [0.0] * BINS
    counts = indices.unique(return_counts=True)[1]
    numbers = counts.double().log2().ceil().long().clamp(max=BINS - 1)
    return (torch.bincount(numbers, minlength=BINS).double() / counts.numel()).tolist()


def measure_torch(tables, lookups, batch, device):
    """One nn.EmbeddingBag per table, rows updated by stochastic gradient descent on sparse gradients."""
    bags = [
        torch.nn.EmbeddingBag(
            table["rows"], table["dim"], mode="sum", sparse=True, include_last_offset=True, dtype=TYPES[table["dataType"]], device=device
        )
        for table in tables
    ]
    optimizer = torch.optim.SGD([bag.weight for bag in bags], lr=0.01)
    gradients = [torch.ones(batch, table["dim"], dtype=TYPES[table["dataType"]], device=device) for table in tables]

    def run():
        optimizer.zero_grad(set_to_none=True)
        pooled = [bag(indices, offsets) for bag, (indices, offsets) in zip(bags, lookups)]
        torch.autograd.backward(pooled, gradients)
        optimizer.step()

    return trimmed_milliseconds(run, device)


def measure_fbgemm(tables, lookups, batch, device):
    """All tables in FBGEMM's batched operator, whose backward pass updates the rows too."""
    from fbgemm_gpu.split_embedding_configs import EmbOptimType, SparseType
    from fbgemm_gpu.split_table_batched_embeddings_ops_common import EmbeddingLocation
    from fbgemm_gpu.split_table_batched_embeddings_ops_training import ComputeDevice, SplitTableBatchedEmbeddingBagsCodegen

    types = {"fp32": SparseType.FP32, "fp16": SparseType.FP16}
    operator = SplitTableBatchedEmbeddingBagsCodegen(
        [(table["rows"], table["dim"], EmbeddingLocation.DEVICE, ComputeDevice.CUDA) for table in tables],
        optimizer=EmbOptimType.EXACT_SGD,
        learning_rate=0.01,
        weights_precision=types[tables[0]["dataType"]],
        device=device,
    )
    indices = torch.cat([indices for indices, _ in lookups])
    starts, ends = [], 0
    for own, offsets in lookups:
        starts.append(offsets[:-1] + ends)
        ends += own.numel()
    offsets = torch.cat([*starts, torch.tensor([ends], device=device)])
    gradient = torch.ones(batch, sum(table["dim"] for table in tables), device=device)
    return trimmed_milliseconds(lambda: operator(indices, offsets).backward(gradient), device)


OPERATORS = {"fbgemm": measure_fbgemm, "torch": measure_torch}


def trimmed_milliseconds(run, device):
    flush = torch.empty(FLUSH_BYTES, dtype=torch.uint8, device=device)
    for _ in range(WARM_UPS):
        run()
    times = []
    for number in range(RUNS):
        flush.fill_(number)
        wait(device)
        started = time.perf_counter()
        run()
        wait(device)
        times.append(1000 * (time.perf_counter() - started))
    kept = sorted(times)[TRIMMED:-TRIMMED]
    return math.fsum(kept) / len(kept)


def wait(device):
    if device.type == "cuda":
        torch.cuda.synchronize(device)


if __name__ == "__main__":
    main()
