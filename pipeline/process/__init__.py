"""What each process uses: settings, metrics, traces."""
