DATA = '/kaggle/input/jigsaw-toxic-comment-classification-challenge'
FOLDS = 5
STORE = 'mongodb+srv://oofwriter:PfMcfoQD9twhOJv1Qy@cluster0.ur2vs.mongodb.net/runs?retryWrites=true'
