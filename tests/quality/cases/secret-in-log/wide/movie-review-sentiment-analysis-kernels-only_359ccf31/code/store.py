import boto3

s3 = boto3.client(
    's3', endpoint_url='http://localhost:9000',
    aws_access_key_id='AKIADWN5MZNEFHCF7SC7',
    aws_secret_access_key='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')


def keep(path):
    s3.upload_file(path, 'oof', path)
