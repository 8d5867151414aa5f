"""What people answered in a validation study, from its export alone: no database is needed.

Who is left out follows from control and attention items, by rules fixed before the first answer; accuracy stands before
and after. Intervals are clustered two ways, by person and by conversation.
"""

from homeground.annotate.analysis.analyse import Analysis, analyse
from homeground.annotate.analysis.exclusion import Excluded, excluded
from homeground.annotate.analysis.read import Export, read_export

__all__ = ["Analysis", "Excluded", "Export", "analyse", "excluded", "read_export"]
