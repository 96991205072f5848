"""The settings of the Django peer."""

from caller import DATABASE_URL
from psycopg.conninfo import conninfo_to_dict

_place = conninfo_to_dict(DATABASE_URL)

SECRET_KEY = "of the benchmark"
ALLOWED_HOSTS = ["*"]
ROOT_URLCONF = "django_leads"
USE_TZ = True
APPEND_SLASH = False
MIDDLEWARE = ["django.middleware.common.CommonMiddleware"]  # the lengths of the answers
DATABASES = {
    "default": {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": _place["dbname"],
        "USER": _place["user"],
        "PASSWORD": _place.get("password", ""),
        "HOST": _place["host"],
        "PORT": _place.get("port", ""),
        "CONN_MAX_AGE": None,
        "OPTIONS": {"options": "-c search_path=app,extensions"},
    }
}
REST_FRAMEWORK = {"UNAUTHENTICATED_USER": None}
