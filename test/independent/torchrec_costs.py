"""
TorchRec's planner (1.9.0a0, BSD-3) in short: training on CUDA, mean pooling, defaults of its topology. Milliseconds from
estimator.py's formulas, bytes from the storage estimator's.
"""

from fractions import Fraction
from math import ceil

from_gib = 2**30 / 1000
INTRA, INTER, HBM, H2D = 600 * from_gib, 12.5 * from_gib, 897 * from_gib, 32 * from_gib
# A collection that is not quantised holds all but FP32 as FP16.
ELEMENT = {"fp32": 4, "FP32": 4, "fp16": 2, "FP16": 2, "bf16": 2, "BF16": 2, "int8": 2, "INT8": 2, "fp8": 2}
TYPES = ["data_parallel", "table_wise", "column_wise", "table_column_wise", "row_wise", "table_row_wise"]
KERNELS = ["fused", "fused_uvm", "fused_uvm_caching"]
RULES = {
    "data_parallel": "uniform",
    "row_wise": "uniform",
    "table_wise": "device",
    "column_wise": "device",
    "table_column_wise": "host",
    "table_row_wise": "host",
    "grid_shard": "multi_host",
}

# Numbers that an optimizer keeps for each weight: none, or one for a row.
STATE = {None: lambda dim: 0, "RowWiseAdagrad": lambda dim: 1 / dim}


def torchrec_options(instance):
    settings, cluster = instance.get("torchrec", {}), instance["cluster"]
    unknown = set(settings) - {"batch_size"}
    if unknown:
        raise NotImplementedError(f"TorchRec settings {unknown}")
    world, local = cluster["nodes"] * cluster["gpusPerNode"], cluster["gpusPerNode"]
    batch = settings.get("batch_size", 512)
    return [with_choices(table, instance, batch, world, local) for table in instance["tables"]]


def with_choices(table, instance, batch, world, local):
    """The options of a table, with sizes of caches and hot rows on every device where the instance lets them be chosen."""
    plain = {key: value for key, value in table.items() if key != "access"}
    hot, caches = instance.get("splits", {}).get("hotRows"), instance.get("caches")
    if "access" not in table or (hot is None and caches is None):
        return options_of(plain, batch, world, local)
    bins = sorted(table["access"]["histogram"], key=lambda one: -one[1])
    found = sized(plain, bins, caches, batch, world, local)
    for rows, share in corners(bins) if hot is not None else []:
        copy = [one for one in options_of(part(plain, rows, share, ["data_parallel"]), batch, world, local)][0]
        taken, rest = rows, []
        for count, each in bins:
            rest.append((count - min(count, taken), each))
            taken -= min(count, taken)
        rest = [one for one in rest if one[0] > 0]
        for option in sized(part(plain, sum(n for n, _ in bins) - rows, 1 - share), rest, caches, batch, world, local):
            if option[0] != "data_parallel":
                found.append((*option[:3], option[3] + copy[3], rows, option[5] if len(option) > 5 else None))
    return found


def part(table, rows, share, kinds=None):
    lengths = [length * share for length in table.get("pooling_factors") or [table.get("poolingFactor", 1)]]
    kept = {key: value for key, value in table.items() if key not in ("num_embeddings", "poolingFactor")}
    return {**kept, "rows": rows, "pooling_factors": lengths, **({"sharding_types": kinds} if kinds else {})}


def corners(bins):
    """Where the access curve bends, with the share of accesses up to there; bins are few enough that all are options."""
    total, found, rows, taken = sum(n * p for n, p in bins), [], 0, 0.0
    for k, (n, p) in enumerate(bins[:-1]):
        rows, taken = rows + n, taken + n * p
        if p > 0:
            found.append((rows, 1.0 if bins[k + 1][1] == 0 else taken / total))
    return found


def sized(table, bins, caches, batch, world, local):
    if caches is None:
        return options_of(table, batch, world, local)
    rows, total = sum(n for n, _ in bins), sum(n * p for n, p in bins)
    accesses = sum(length * batch for length in table.get("pooling_factors") or [table.get("poolingFactor", 1)]) * world

    def distinct(first):
        if total == 0:
            return 0.0
        read, at = 0.0, 0
        for n, p in bins:
            read += max(0, n - max(0, first - at)) * (1 - (1 - p / total) ** accesses)
            at += n
        return read

    loads = caches["loadFactors"] if isinstance(caches, dict) and "loadFactors" in caches else [0.2] + [n / rows for n, _ in corners(bins)]
    found = []
    for load in dict.fromkeys(loads):
        for option in options_of(table, batch, world, local, load, distinct(int(load * rows))):
            if option[1] == "fused_uvm_caching":
                found.append((*option, None, load))
    return [one for one in options_of(table, batch, world, local) if one[1] != "fused_uvm_caching"] + found


