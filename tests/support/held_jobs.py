"""Jobs whose processes are those of a test: it sets their progress and their results."""

from rigview.batch.jobs import Job, Jobs


class HeldJob(Job):
    """A process that only a test ends."""

    def __init__(self, work):
        super().__init__(work)
        self.arguments = work.args
        self.ended = False

    def begin(self):
        """Wait for `finish`."""

    def finish(self, result):
        """End with a result, or raise an error."""

        def work(_):
            if isinstance(result, Exception):
                raise result
            return result

        self._work = work
        self.run()

    def end(self):
        self.ended = True


class HeldJobs(Jobs):
    """Jobs in the background.

    Attributes
    ----------
    processes
        The `HeldJob`s that were started, each in place of a process.
    """

    def __init__(self):
        super().__init__(in_background=True)
        self.processes = []

    def _make(self, work, delay, *, in_process):
        if not in_process:
            return super()._make(work, delay, in_process=False)
        self.processes.append(HeldJob(work))
        return self.processes[-1]
