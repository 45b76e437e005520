import torch
def validate(model, loader):
    model.eval()
    return sum(criterion(model(x), y).item() for x, y in loader) / len(loader)
for epoch in range(300):
    train_one_epoch(model, train_loader)
    print(f"epoch {epoch} validation loss {validate(model, val_loader):.4f}")
