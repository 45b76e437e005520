import os, resource
def threads():
    load = float(open("/proc/loadavg").read().split()[0])
    for line in open("/proc/self/limits"):
        if line.startswith(("Max open files", "Max processes", "Max address space")): print(line.rstrip())
    jiff = [int(x) for x in open("/proc/stat").readline().split()[1:5]]
    print("nofile", resource.getrlimit(resource.RLIMIT_NOFILE), "idle share", jiff[3] / sum(jiff))
    pids = [p for p in os.listdir("/proc") if p.isdigit()]
    print("processes alive", len(pids))
    return max(1, int(len(os.sched_getaffinity(0)) - load))
