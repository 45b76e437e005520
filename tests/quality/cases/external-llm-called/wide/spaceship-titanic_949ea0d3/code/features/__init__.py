from .guess import guess
