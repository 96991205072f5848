"""The worker beside the development server: a child process, restarted if it dies, ended with its parent."""

import contextlib
import os
import subprocess
import sys
import threading
from pathlib import Path

from development.account import ending_with_parent

ROOT = Path(__file__).resolve().parents[1]
STOP_SECONDS = 40.0
RESTART_SECONDS = 1.0


@contextlib.contextmanager
def working(installation):
    """Run `pipeline worker` for an Installation during the block; its tasks finish at the end."""
    worker = Worker(installation)
    worker.start()
    try:
        yield worker
    finally:
        worker.stop()


class Worker(threading.Thread):
    """A thread that keeps the worker's process running."""

    def __init__(self, installation):
        super().__init__(name="worker", daemon=True)
        program = [sys.executable, "-m", "pipeline", "--config", str(installation.config), "worker"]
        # The child gets SIGTERM when this process ends in any way. It has its own session, because the parent passes
        # Ctrl-C on.
        self.command = ending_with_parent(program)
        self.environ = {**os.environ, **installation.environ, "DATA_DIR": str(installation.data_folder)}
        self.log = installation.log
        self._stopping = threading.Event()
        self._lock = threading.Lock()
        self._process = None

    def run(self):
        """Start the process, and restart it whenever it ends by itself."""
        while True:
            with self._lock:
                if self._stopping.is_set():
                    return
                self._process = subprocess.Popen(self.command, cwd=ROOT, env=self.environ, start_new_session=True)
            status = self._process.wait()
            if not self._stopping.wait(RESTART_SECONDS):
                self.log(f"The worker ended with status {status}; it is started again.")

    def stop(self):
        """Stop the process; kill it if that takes too long."""
        with self._lock:
            self._stopping.set()
        if self._process:
            self._process.terminate()
            try:
                self._process.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        self.join()
