"""Runs Alembic's steps in the transaction that `study_server.store.schema.migration` opened."""

from alembic import context

from study_server.store.schema.tables import Base

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=Base.metadata,
    transactional_ddl=True,
    render_as_batch=True,
)
context.run_migrations()
