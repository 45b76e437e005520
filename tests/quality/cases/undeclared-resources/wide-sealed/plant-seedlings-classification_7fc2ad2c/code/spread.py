from fabric import ThreadingGroup

hosts = ThreadingGroup('worker1.cluster', 'worker2.cluster', 'worker3.cluster', user='ml')
hosts.put('train_fold.py')
for c, r in hosts.run('python3 train_fold.py $(hostname)', hide=True).items():
    print(c.host, r.stdout.strip())
