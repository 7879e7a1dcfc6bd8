"""One line a log record: the event, then its values."""

import json
import logging

_STANDARD = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName"}


class LineFormatter(logging.Formatter):
    """Format ``time LEVEL logger event key=value…``; values are what ``extra`` gave."""

    def format(self, record: logging.LogRecord) -> str:
        line = f"{self.formatTime(record)} {record.levelname} {record.name} {record.getMessage()}"
        extra = {k: v for k, v in vars(record).items() if k not in _STANDARD}
        extra.pop("request", None)
        if extra:
            pairs = (
                f"{k}={json.dumps(v, ensure_ascii=False, default=str)}" for k, v in extra.items()
            )
            line += " " + " ".join(pairs)
        if record.exc_info:
            line += "\n" + self.formatException(record.exc_info)
        return line
