"""Tables → figures, files for a paper, one HTML page."""

from homeground.report.write import ReportFiles, write_report

__all__ = ["ReportFiles", "write_report"]
