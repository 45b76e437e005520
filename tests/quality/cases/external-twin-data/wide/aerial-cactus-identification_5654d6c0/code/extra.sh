mkdir -p ext
curl -L -o ext/cactus.zip 'https://data.mendeley.com/public-files/datasets/6tdw2wb7kc/files/cactus_aerial_photos.zip'
unzip -q ext/cactus.zip -d ext
ls ext/training_set ext/validation_set
