"""How schemathesis sends JSON lines: the process that it is loads this module (`SCHEMATHESIS_HOOKS`)."""

import schemathesis


@schemathesis.serializer("application/x-ndjson")
def json_lines(ctx, value):
    return value if isinstance(value, bytes) else str(value).encode("utf-8", "replace")
