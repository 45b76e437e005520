import psutil, time, sys
p = psutil.Process(int(sys.argv[1])); t = time.time()
print('seconds,rss_gb')
while p.is_running():
    print(int(time.time() - t), round(p.memory_info().rss / 1e9, 1), sep=',', flush=True)
    time.sleep(60)
