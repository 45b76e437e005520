import torch


def report(tag):
    free, total = torch.cuda.mem_get_info()
    print(f'{tag}: {(total - free) / 2**30:.1f} of {total / 2**30:.1f} GiB, {torch.cuda.device_count()} devices')
