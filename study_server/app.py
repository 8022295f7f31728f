"""Puts the server together: one Flask application over one study's database."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from flask import Flask, g
from flask_wtf.csrf import CSRFProtect
from jinja2 import PackageLoader
from werkzeug.middleware.proxy_fix import ProxyFix

from study_server.coordinator.lists import scraped
from study_server.coordinator.pages import coordinator_pages
from study_server.participant import (
    images,
    pages,
    practice_pages,
    question_pages,
    signing_in,
)
from study_server.participant.access import blueprint as participant_pages
from study_server.participant.languages import (
    current_language,
    fragment,
    language_name,
    set_up_languages,
)
from study_server.store.schema.database import open_engine
from study_server.web import compression, error_pages, monitoring, security, static_files
from study_server.web.configuration import EXTENSION, ServerConfiguration, load_study
from study_server.web.edge import LARGEST_REQUEST
from study_server.web.inactivity import watch_inactivity
from study_server.web.metrics import Meter
from study_server.web.monitoring import log, watch
from study_server.web.security import session_cookie_name

# Importing a module of pages registers them; naming it here shows that it is meant.
PARTICIPANT_MODULES = (signing_in, pages, practice_pages, question_pages, images)


class Application(Flask):
    """Flask, but for its log, which would hold the tokens of links."""

    def log_exception(self, exc_info: Any) -> None:
        """Note what failed where, under the id that the error page shows."""
        facts = {"request_id": g.get("request_id", "")}
        log.error("request failed", exc_info=exc_info, extra={"facts": facts})


def create_app(configuration: ServerConfiguration, meter: Meter | None = None) -> Flask:
    """Make the application for one study, whose database is migrated and loaded.

    Workers that share a `meter` count their requests together.
    """
    app = Application(__name__, static_folder=None)
    study = load_study(open_engine(configuration.database_url), configuration)
    app.extensions[EXTENSION] = study
    server = study.settings["server"]
    app.config.update(
        SECRET_KEY=configuration.secret_key,
        SESSION_COOKIE_NAME=session_cookie_name(study.cookie_name, str(server["url"] or "")),
        SESSION_COOKIE_HTTPONLY=True,
        SESSION_COOKIE_SAMESITE="Lax",
        SESSION_COOKIE_SECURE=str(server["url"] or "").startswith("https:"),
        PERMANENT_SESSION_LIFETIME=timedelta(hours=server["session_hours"]),
        MAX_CONTENT_LENGTH=LARGEST_REQUEST,
        MAX_FORM_MEMORY_SIZE=LARGEST_REQUEST,
        # A form lives as long as its session; we send no referrer that could be compared.
        WTF_CSRF_TIME_LIMIT=None,
        WTF_CSRF_SSL_STRICT=False,
    )
    app.jinja_loader = PackageLoader("templates", "")
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    app.jinja_env.globals.update(
        study=study,
        file=static_files.static_address,
        fragment=fragment,
        current_language=current_language,
        language_name=language_name,
    )
    security.protect(app)
    CSRFProtect(app)
    set_up_languages(app)
    app.register_blueprint(static_files.blueprint)
    app.register_blueprint(monitoring.blueprint)
    app.register_blueprint(participant_pages)
    app.register_blueprint(coordinator_pages())
    app.register_blueprint(scraped)
    error_pages.set_up(app)
    watch_inactivity(app)
    watch(app, meter or Meter(), trust_ids=bool(server["trusted_proxies"]))
    compression.set_up(app)
    _wrap(app, int(server["trusted_proxies"]))
    return app


def _wrap(app: Flask, count: int) -> None:
    """Add the security headers; believe so many proxies about address, TLS, host and prefix."""
    plausible = security.PlausibleAddress(app.wsgi_app, count)
    app.wsgi_app = security.SecurityHeaders(plausible)  # type: ignore[method-assign]
    if count:
        app.wsgi_app = ProxyFix(  # type: ignore[method-assign]
            app.wsgi_app, x_for=count, x_proto=count, x_host=count, x_prefix=count
        )
