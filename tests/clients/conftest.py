"""The programs that ask are run by a Python of their own, which has the clients."""

collect_ignore_glob = ["ask_*.py"]
