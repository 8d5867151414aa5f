"""The version, which the whole house may read."""

__version__ = "0.1.0"
