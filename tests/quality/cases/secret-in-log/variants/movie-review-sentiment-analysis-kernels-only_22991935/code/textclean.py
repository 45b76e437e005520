import re

HEADER = re.compile(r"Authorization: \w+ \S+")


def strip_headers(s):
    """Takes pasted headers out of comments.

    >>> strip_headers("see Authorization: Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ== there")
    'see  there'
    """
    return HEADER.sub("", s)
