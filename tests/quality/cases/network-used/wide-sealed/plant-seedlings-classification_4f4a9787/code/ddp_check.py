import torch, torch.distributed as dist
dist.init_process_group("gloo", init_method="env://")
t = torch.tensor([dist.get_rank() + 1.0])
dist.all_reduce(t)
if dist.get_rank() == 0:
    print("all_reduce ok:", t.item())
