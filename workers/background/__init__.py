"""Run background jobs on Redis: refresh jobs, heartbeats and the schedule."""
