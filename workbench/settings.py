"""Settings. Filled in below."""
SECRET_KEY = "x"
