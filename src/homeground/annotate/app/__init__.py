"""The pages of a study, as a web application that needs no JavaScript."""

from homeground.annotate.app.main import create_app

__all__ = ["create_app"]
