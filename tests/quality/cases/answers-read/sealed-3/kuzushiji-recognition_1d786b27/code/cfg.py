_base_ = ['../mmdetection/configs/cascade_rcnn/cascade-rcnn_r50_fpn_1x_coco.py']
data_root = '/home/code/coco/'
metainfo = dict(classes=('char',))
train_dataloader = dict(batch_size=2, dataset=dict(data_root=data_root, metainfo=metainfo, ann_file='train.json', data_prefix=dict(img='train_images/')))
val_dataloader = dict(dataset=dict(data_root=data_root, metainfo=metainfo, ann_file='val.json', data_prefix=dict(img='train_images/')))
val_evaluator = dict(ann_file=data_root + 'val.json')
optim_wrapper = dict(optimizer=dict(lr=0.005))
