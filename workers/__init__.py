"""Where model code runs: tasks and runners."""
