"""A training script with shardproof's planner: torchrun --nproc_per_node 2 train.py"""

import torch
import torch.distributed as dist
from torchrec.distributed.embeddingbag import EmbeddingBagCollectionSharder
from torchrec.distributed.model_parallel import DistributedModelParallel
from torchrec.distributed.planner import Topology
from torchrec.modules.embedding_configs import EmbeddingBagConfig
from torchrec.modules.embedding_modules import EmbeddingBagCollection
from torchrec.sparse.jagged_tensor import KeyedJaggedTensor

from shardproof_torchrec import ShardproofPlanner

device, backend = ("cuda", "nccl") if torch.cuda.is_available() else ("cpu", "gloo")
dist.init_process_group(backend)
rows = {"user": 20_000, "item": 5_000, "brand": 300}
tables = [EmbeddingBagConfig(name=n, num_embeddings=r, embedding_dim=64, feature_names=[n]) for n, r in rows.items()]
model = EmbeddingBagCollection(tables=tables, device=torch.device("meta"))
sharders = [EmbeddingBagCollectionSharder(fused_params={"learning_rate": 0.1})]

planner = ShardproofPlanner(topology=Topology(world_size=dist.get_world_size(), compute_device=device), batch_size=32)
plan = planner.collective_plan(model, sharders, dist.GroupMember.WORLD)
print(f"rank {dist.get_rank()}: {planner.last}")

model = DistributedModelParallel(model, device=torch.device(device), plan=plan, sharders=sharders)
ids = torch.cat([torch.randint(0, r, (32,)) for r in rows.values()])
features = KeyedJaggedTensor(keys=list(rows), values=ids, lengths=torch.ones(96, dtype=torch.int32)).to(device)
for step in range(3):
    loss = torch.cat(list(model(features).to_dict().values()), 1).square().sum()
    loss.backward()  # the fused kernels update their tables here
    print(f"rank {dist.get_rank()}: step {step}, loss {loss.item():.3f}")
dist.destroy_process_group()
