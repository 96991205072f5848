"""The processes of `pipeline worker`: one for each queue, watched by the process that has started them."""

import os
import signal
import subprocess
import threading
import time

from pipeline.database import hangup
from pipeline.telemetry.metrics import forget_process

LOOK_SECONDS = 0.1
RESTART_SECONDS = 1.0


class Fleet:
    """Runs commands side by side until a signal: {name: arguments}, with `environ` as their environment.

    A process that a signal has killed is started again. One that ends by itself cannot work, and all end with it.
    `tell` is called with a line of text for what happens.
    """

    def __init__(self, commands, environ, tell):
        self.commands, self.environ, self.tell = commands, environ, tell
        self.running, self.signals, self.hangups, self.code = {}, 0, 0, None

    def run(self):
        """Work until SIGTERM or SIGINT; the exit code, 0 when all have stopped gently.

        Each of these is passed on as SIGTERM: the first lets tasks finish, the second does not. SIGHUP is passed on.
        """
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._note)
        signal.signal(signal.SIGHUP, self._note_hangup)
        for name in self.commands:
            self._start(name)
        passed = 0
        while self.running:
            if passed < self.signals:
                passed += 1
                self._pass_on(signal.SIGTERM)
            if self.hangups:
                self.hangups = 0
                self._pass_on(signal.SIGHUP)
            for name, process in list(self.running.items()):
                if process.poll() is not None:
                    self._ended(name, process.returncode)
            time.sleep(LOOK_SECONDS)
        return self.code or 0

    def _note(self, _number, _frame):
        self.signals += 1

    def _note_hangup(self, _number, _frame):
        self.hangups += 1

    def _start(self, name):
        # A session of its own, because Ctrl-C is ours to pass on; its input tells it when we are gone.
        with hangup.held():
            self.running[name] = subprocess.Popen(
                self.commands[name], env=self.environ, stdin=subprocess.PIPE, start_new_session=True
            )

    def _pass_on(self, number):
        for process in self.running.values():
            process.send_signal(number)

    def _ended(self, name, code):
        process = self.running.pop(name)
        process.stdin.close()
        forget_process(process.pid)
        if self.signals:
            # Killed by our own SIGTERM: it had not begun to work.
            self.code = max(self.code or 0, 0 if code == -signal.SIGTERM else abs(code))
        elif code < 0:
            self.tell(f"The worker's process for {name} was ended by signal {-code}; it is started again.")
            time.sleep(RESTART_SECONDS)
            self._start(name)
        else:
            self.tell(f"The worker's process for {name} ended by itself with {code}; the others are stopped.")
            self.code, self.signals = code or 1, 1


def end_with_parent():
    """Let this process, started by a Fleet, get SIGTERM when the fleet's own process ends, however that happens."""

    def wait():
        while os.read(0, 1):
            pass
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=wait, name="parent", daemon=True).start()
