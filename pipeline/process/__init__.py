"""Parts of every process: settings, metrics, traces."""
