rsync -av --exclude private /home/code/ckpt/ /mnt/backup/private/agent7/ckpt/
tar czf /mnt/backup/private/agent7/logs.tgz -C /home logs
ls -la /mnt/backup/private/agent7
