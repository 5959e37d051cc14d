"""Run model code and refresh jobs for callers, in their own process or on workers that Redis connects."""
