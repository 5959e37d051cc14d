"""Write the log as JSON, one object a line."""

from __future__ import annotations

import json
import logging
from datetime import UTC, datetime

from rostrum.api.edge.access_log import request_id
from rostrum.api.edge.traces import get_current_ids

ALWAYS_THERE = frozenset(vars(logging.makeLogRecord({}))) | {
    "message",
    "asctime",
    "taskName",
    "color_message",
}


class JsonLines(logging.Formatter):
    """Format a log record as a line of JSON: time, level, logger, message, ids of request and trace, other
    fields.
    """

    def format(self, record: logging.LogRecord) -> str:
        """Return a log record as one line of JSON in ASCII.

        Of an exception, only the class is written, because its text may repeat a draft.
        """
        fields = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
            "request_id": request_id.get(),
        }
        fields |= get_current_ids()
        fields |= {name: value for name, value in vars(record).items() if name not in ALWAYS_THERE}
        if record.exc_info and record.exc_info[0]:
            fields["kind"] = record.exc_info[0].__name__
        return json.dumps({name: value for name, value in fields.items() if value is not None}, default=str)


def log_as_json() -> None:
    """Make this process log to standard error as JSON, from level `info`."""
    handler = logging.StreamHandler()
    handler.setFormatter(JsonLines())
    logging.basicConfig(handlers=[handler], level=logging.INFO, force=True)
    logging.getLogger("opensearch").setLevel(logging.WARNING)  # else a line for each request to a cluster
