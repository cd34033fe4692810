"""What a run is told as: one page with tables and plots, a page for each episode, an archive."""

from siturec_gym.evaluation.report.archive import opened, write_archive
from siturec_gym.evaluation.report.runs import ReportRun, read_runs
from siturec_gym.evaluation.report.write import PAGE, report_files, write_files

__all__ = ["PAGE", "ReportRun", "opened", "read_runs", "report_files", "write_archive", "write_files"]
