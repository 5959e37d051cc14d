"""Nothing here is collected: these are programs that `make fuzz` runs."""

collect_ignore_glob = ["*.py"]