def options_of(table, batch, world, local, load=0.2, fetched=0.0):
    rows = table.get("rows", table.get("num_embeddings"))
    dim = table.get("dim", table.get("embedding_dim"))
    element = ELEMENT[table.get("dataType", table.get("dtype", "fp32"))]
    lengths = table.get("pooling_factors") or [table.get("poolingFactor", 1)]
    if "num_features" in table and "pooling_factors" not in table:
        lengths = [1] * table["num_features"]
    for key in table:
        if key not in {"name", "rows", "num_embeddings", "dim", "embedding_dim", "dataType", "dtype", "pooling_factors",
                       "poolingFactor", "num_features", "optimizer", "sharding_types", "compute_kernels", "devices", "accessBins"}:
            raise NotImplementedError(f"TorchRec table key {key}")
    state = STATE[table.get("optimizer")](dim)
    kinds = [kind for kind in TYPES + ["grid_shard"] if kind in table.get("sharding_types", TYPES)]
    kernels = table.get("compute_kernels", KERNELS)
    found = []
    for kind in kinds:
        for kernel in ["dense"] if kind == "data_parallel" else [k for k in KERNELS if k in kernels]:
            shapes = shard_shapes(kind, rows, dim, world, local)
            shards = [
                estimate(kind, kernel, shape, rows, dim, element, lengths, batch, world, local, state, load, fetched)
                for shape in shapes
            ]
            found.append((kind, kernel, RULES[kind], shards))
    return found


def shard_shapes(kind, rows, dim, world, local):
    if kind == "data_parallel":
        return [(rows, dim)] * world
    if kind == "table_wise":
        return [(rows, dim)]
    if kind == "row_wise":
        return [(part, dim) for part in row_parts(rows, world)]
    if kind == "table_row_wise":
        return [(part, dim) for part in row_parts(rows, local)]
    width = next((w for w in range(min(128, dim), dim) if dim % w == 0 and w % 4 == 0), dim)
    if kind == "grid_shard":
        return [(part, width) for _ in range(dim // width) for part in row_parts(rows, local)]
    return [(rows, width)] * (dim // width)


def row_parts(rows, ranks):
    block = ceil(rows / ranks)
    full = rows // block
    return [block if k < full else rows - block * full if k == full else 0 for k in range(ranks)]


def estimate(kind, kernel, shape, rows, dim, element, lengths, batch, world, local, state, load, fetched):
    height, width = shape
    inputs = sum(length * batch for length in lengths)
    outputs = sum(min(1, length) * batch for length in lengths)
    phases = perf(kind, kernel, height, width, element, inputs, outputs, world, local, load)
    if kernel == "fused_uvm_caching":
        divided = {"row_wise": world, "table_row_wise": local, "grid_shard": local}.get(kind, 1)
        phases[4] = fetched / divided * width * element / H2D
    hbm, host = storage(kind, kernel, height, width, rows, dim, element, inputs, outputs, world, local, state, load)
    return (Fraction(sum_in_order(phases)), hbm, host, 0, tuple(Fraction(each) for each in phases))


def sum_in_order(values):
    total = 0.0
    for each in values:
        total += each
    return total


def perf(kind, kernel, height, width, element, inputs, outputs, world, local, load):
    hosts = max(1, world // local)
    bandwidth = {"dense": HBM / 2, "fused": HBM, "fused_uvm": H2D / 10, "fused_uvm_caching": (load * HBM + (1 - load) * H2D) / 10}[kernel]
    spread = world if kind == "row_wise" else local if kind in ("table_row_wise", "grid_shard") else 1
    ranks = 1 if kind == "data_parallel" else world
    whole = kind in ("table_wise", "column_wise", "table_column_wise")
    ids = ceil(inputs / spread * ranks * 8)
    looked_up = inputs / spread * ranks * (max(width, 32) if whole else width) * element
    sent = outputs * ranks * width * element
    penalty = (1.15 if 64 <= width < 128 else 1.75 if width < 64 else 1) if whole else 1
    forward = (ids + looked_up + sent) * penalty / bandwidth
    backward = forward * 2

    def link(size, inside):
        return INTRA if size <= inside else INTER

    if kind == "data_parallel":
        size = height * width * element
        groups = min(world / local, 2)
        reduce_ = size * (2 * groups - 1) / groups / (INTER * local)
        if world > 2 * local:
            reduce_ *= 2
        return [forward, backward, 0.0, reduce_ + size * 9.22 / bandwidth, 0.0]
    if whole:
        comms = sent / link(world, local)
        return [forward, backward, comms, comms, 0.0]
    if kind == "row_wise":
        comms = sent / link(world, local)
        return [forward, backward, comms, comms + sent * 2.455 / bandwidth, 0.0]
    inside = sent / link(local, local)
    across = outputs * hosts * width * element / link(hosts, 1) if hosts > 1 else 0.0
    return [forward, backward, inside + across, across + inside + sent * 2.455 / bandwidth, 0.0]


def storage(kind, kernel, height, width, rows, dim, element, inputs, outputs, world, local, state, share_cached):
    size = rows * dim * element
    on_host = kernel in ("fused_uvm", "fused_uvm_caching")
    hbm, host = (0, size) if on_host else (size, 0)
    load = None
    if kernel == "fused_uvm_caching":
        load = share_cached
        hbm = round(host * load)

    def share(of_table, cached):
        own = of_table if kind == "data_parallel" else ceil(of_table * (height * width / (rows * dim)))
        return own + ceil(own * state) + (ceil(height * (4 + 16 * cached)) if cached is not None else 0)

    divided = {"row_wise": world, "table_row_wise": local, "grid_shard": local}.get(kind, 1)
    ranks = 1 if kind == "data_parallel" else world
    ids = ceil(inputs / divided * ranks * 8)
    vectors = ceil(outputs * ranks * (dim if kind in ("data_parallel", "table_wise") else width) * element)
    exchanged = 0 if height == 0 else ids + vectors
    return share(hbm, load) + exchanged, share(host, None)
