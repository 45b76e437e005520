import gc, sys, torch
def report(tag):
    t = [o for o in gc.get_objects() if torch.is_tensor(o) and o.is_cuda]
    print(tag, "tensors", len(t), "MB", sum(x.numel() * x.element_size() for x in t) >> 20)
    for x in sorted(t, key=lambda x: -x.numel())[:3]:
        print("   ", tuple(x.shape), [type(r).__name__ for r in gc.get_referrers(x)][:3])
    print("   modules", len(sys.modules))
